"""How many faces are still recognised behind a patch of each size, worked out behind the page.

A `Curve` belongs to one fitted method, one kind of patch and one measure of distance. One thread fills in
the curves that are looked at, point by point, the one that has come least far first. A curve nobody looks
at any more stands still until somebody does; asking again for the same curve finds what there is of it.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.corruption import Patch, occlude
from experiments.recognisers import Recogniser
from experiments.recognition import Metric

log = logging.getLogger(__name__)
PLACEMENTS = 8
_STEPS = 12
# The largest patch covers this share of the side: beyond it hardly a face is left.
_LARGEST = 0.75
_MOST_FACES = 400
_SEED = 1000


def patch_sizes(image_shape: tuple[int, int]) -> tuple[int, ...]:
    """Return the sides of the patches that are tried, from none to most of the image.

    >>> patch_sizes((64, 64))
    (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)
    """
    largest = min(image_shape) * _LARGEST
    return tuple(sorted({round(step * largest / _STEPS) for step in range(_STEPS + 1)}))


@dataclass(eq=False)
class Curve:
    """The share recognised for each placement (rows) and size of the patch; NaN where not yet known."""

    kind: Patch
    metric: Metric
    sizes: tuple[int, ...]
    shares: NDArray[np.float64]
    message: str = ""
    seen_at: float = field(default_factory=monotonic)
    # Large, and so let go of as soon as nobody waits for more points.
    recogniser: Recogniser | None = None

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to work out, or no way to go on (then `message` says why)."""
        return bool(self.message) or not np.isnan(self.shares).any()

    def mean_and_spread(self) -> list[tuple[int, float, float, int]]:
        """Return for each size known: size, mean share, standard deviation, number of placements."""
        known = []
        # A copy: the thread goes on filling in meanwhile.
        for size, shares in zip(self.sizes, self.shares.T.copy(), strict=True):
            found = shares[~np.isnan(shares)]
            if found.size:
                known.append((size, float(found.mean()), float(found.std()), int(found.size)))
        return known

    def advance(self, who: Recogniser) -> None:
        """Work out one more point: every size for one placement, then the next placement."""
        placement, column = np.argwhere(np.isnan(self.shares))[0]
        share = _share(who, self.kind, self.metric, self.sizes[column], int(placement))
        # Without a patch there is nothing to place.
        where = slice(None) if self.sizes[column] == 0 else placement
        self.shares[where, column] = share


def _share(who: Recogniser, kind: Patch, metric: Metric, size: int, placement: int) -> float:
    assert who.data.y is not None
    assert who.data.image_shape is not None
    rows = who.test_rows
    if rows.size > _MOST_FACES:
        rows = rows[np.linspace(0, rows.size - 1, _MOST_FACES).astype(np.int64)]
    faces: Any = who.data.X[rows]
    covered = occlude(faces, who.data.image_shape, size, kind, seed=_SEED + placement)
    return float(np.mean(who.recognise(covered, metric).code == who.data.y[rows]))


class Curves:
    """The curves of a process: at most `most` of them, filled in by one thread while they are looked at."""

    def __init__(self, *, most: int = 96, forgotten_after: float = 5.0, pause: float = 0.002) -> None:
        self._most, self._forgotten_after, self._pause = most, forgotten_after, pause
        self._curves: OrderedDict[tuple[str, str, str], Curve] = OrderedDict()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def curve(self, who: Recogniser, kind: Patch, metric: Metric = "euclidean") -> Curve:
        """Return the curve, begun if it is new; being asked for counts as being looked at."""
        if who.data.image_shape is None:
            raise ValueError(f"{who.data.title} does not hold images: nothing can be covered.")
        key = (who.request.key, kind, metric)
        with self._changed:
            found = self._curves.get(key)
            if found is None:
                sizes = patch_sizes(who.data.image_shape)
                shares = np.full((PLACEMENTS, len(sizes)), np.nan)
                found = self._curves[key] = Curve(kind, metric, sizes, shares)
                while len(self._curves) > self._most:
                    self._curves.popitem(last=False)
            found.seen_at = monotonic()
            self._curves.move_to_end(key)
            if not found.complete:
                found.recogniser = who
                self._wake()
            return found

    def close(self) -> None:
        """Stop working; what has been found can still be had."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _wake(self) -> None:
        if self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._work, daemon=True, name="patch-curves")
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                # The pause lets those through who wait for an answer about the face in their hands.
                self._changed.wait_for(lambda: self._closed, self._pause)
                self._changed.wait_for(lambda: self._closed or self._next() is not None)
                if self._closed:
                    return
                curve = self._next()
                who = curve.recogniser if curve else None
            if curve is not None and who is not None:
                self._advance(curve, who)

    def _advance(self, curve: Curve, who: Recogniser) -> None:
        try:
            curve.advance(who)
        except Exception as error:
            # One method that cannot cope with covered faces must not keep the others from theirs.
            log.exception("No curve for %s", who.spec.id)
            curve.message = f"The faces could not be recognised ({type(error).__name__}: {error})."

    def _next(self) -> Curve | None:
        """Return the curve that has come least far of those looked at; let go of what others held."""
        now = monotonic()
        waiting = []
        for curve in self._curves.values():
            if curve.complete or now - curve.seen_at > self._forgotten_after:
                curve.recogniser = None
            else:
                waiting.append(curve)
        return max(waiting, key=lambda curve: int(np.isnan(curve.shares).sum()), default=None)
