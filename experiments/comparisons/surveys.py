"""Surveys: how many are still recognised, by how much their pictures are spoiled or where they are covered.

A survey is a table of shares: splits × random draws × columns. What the columns are makes the kind: amounts
of a corruption (`curve`), or places of a patch (`positions`). Each split and draw is a trial, in which all
columns are measured of one fit; only what learns from spoiled pictures is fitted anew for each amount.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import datasets
import methods
from experiments.fitted.recognisers import How, effective
from experiments.measures.recognition import Metric
from experiments.requests.corruption import Kind, Patch, is_noise, settings
from experiments.requests.request import RunRequest
from experiments.table_files import as_csv as written
from experiments.trials import MeasureRequest, Trial
from experiments.trials.table import Results

SPLITS, DRAWS = 5, 4
# As in the figure of the paper: sides of a patch on 64 pixels, and about as many steps of noise.
PAPER_SIZES, PAPER_LEVELS = (0, 16, 20, 24, 28), (0, 10, 20, 30, 40)
_STEPS = 12
# The largest patch covers this share of the side, and this is the most noise: hardly a face is left.
_LARGEST, _MOST_NOISE = 0.75, 60
_PLACES = 9
_SEED = 1000
Column = tuple[int, ...]


def amounts(kind: Kind, image_shape: tuple[int, int], *, as_paper: bool = False) -> tuple[int, ...]:
    """Return the amounts tried of a kind, from 0 to most of the image: sides in pixels, or percent.

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


@dataclass(frozen=True)
class SurveyCell:
    """Where in the table a share belongs, and the measure of which trial it is."""

    split: int
    draw: int
    column: int
    trial: Trial
    name: str


