"""Has pieces of work carried out, a bounded number at a time, and hands over results as they come.

Only the process that begins them writes to the database: workers return results. Nothing is computed that is
known, or that somebody else is at; what a lost worker was at is done again, and given up when it cost two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from time import monotonic, sleep

from experiments.store.trial_rows import LEASE
from experiments.trials.carriers import Carrier
from experiments.trials.carriers.carrier import understood
from experiments.trials.result import Result, lost
from experiments.trials.result_cache import ResultCache, is_complete
from experiments.trials.trial import Chain, Trial, as_chain

_LOOK_EVERY = 0.5
_GIVEN_UP = (
    "The process that carried this out ended twice before it was done, perhaps for want of memory: it was "
    "given up. Choose less data or fewer parts, or give the workers more memory."
)
Arrival = tuple[str, Result]


@dataclass(frozen=True)
class _Piece:
    """A chain, and for whom it is carried out: `unattended` if nobody waits for it."""

    chain: Chain
    owner: str = ""
    unattended: bool = False


def carry(
    work: Iterable[Trial | Chain], carrier: Carrier, cache: ResultCache
) -> Generator[Arrival, None, None]:
    """Yield key and result of every trial: stored results first, the others as they arrive.

    Closing the generator, or Ctrl-C, ends the work; what has come is kept, and starting again goes on.
    """
    pieces = {piece.keys: piece for piece in map(as_chain, work)}
    results = cache.lookup([key for keys in pieces for key in keys])
    yield from results.items()
    waiting = deque(piece for piece in pieces.values() if not is_complete(results, piece))
    if not waiting:
        return
    under_way = UnderWay(carrier, cache)
    try:
        while waiting or under_way.busy:
            while waiting and under_way.room:
                under_way.begin(waiting.popleft())
            for key, result in under_way.arrivals(_LOOK_EVERY):
                if key not in results:
                    yield key, result
    finally:
        under_way.close()


class UnderWay:
    """Chains submitted to one carrier, lost with a worker, or claimed by another process."""

    def __init__(self, carrier: Carrier, cache: ResultCache) -> None:
        self._carrier, self._cache = carrier, cache
        self._executor: Executor = carrier.open()
        self._futures: dict[Future[str], _Piece] = {}
        # Was under way when a worker was lost: done again, alone, so that the one to blame is known.
        self._suspects: deque[_Piece] = deque()
        self._lost: set[tuple[str, ...]] = set()
        self._elsewhere: deque[_Piece] = deque()
        self._renewed_at = self._looked_at = monotonic()

    @property
    def room(self) -> bool:
        """Whether more can be begun."""
        return not self._suspects and len(self._futures) < self._carrier.width

    @property
    def busy(self) -> bool:
        """Whether results are still to arrive."""
        return bool(self._futures or self._suspects or self._elsewhere)

    def begin(self, chain: Chain, owner: str = "", *, unattended: bool = False) -> None:
        """Submit a chain, or wait for its results if another process has claimed it."""
        self._begin(_Piece(chain, owner, unattended))

    def drop(self, key: str) -> bool:
        """Take back the chain of a key; False if it is too late for that."""
        for pieces in (self._suspects, self._elsewhere):
            for piece in [piece for piece in pieces if key in piece.chain.keys]:
                pieces.remove(piece)
                self._cache.release(piece.chain)
                return True
        for future, piece in list(self._futures.items()):
            if key in piece.chain.keys and future.cancel():
                del self._futures[future]
                self._cache.release(piece.chain)
                return True
        return False

    def arrivals(self, patience: float) -> Iterator[Arrival]:
        """Yield the results that arrive within `patience` seconds."""
        if self._suspects and not self._futures:
            self._submit(self._suspects.popleft())
        if self._futures:
            done, _ = wait(self._futures, patience, FIRST_COMPLETED)
            for future in done:
                # Whoever loses all workers has emptied this meanwhile.
                if (piece := self._futures.pop(future, None)) is not None:
                    yield from self._arrived(piece, future)
        elif self._elsewhere:
            sleep(patience)
        if self._elsewhere and monotonic() - self._looked_at >= _LOOK_EVERY:
            yield from self._look_elsewhere()
        if monotonic() - self._renewed_at > LEASE / 3:
            self._cache.renew()
            self._renewed_at = monotonic()

    def close(self) -> None:
        """End the work; others may take it on."""
        try:
            self._carrier.close(self._executor)
        finally:
            self._cache.release()

    def _begin(self, piece: _Piece) -> None:
        if self._cache.claim(piece.chain):
            self._submit(piece)
        else:
            self._elsewhere.append(piece)

    def _submit(self, piece: _Piece) -> None:
        text = piece.chain.to_json()
        future = self._carrier.submit(self._executor, text, piece.owner, piece.unattended)
        self._futures[future] = piece

    def _arrived(self, piece: _Piece, future: Future[str]) -> Iterator[Arrival]:
        error, keys = future.exception(), piece.chain.keys
        if error is None:
            results = self._cache.save(piece.chain, understood(future.result()))
            yield from zip(keys, results, strict=True)
            return
        loss = self._carrier.loss(error)
        if loss == "not begun":
            self._submit(piece)
            return
        suspects = [piece]
        if loss == "all under way":
            suspects += self._futures.values()
            self._begin_again()
        if loss == "given up" or (keys in self._lost and len(suspects) == 1):
            self._cache.release(piece.chain)
            yield from ((key, lost(_GIVEN_UP)) for key in keys)
            return
        self._lost |= {suspect.chain.keys for suspect in suspects}
        self._suspects.extend(suspects)

    def _begin_again(self) -> None:
        self._futures.clear()
        self._carrier.close(self._executor)
        self._executor = self._carrier.open()

    def _look_elsewhere(self) -> Iterator[Arrival]:
        """Yield stored results of chains that others claimed; begin those whose claim has lapsed."""
        self._looked_at = monotonic()
        results = self._cache.lookup([key for piece in self._elsewhere for key in piece.chain.keys])
        yield from results.items()
        left = [piece for piece in self._elsewhere if not is_complete(results, piece.chain)]
        self._elsewhere.clear()
        for piece in left:
            if self.room:
                self._begin(piece)
            else:
                self._elsewhere.append(piece)
