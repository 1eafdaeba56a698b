"""Surveys: how many are still recognised, by how much their pictures are spoiled or where they are covered.

A survey is a table of shares, filled in one at a time: splits × random draws × columns. What the columns
are makes the kind: amounts of a corruption (`Curve`), or places of a patch (`Positions`). The splits
beyond the first need fits of their own; whoever fills a survey in says where to get them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.fitted.recognisers import How, Recogniser, recogniser
from experiments.measures.recognition import Codes, Metric
from experiments.requests.corruption import Kind, Patch, is_noise, settings, spoil
from experiments.requests.request import RunRequest

SPLITS, DRAWS = 5, 4
# As in the figure of the paper: sides of a patch on 64 pixels, and about as many steps of noise.
PAPER_SIZES, PAPER_LEVELS = (0, 16, 20, 24, 28), (0, 10, 20, 30, 40)
_STEPS = 12
# The largest patch covers this share of the side, and this is the most noise: hardly a face is left.
_LARGEST, _MOST_NOISE = 0.75, 60
_PLACES = 9
_MOST_FACES = 400
_SEED = 1000
# Returns the run of a request once it has ended, None as long as one must wait for it.
Fits = Callable[[RunRequest], Handle | None]


def amounts(kind: Kind, image_shape: tuple[int, int], *, as_paper: bool = False) -> tuple[int, ...]:
    """Return what is tried of a kind, from nothing to most of the image: sides in pixels, or percent.

    >>> amounts("grey", (64, 64))
    (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48)
    >>> amounts("grey", (32, 32), as_paper=True)
    (0, 8, 10, 12, 14)
    """
    if is_noise(kind):
        return PAPER_LEVELS if as_paper else tuple(range(0, _MOST_NOISE + 1, _MOST_NOISE // _STEPS))
    side = min(image_shape)
    if as_paper:
        return tuple(sorted({round(size * side / 64) for size in PAPER_SIZES}))
    return tuple(sorted({round(step * side * _LARGEST / _STEPS) for step in range(_STEPS + 1)}))


class Survey:
    """Shares recognised (splits × draws × columns), NaN where not yet known."""

    def __init__(self, request: RunRequest, metric: Metric, how: How, draws: int, columns: int) -> None:
        self.request, self.metric, self.how = request, metric, how
        # What a person has said of single rows holds for this split alone.
        splits = 1 if request.labels or request.pairs else SPLITS
        self.shares: NDArray[np.float64] = np.full((splits, draws, columns), np.nan)
        self.message = ""
        self.seen_at = monotonic()
        # Seconds of work so far.
        self.spent = 0.0
        self._fitted: dict[int, Handle] = {}

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to work out, or no way to go on (then `message` says why)."""
        return bool(self.message) or self.missing == 0

    @property
    def missing(self) -> int:
        """How many shares are still to be worked out."""
        return int(np.isnan(self.shares).sum())

    def means(self) -> list[tuple[float, float, int] | None]:
        """Return mean, standard deviation and number of the shares known of each column; None if none is."""
        # A copy: the thread goes on filling in meanwhile.
        columns = self.shares.reshape(-1, self.shares.shape[2]).T.copy()
        known = [column[~np.isnan(column)] for column in columns]
        return [(float(k.mean()), float(k.std()), int(k.size)) if k.size else None for k in known]

    def advance(self, fits: Fits) -> bool:
        """Work out one more share: every column, then the next draw, then the next split.

        Returns False where that must wait for a run.
        """
        split, draw, column = (int(index) for index in np.argwhere(np.isnan(self.shares))[0])
        share = self._share(fits, split, draw, column)
        if share is None:
            return False
        self.shares[(split, *self._same(draw, column))] = share
        return True

    def _share(self, fits: Fits, split: int, draw: int, column: int) -> float | None:
        raise NotImplementedError

    def _same(self, draw: int, column: int) -> tuple[int | slice, int]:
        """Return where in a split the same share holds."""
        return draw, column

    def _who(self, fits: Fits, split: int) -> Recogniser | None:
        """Return whom to ask in a split, None as long as one must wait for the fit."""
        handle = self._fitted.get(split) or fits(self._of_split(split))
        if handle is None:
            return None
        # Finding a run by its request takes longer than a share: it is done once a split.
        self._fitted[split] = handle
        handle.look()
        return recogniser(handle)

    def _of_split(self, split: int) -> RunRequest:
        seed = (self.request.seed + split) % 2**32
        return self.request if split == 0 else replace(self.request, seed=seed)