@dataclass(frozen=True)
class Survey:
    """A table of shares: `columns` are amounts, or places (top, left). Some shares hold for several draws."""

    heads: tuple[str, ...]
    columns: tuple[Column, ...]
    cells: tuple[SurveyCell, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many splits, draws and columns there are."""
        splits, draws = (1 + max(getattr(cell, what) for cell in self.cells) for what in ("split", "draw"))
        return splits, draws, len(self.columns)

    def in_turn(self) -> list[tuple[tuple[int, int], Trial]]:
        """Return every trial once with its turn: the first split of everything, draw by draw, comes first."""
        turns: dict[str, tuple[tuple[int, int], Trial]] = {}
        for cell in sorted(self.cells, key=lambda cell: (cell.split, cell.draw)):
            turns.setdefault(cell.trial.key, ((cell.split, cell.draw), cell.trial))
        return list(turns.values())

    def shares(self, results: Results) -> NDArray[np.float64]:
        """Return the shares recognised (splits × draws × columns), NaN where not yet known."""
        recognised = np.full(self.shape, np.nan)
        for cell in self.cells:
            if (result := results.get(cell.trial.key)) is not None:
                recognised[cell.split, cell.draw, cell.column] = result.scores.get(cell.name, np.nan)
        return recognised

    def message(self, results: Results) -> str:
        """Return the first problem that stops the survey, or an empty string."""
        result_names = ((results.get(cell.trial.key), cell.name) for cell in self.cells)
        return next(
            (
                problem
                for result, name in result_names
                if result is not None and (problem := result.problem(name))
            ),
            "",
        )

    def complete(self, results: Results) -> bool:
        """Return whether every share is known, or a problem stops the survey."""
        missing = any(cell.trial.key not in results for cell in self.cells)
        return not missing or bool(self.message(results))

    def means(self, results: Results) -> list[tuple[float, float, int] | None]:
        """Return mean, standard deviation and number of the shares in each column; None if it has none."""
        columns = self.shares(results).reshape(-1, len(self.columns)).T
        measured = [column[~np.isnan(column)] for column in columns]
        return [(float(k.mean()), float(k.std()), int(k.size)) if k.size else None for k in measured]

    def rows(self, results: Results) -> Iterator[list[object]]:
        """Yield every measured share: split, draw, column (an amount or a place), share."""
        shares = self.shares(results)
        for split, draw, column in np.argwhere(~np.isnan(shares)):
            place: Column = self.columns[column]
            yield [int(split), int(draw), *place, float(shares[split, draw, column])]


def curve(request: RunRequest, kind: Kind, metric: Metric = "euclidean", how: How = "ridge") -> Survey:
    """Return the survey of shares by amount of one kind of corruption.

    Methods that were fitted on spoiled pictures are fitted anew for each amount, and asked about those
    pictures, as in the paper. All others are asked about pictures they have not seen spoiled.
    """
    as_paper = request.corruption_settings() is not None
    steps = amounts(kind, _shape_of(request), as_paper=as_paper)
    how = effective(how, methods.spec(request.method))
    held_out = any(request.split.get(name) for name in ("held_out_per_class", "held_out_fraction"))
    if as_paper and not held_out:
        cells = _fitted_anew(request, kind, steps, metric)
    else:
        cells = _spoiled_test_cells(request, kind, steps, metric, how, as_paper=as_paper)
    return Survey(("amount",), tuple((amount,) for amount in steps), tuple(cells))


def positions(
    request: RunRequest, kind: Patch, size: int, metric: Metric = "euclidean", how: How = "ridge"
) -> Survey:
    """Return the survey of shares by place of a patch of one size, on a grid over the image, row by row."""
    shape = _shape_of(request)
    if not 0 <= size <= min(shape):
        raise ValueError(f"size must be from 0 to {min(shape)} here, not {size}")
    tops, lefts = (_grid(length - size) for length in shape)
    places = tuple((top, left) for top in tops for left in lefts)
    how = effective(how, methods.spec(request.method))
    settings = {"kind": kind, "amount": size, "metric": metric, "how": how}
    measure_requests = [
        MeasureRequest("spoiled_accuracy", settings | {"position": list(place)}) for place in places
    ]
    cells = [
        SurveyCell(split, 0, column, trial, measure.name)
        for split in range(_splits(request))
        for trial in [Trial(request.of_split(split), tuple(measure_requests))]
        for column, measure in enumerate(measure_requests)
    ]
    return Survey(("top", "left"), places, tuple(cells))


def as_csv(surveys: Mapping[str, Survey], results: Results) -> str:
    """Return every share of several surveys, by the titles of their methods."""
    heads = next(iter(surveys.values())).heads if surveys else ()
    rows = ([title, *row] for title, survey in surveys.items() for row in survey.rows(results))
    return written(["method", "split", "draw", *heads, "share"], rows)


def _fitted_anew(
    request: RunRequest, kind: Kind, steps: tuple[int, ...], metric: Metric
) -> Iterator[SurveyCell]:
    score = MeasureRequest("accuracy", {"asked": "seen", "metric": metric})
    for split in range(_splits(request)):
        for column, amount in enumerate(steps):
            spoiled = replace(request.of_split(split), corruption=settings(kind, amount))
            yield SurveyCell(split, 0, column, Trial(spoiled, (score,)), score.name)


def _spoiled_test_cells(
    request: RunRequest, kind: Kind, steps: tuple[int, ...], metric: Metric, how: How, *, as_paper: bool
) -> Iterator[SurveyCell]:
    draws = 1 if as_paper else DRAWS
    for split in range(_splits(request)):
        of_split = request.of_split(split)
        # The same draw for everybody: that of the runs that learn from these pictures.
        drawn = {"drawn": "everything"} if as_paper else {"drawn": "tested"}
        trials: dict[int, Trial] = {}
        names: dict[tuple[int, int], str] = {}
        for draw in range(draws):
            seed = of_split.seed if as_paper else _SEED + draw
            shared = {"kind": kind, "metric": metric, "how": how, "draw": seed} | drawn
            measure_requests = {
                column: MeasureRequest("spoiled_accuracy", shared | {"amount": amount})
                for column, amount in enumerate(steps)
                if draw == 0 or amount > 0  # Where nothing is spoiled there is nothing to draw.
            }
            trials[draw] = Trial(of_split, tuple(measure_requests.values()))
            names |= {(draw, column): measure.name for column, measure in measure_requests.items()}
        for draw in range(draws):
            for column in range(len(steps)):
                at = draw if (draw, column) in names else 0
                yield SurveyCell(split, draw, column, trials[at], names[at, column])


def _splits(request: RunRequest) -> int:
    # What a person has said of single rows holds for this split alone.
    return 1 if request.labels or request.pairs else SPLITS


def _shape_of(request: RunRequest) -> tuple[int, int]:
    ds = datasets.load(request.dataset, **request.dataset_options)
    if ds.image_shape is None:
        raise ValueError(f"{ds.title} does not hold images: nothing can be covered.")
    return ds.image_shape


def _grid(room: int) -> list[int]:
    return sorted({round(place) for place in np.linspace(0, room, _PLACES)})
