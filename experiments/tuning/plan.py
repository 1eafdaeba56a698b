"""A sweep that is left to go on by itself: as text, and what comes next given the results so far."""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from experiments.trials.plan import Work
from experiments.trials.table import Results
from experiments.tuning.sweep import Sweep
from experiments.tuning.work import all_work_of, expected, trials_of

KIND = "sweep"


@dataclass(frozen=True)
class SweepPlan:
    """What a sweep takes when nobody looks: all but its quick looks, which are for whoever waits.

    Nothing more is begun for it after so many `minutes`; with 0 there is no such end.
    """

    sweep: Sweep
    minutes: float = 0.0

    @property
    def id(self) -> str:
        """A short name for all that decides which trials it takes."""
        return self.sweep.key

    @property
    def datasets(self) -> AbstractSet[str]:
        """The id of its data set."""
        return {self.sweep.dataset}

    @cached_property
    def expected(self) -> int:
        """About how many fits it takes."""
        return expected(self.sweep)

    def all_work(self, results: Results) -> Work:
        """Return all work that follows from the results, what is finished among it, in its order."""
        if self.sweep.warm:
            return all_work_of(self.sweep, results)
        return trials_of(self.sweep, results).in_turn()

    def to_json(self) -> str:
        """Return it as text."""
        text = {"kind": KIND, "sweep": self.sweep.plain(), "minutes": self.minutes}
        return json.dumps(text, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the plan that `to_json` was made from."""
        plain = json.loads(text)
        return cls(Sweep.from_plain(plain["sweep"]), float(plain.get("minutes", 0.0)))
