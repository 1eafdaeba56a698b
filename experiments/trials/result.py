"""What came of a trial."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self


@dataclass(frozen=True)
class Result:
    """Scores by the names of the measures, or sentences that say why there is none.

    `status` is that of the fit, `message` why it has not ended well. A result that is not `lasting` says
    something of the machine (no memory, no data), not of the trial: it is shown, and not kept. `keepsake` is
    on its way from a worker to the files of the store, if the trial asks for one; stored results have none.
    """

    scores: Mapping[str, float] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    status: str = "done"
    message: str = ""
    iterations: int = 0
    seconds: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    lasting: bool = True
    keepsake: str = ""

    def problem(self, name: str) -> str:
        """Return why a measure has no value; nothing if it has one."""
        return "" if name in self.scores else self.problems.get(name) or self.message

    def cells(self, names: Iterable[str]) -> list[Any]:
        """Return its cells of a table: scores by these names, then seconds, status and what went wrong."""
        names = list(names)
        why = next((problem for name in names if (problem := self.problem(name))), "")
        return [*(self.scores.get(name, "") for name in names), f"{self.seconds:.4f}", self.status, why]

    def at(self, where: str) -> Self:
        """Return the result with the machine it was worked out on."""
        return replace(self, where=where)

    def to_json(self) -> str:
        """Return the result as text, from which `from_json` makes it again."""
        return json.dumps(asdict(self), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the result that `to_json` was made from."""
        plain: dict[str, Any] = json.loads(text)
        return cls(**plain)


def lost(message: str) -> Result:
    """Return the result of a trial that could not be carried out: a message."""
    return Result(status="failed", message=message, lasting=False)