class Curve(Survey):
    """Columns are amounts of one kind of corruption.

    Methods that were fitted on spoiled pictures are fitted anew for each amount, and asked about those
    pictures, as in the paper. All others are asked about pictures they have not seen spoiled.
    """

    def __init__(
        self, request: RunRequest, shape: tuple[int, int], kind: Kind, metric: Metric, how: How
    ) -> None:
        self.kind = kind
        self.as_paper = request.corruption_settings() is not None
        self.amounts = amounts(kind, shape, as_paper=self.as_paper)
        super().__init__(request, metric, how, 1 if self.as_paper else DRAWS, len(self.amounts))

    def points(self) -> list[tuple[int, float, float, int]]:
        """Return for each amount known: amount, mean share, standard deviation, number of shares."""
        found = zip(self.amounts, self.means(), strict=True)
        return [(amount, *known) for amount, known in found if known is not None]

    def _share(self, fits: Fits, split: int, draw: int, column: int) -> float | None:
        request, amount = self._of_split(split), self.amounts[column]
        if self.as_paper and not any(
            request.split.get(name) for name in ("held_out_per_class", "held_out_fraction")
        ):
            handle = fits(replace(request, corruption=settings(self.kind, amount)))
            return None if handle is None else _score(handle, self.metric)
        who = self._who(fits, split)
        if who is None:
            return None
        if not self.as_paper:
            rows = asked_about(who)
            return share_of(who, rows, self._spoiled(who.data.X[rows], who, amount, _SEED + draw), self)
        # The same draw for everybody: that of the runs that learn from these pictures.
        everything = self._spoiled(who.data.X, who, amount, request.seed)
        return share_of(who, who.test_rows, everything[who.test_rows], self)

    def _spoiled(self, faces: Any, who: Recogniser, amount: int, seed: int) -> Any:
        assert who.data.image_shape is not None
        return spoil(faces, who.data.image_shape, seed=seed, **settings(self.kind, amount))

    def _same(self, draw: int, column: int) -> tuple[int | slice, int]:
        # Where nothing is spoiled there is nothing to draw.
        return slice(None) if self.amounts[column] == 0 else draw, column


class Positions(Survey):
    """Columns are places of a patch of one size, on a grid over the image, row by row."""

    def __init__(
        self, request: RunRequest, shape: tuple[int, int], kind: Patch, size: int, metric: Metric, how: How
    ) -> None:
        self.kind, self.size = kind, size
        self.tops, self.lefts = (_grid(length - size) for length in shape)
        super().__init__(request, metric, how, 1, len(self.tops) * len(self.lefts))

    def _share(self, fits: Fits, split: int, draw: int, column: int) -> float | None:
        who = self._who(fits, split)
        if who is None:
            return None
        assert who.data.image_shape is not None
        rows = asked_about(who)
        seen: Any = who.data.X[rows]
        top, left = divmod(column, len(self.lefts))
        position = (self.tops[top], self.lefts[left])
        faces = spoil(seen, who.data.image_shape, kind=self.kind, size=self.size, position=position)
        return share_of(who, rows, faces, self)


def asked_about(who: Recogniser) -> Codes:
    """Return the rows a method is tested on, at most a few hundred, spread over all."""
    rows = who.test_rows
    if rows.size > _MOST_FACES:
        rows = rows[np.linspace(0, rows.size - 1, _MOST_FACES).astype(np.int64)]
    return rows


def share_of(who: Recogniser, rows: Codes, faces: Any, survey: Survey) -> float:
    """Return the share of spoiled faces, those of `rows`, that are recognised."""
    assert who.data.y is not None
    return float(np.mean(who.recognise(faces, survey.metric, survey.how).code == who.data.y[rows]))


def _score(handle: Handle, metric: Metric) -> float:
    if f"accuracy_{metric}" not in handle.scores:
        raise ValueError(handle.message or "This run recognised nobody.")
    return handle.scores[f"accuracy_{metric}"]


def _grid(room: int) -> list[int]:
    return sorted({round(place) for place in np.linspace(0, room, _PLACES)})
