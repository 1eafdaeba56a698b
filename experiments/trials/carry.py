"""Has pieces of work carried out, a bounded number at a time, and hands over results as they come.

Only who calls `carry` writes to the database: workers return results. Nothing is computed that is known, or
that somebody else is at; what a lost worker was at is done again, and given up when it has cost two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from time import monotonic, sleep

from experiments.store.trial_rows import LEASE
from experiments.trials.carriers import Carrier, carry_out
from experiments.trials.carriers.carrier import understood
from experiments.trials.kept import Kept, found
from experiments.trials.result import Result, lost
from experiments.trials.trial import Chain, Trial

_LOOK_EVERY = 0.5
_GIVEN_UP = (
    "The process that carried this out ended twice before it was done, perhaps for want of memory: it was "
    "given up. Choose less data or fewer parts, or give the workers more memory."
)
Arrival = tuple[str, Result]


def carry(work: Iterable[Trial | Chain], carrier: Carrier, kept: Kept) -> Iterator[Arrival]:
    """Yield key and result of every trial: what is known first, the rest as it comes.

    Closing the iterator, or Ctrl-C, ends the work; what has come is kept, and starting again goes on.
    """
    pieces = {piece.keys: piece for piece in map(_piece, work)}
    known = kept.known([key for keys in pieces for key in keys])
    yield from known.items()
    missing = [piece for piece in pieces.values() if not found(known, piece)]
    if missing:
        under_way = _UnderWay(carrier, kept, missing)
        try:
            for key, result in under_way.results():
                if key not in known:
                    yield key, result
        finally:
            under_way.close()


def _piece(work: Trial | Chain) -> Chain:
    return work if isinstance(work, Chain) else Chain((work,))


class _UnderWay:
    """Work being carried out: what waits, what is with a worker, what is done by somebody else."""

    def __init__(self, carrier: Carrier, kept: Kept, work: Sequence[Chain]) -> None:
        self._carrier, self._kept = carrier, kept
        self._waiting = deque(work)
        # Was under way when a worker was lost: done again, alone, so that the one to blame is known.
        self._suspects: deque[Chain] = deque()
        self._elsewhere: deque[Chain] = deque()
        self._futures: dict[Future[str], Chain] = {}
        self._lost: set[tuple[str, ...]] = set()
        self._executor: Executor = carrier.open()
        self._renewed_at = self._looked_at = monotonic()

    def results(self) -> Iterator[Arrival]:
        while self._waiting or self._suspects or self._futures or self._elsewhere:
            self._hand_out()
            done, _ = wait(self._futures, _LOOK_EVERY, FIRST_COMPLETED) if self._futures else ((), ())
            for future in done:
                # Whoever loses all workers has emptied this meanwhile.
                if (piece := self._futures.pop(future, None)) is not None:
                    yield from self._arrived(piece, future)
            yield from self._look_elsewhere(pause=not self._futures)
            if monotonic() - self._renewed_at > LEASE / 3:
                self._kept.renew()
                self._renewed_at = monotonic()

    def close(self) -> None:
        try:
            self._carrier.close(self._executor)
        finally:
            self._kept.release()

    def _hand_out(self) -> None:
        if self._suspects:
            if not self._futures:
                self._submit(self._suspects.popleft())
            return
        while self._waiting and len(self._futures) < self._carrier.width:
            piece = self._waiting.popleft()
            if self._kept.claim(piece):
                self._submit(piece)
            else:
                self._elsewhere.append(piece)

    def _submit(self, piece: Chain) -> None:
        self._futures[self._executor.submit(carry_out, piece.to_json())] = piece

    def _arrived(self, piece: Chain, future: Future[str]) -> Iterator[Arrival]:
        error = future.exception()
        if error is None:
            results = understood(future.result())
            self._kept.keep(piece, results)
            yield from zip(piece.keys, results, strict=True)
            return
        loss = self._carrier.loss(error)
        if loss == "given up" or (piece.keys in self._lost and not self._futures):
            if loss == "all under way":
                self._begin_again()
            self._kept.release(piece)
            yield from ((key, lost(_GIVEN_UP)) for key in piece.keys)
            return
        struck = [piece]
        if loss == "all under way":
            struck += self._futures.values()
            self._begin_again()
        for one in struck:
            self._lost.add(one.keys)
            self._suspects.append(one)

    def _begin_again(self) -> None:
        self._futures.clear()
        self._carrier.close(self._executor)
        self._executor = self._carrier.open()

    def _look_elsewhere(self, *, pause: bool) -> Iterator[Arrival]:
        """See what others were at: it is known by now, or they are gone and it is ours to do."""
        now = monotonic()
        if not self._elsewhere or now - self._looked_at < _LOOK_EVERY:
            if pause and self._elsewhere and not (self._waiting or self._suspects):
                sleep(_LOOK_EVERY)
            return
        self._looked_at = now
        known = self._kept.known([key for piece in self._elsewhere for key in piece.keys])
        yield from known.items()
        left = [piece for piece in self._elsewhere if not found(known, piece)]
        self._elsewhere.clear()
        self._waiting.extend(left)
