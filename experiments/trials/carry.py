"""Has pieces of work carried out, a bounded number at a time, and hands over results as they come.

Only the process that begins them writes to the database: workers return results. Nothing is computed that is
known, or that somebody else is at; what a lost worker was at is done again, and given up when it cost two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from time import monotonic, sleep

from experiments.store.trial_rows import LEASE
from experiments.trials.carriers import Carrier, carry_out
from experiments.trials.carriers.carrier import understood
from experiments.trials.result import Result, lost
from experiments.trials.result_cache import ResultCache, is_complete
from experiments.trials.trial import Chain, Trial

_LOOK_EVERY = 0.5
_GIVEN_UP = (
    "The process that carried this out ended twice before it was done, perhaps for want of memory: it was "
    "given up. Choose less data or fewer parts, or give the workers more memory."
)
Arrival = tuple[str, Result]


def carry(
    work: Iterable[Trial | Chain], carrier: Carrier, cache: ResultCache
) -> Generator[Arrival, None, None]:
    """Yield key and result of every trial: stored results first, the others as they arrive.

    Closing the generator, or Ctrl-C, ends the work; what has come is kept, and starting again goes on.
    """
    pieces = {piece.keys: piece for piece in map(_piece, work)}
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


def _piece(work: Trial | Chain) -> Chain:
    return work if isinstance(work, Chain) else Chain((work,))


class UnderWay:
    """Chains submitted to one carrier, lost with a worker, or claimed by another process."""

    def __init__(self, carrier: Carrier, cache: ResultCache) -> None:
        self._carrier, self._cache = carrier, cache
        self._executor: Executor = carrier.open()
        self._futures: dict[Future[str], Chain] = {}
        # Was under way when a worker was lost: done again, alone, so that the one to blame is known.
        self._suspects: deque[Chain] = deque()
        self._lost: set[tuple[str, ...]] = set()
        self._elsewhere: deque[Chain] = deque()
        self._renewed_at = self._looked_at = monotonic()

    @property
    def room(self) -> bool:
        """Whether more can be begun."""
        return not self._suspects and len(self._futures) < self._carrier.width

    @property
    def busy(self) -> bool:
        """Whether results are still to arrive."""
        return bool(self._futures or self._suspects or self._elsewhere)

    def begin(self, piece: Chain) -> None:
        """Submit a chain, or wait for its results if another process has claimed it."""
        if self._cache.claim(piece):
            self._submit(piece)
        else:
            self._elsewhere.append(piece)

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

    def _submit(self, piece: Chain) -> None:
        self._futures[self._executor.submit(carry_out, piece.to_json())] = piece

    def _arrived(self, piece: Chain, future: Future[str]) -> Iterator[Arrival]:
        error = future.exception()
        if error is None:
            results = self._cache.save(piece, understood(future.result()))
            yield from zip(piece.keys, results, strict=True)
            return
        loss = self._carrier.loss(error)
        suspects = [piece]
        if loss == "all under way":
            suspects += self._futures.values()
            self._begin_again()
        if loss == "given up" or (piece.keys in self._lost and len(suspects) == 1):
            self._cache.release(piece)
            yield from ((key, lost(_GIVEN_UP)) for key in piece.keys)
            return
        self._lost |= {suspect.keys for suspect in suspects}
        self._suspects.extend(suspects)

    def _begin_again(self) -> None:
        self._futures.clear()
        self._carrier.close(self._executor)
        self._executor = self._carrier.open()

    def _look_elsewhere(self) -> Iterator[Arrival]:
        """Yield stored results of chains that others claimed; begin those whose claim has lapsed."""
        self._looked_at = monotonic()
        results = self._cache.lookup([key for piece in self._elsewhere for key in piece.keys])
        yield from results.items()
        left = [piece for piece in self._elsewhere if not is_complete(results, piece)]
        self._elsewhere.clear()
        for piece in left:
            if self.room:
                self.begin(piece)
            else:
                self._elsewhere.append(piece)
