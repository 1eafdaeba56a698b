"""Which trial stands where, and what their results come to: mean, spread, and whether a lead is luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.table_files import as_csv
from experiments.trials.result import Result
from experiments.trials.trial import Trial

Place = tuple[Any, ...]
Results = Mapping[str, Result]


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation of the known values, and their number."""

    mean: float
    deviation: float
    count: int


@dataclass(frozen=True)
class Table:
    """At each place (its coordinates along `axes`) one trial a split; every place has as many splits."""

    axes: tuple[str, ...]
    trials: Mapping[Place, tuple[Trial, ...]]

    @property
    def splits(self) -> int:
        """How many splits there are."""
        return max(map(len, self.trials.values()), default=0)

    def in_turn(self) -> list[Trial]:
        """Return every trial once: the first split of everything before the second of anything."""
        trials_by_key: dict[str, Trial] = {}
        for split in range(self.splits):
            for trials in self.trials.values():
                if split < len(trials):
                    trials_by_key.setdefault(trials[split].key, trials[split])
        return list(trials_by_key.values())

    def whole(self, results: Results) -> bool:
        """Return whether every trial has a result."""
        return all(trial.key in results for trials in self.trials.values() for trial in trials)

    def values(self, results: Results, place: Place, name: str) -> NDArray[np.float64]:
        """Return the scores of a measure at a place, split by split, NaN where there is none."""
        split_results = (results.get(trial.key) for trial in self.trials[place])
        return np.array(
            [np.nan if result is None else result.scores.get(name, np.nan) for result in split_results]
        )

    def spread(self, results: Results, place: Place, name: str) -> Spread | None:
        """Return mean and spread of a measure at a place, None as long as nothing is known."""
        values = self.values(results, place, name)
        measured = values[~np.isnan(values)]
        if not measured.size:
            return None
        deviation = float(measured.std(ddof=1)) if measured.size > 1 else 0.0
        return Spread(float(measured.mean()), deviation, int(measured.size))

    def problem(self, results: Results, place: Place, name: str) -> str:
        """Return why there is no value at a place, in some split; nothing if there is, or may still be."""
        split_results = (results.get(trial.key) for trial in self.trials[place])
        return next(
            (problem for result in split_results if result is not None and (problem := result.problem(name))),
            "",
        )

    def seconds(self, results: Results, place: Place) -> float:
        """Return the mean time of a trial at a place."""
        spent = [
            result.seconds for trial in self.trials[place] if (result := results.get(trial.key)) is not None
        ]
        return float(np.mean(spent)) if spent else 0.0

    def as_csv(
        self,
        results: Results,
        names: Mapping[str, str],
        describe: Callable[[Place], Iterable[Any]] = tuple,
    ) -> str:
        """Return every split of every place, a row each; `names` are the headings of measures by name."""
        heads = [*self.axes, "split", "seed", *names.values(), "seconds", "status", "message"]
        return as_csv(heads, self._rows(results, names, describe))

    def _rows(
        self, results: Results, names: Mapping[str, str], describe: Callable[[Place], Iterable[Any]]
    ) -> Iterator[list[Any]]:
        for place, trials in self.trials.items():
            for split, trial in enumerate(trials):
                if (result := results.get(trial.key)) is not None:
                    yield [*describe(place), split, trial.request.seed, *result.cells(names)]
