"""What a table that is left takes: trials known at the start, or those that follow from results so far."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol, Self

from experiments.trials.table import Results
from experiments.trials.trial import Chain, Trial, as_chain

Work = Sequence[Trial | Chain]


class Plan(Protocol):
    """A table as plain data, from which its work follows; equal plans have equal ids."""

    @property
    def id(self) -> str:
        """A short name for all that decides which trials it takes."""

    @property
    def datasets(self) -> AbstractSet[str]:
        """The ids of the data sets it is about."""

    @property
    def expected(self) -> int:
        """About how many trials it takes."""

    @property
    def minutes(self) -> float:
        """For how long work is begun for it when it is left to go on, 0: to its end."""

    def all_work(self, results: Results) -> Work:
        """Return all work that follows from the results, what is finished among it, in its order.

        It is called again when all of that has results; if nothing more follows then, the table is complete.
        The more results, the more work: what was returned before is always among it.
        """

    def to_json(self) -> str:
        """Return it as text, from which it is made again after a restart."""


@dataclass(frozen=True)
class FixedPlan:
    """A table all of whose trials are known at the start."""

    work: tuple[Trial | Chain, ...]
    minutes: ClassVar[float] = 0.0

    @cached_property
    def id(self) -> str:
        """A short name that follows from the trials."""
        return hashlib.sha256(" ".join(self._keys).encode()).hexdigest()[:32]

    @property
    def datasets(self) -> AbstractSet[str]:
        """The ids of the data sets it is about."""
        return {trial.request.dataset for chain in map(as_chain, self.work) for trial in chain.trials}

    @property
    def expected(self) -> int:
        """How many trials there are."""
        return len(self._keys)

    @cached_property
    def _keys(self) -> list[str]:
        return list(dict.fromkeys(key for piece in self.work for key in as_chain(piece).keys))

    def all_work(self, results: Results) -> Work:
        """Return all trials, whatever has come of them."""
        return self.work

    def to_json(self) -> str:
        """Return the trials as text."""
        return json.dumps([as_chain(piece).to_json() for piece in self.work])

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the plan that `to_json` was made from."""
        return cls(tuple(Chain.from_json(chain) for chain in json.loads(text)))
