"""Which trial stands where, and what their results come to: mean, spread, and whether a lead is luck."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.measures.significance import Difference, against_leader
from experiments.trials.result import Result
from experiments.trials.trial import Trial

Place = tuple[Any, ...]
Results = Mapping[str, Result]


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation of what is known, and over how many splits."""

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
        found: dict[str, Trial] = {}
        for split in range(self.splits):
            for trials in self.trials.values():
                if split < len(trials):
                    found.setdefault(trials[split].key, trials[split])
        return list(found.values())

    def whole(self, results: Results) -> bool:
        """Return whether everything is known."""
        return all(trial.key in results for trials in self.trials.values() for trial in trials)

    def values(self, results: Results, place: Place, name: str) -> NDArray[np.float64]:
        """Return the scores of a measure at a place, split by split, NaN where there is none."""
        known = (results.get(trial.key) for trial in self.trials[place])
        return np.array([np.nan if one is None else one.scores.get(name, np.nan) for one in known])

    def spread(self, results: Results, place: Place, name: str) -> Spread | None:
        """Return mean and spread of a measure at a place, None as long as nothing is known."""
        values = self.values(results, place, name)
        there = values[~np.isnan(values)]
        if not there.size:
            return None
        deviation = float(there.std(ddof=1)) if there.size > 1 else 0.0
        return Spread(float(there.mean()), deviation, int(there.size))

    def problem(self, results: Results, place: Place, name: str) -> str:
        """Return why there is no value at a place, in some split; nothing if there is, or may still be."""
        known = (results.get(trial.key) for trial in self.trials[place])
        return next((said for one in known if one is not None and (said := one.problem(name))), "")

    def seconds(self, results: Results, place: Place) -> float:
        """Return the mean time of a trial at a place."""
        spent = [one.seconds for trial in self.trials[place] if (one := results.get(trial.key)) is not None]
        return float(np.mean(spent)) if spent else 0.0

    def against_best(
        self, results: Results, places: Sequence[Place], name: str, test_to_train: float
    ) -> tuple[Place, dict[Place, Difference]]:
        """Return the place with the best mean and how far it is ahead of each other, p-values corrected."""
        names = {str(number): place for number, place in enumerate(places)}
        shares = {number: list(self.values(results, place, name)) for number, place in names.items()}
        leader, found = against_leader(shares, test_to_train)
        return names.get(leader, ()), {names[number]: difference for number, difference in found.items()}

    def as_csv(
        self,
        results: Results,
        names: Mapping[str, str],
        said: Callable[[Place], Iterable[Any]] = tuple,
    ) -> str:
        """Return every split of every place, a row each; `names` are the headings of measures by name."""
        file = io.StringIO()
        write = csv.writer(file, lineterminator="\n").writerow
        write([*self.axes, "split", "seed", *names.values(), "seconds", "status", "message"])
        for place, trials in self.trials.items():
            for split, trial in enumerate(trials):
                one = results.get(trial.key)
                if one is None:
                    continue
                scores = [one.scores.get(name, "") for name in names]
                why = next((problem for name in names if (problem := one.problem(name))), "")
                row = [
                    *said(place),
                    split,
                    trial.request.seed,
                    *scores,
                    f"{one.seconds:.4f}",
                    one.status,
                    why,
                ]
                write([_harmless(entry) for entry in row])
        return file.getvalue()


def _harmless(entry: Any) -> Any:
    # A spreadsheet takes what begins like this for a formula.
    return f"'{entry}" if isinstance(entry, str) and entry[:1] in ("=", "+", "-", "@") else entry
