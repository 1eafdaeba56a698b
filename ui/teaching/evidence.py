"""What a visitor really did since a step of a lesson was opened: choices made, runs carried out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from experiments.engine.handle import Handle
from ui import state
from ui.watching import watched

if TYPE_CHECKING:
    from experiments.tuning import SweepTable

# Choices that name runs, by page.
_RUNS = ("run", "_views.run", "race.runs", "_bases.shown")


@dataclass(frozen=True)
class Evidence:
    """What has been chosen since the step was opened (`trace`: every value of every choice, in order)."""

    trace: dict[str, list[Any]]
    find_run: Callable[[str | None], Handle | None] = watched

    def value(self, name: str, default: Any = None) -> Any:
        """Return what is chosen now."""
        return self.trace[name][-1] if self.trace.get(name) else state.get(name, default)

    def tried(self, name: str) -> set[Any]:
        """Return every value a choice had since the step was opened."""
        return {tuple(value) if isinstance(value, list) else value for value in self.trace.get(name, [])}

    def runs(self, method: str | None = None, **params: Any) -> list[Handle]:
        """Return the runs that were begun since, of a method with these parameters."""
        ids = [
            id
            for name in _RUNS
            for value in self.trace.get(name, [])
            if value
            for id in str(value).split(",")
        ]
        handles = [self.find_run(id) for id in dict.fromkeys(ids)]
        return [
            handle
            for handle in handles
            if handle is not None
            and method in (None, handle.request.method)
            and all(handle.request.every_param().get(name) == value for name, value in params.items())
        ]

    def ended(self, method: str | None = None, **params: Any) -> list[Handle]:
        """Return those of the runs that have come to their end by themselves."""
        over = ("done", "max_iter", "diverged")
        return [handle for handle in self.runs(method, **params) if handle.status in over]

    def tables(self) -> list[SweepTable]:
        """Return what has come so far of the sweeps that were started since."""
        from ui.tune.sweeps import table_now  # With all of Tune: not before a lesson asks for it.

        tables = [table_now(str(key)) for key in self.trace.get("_tune.running", []) if key]
        return [table for table in tables if table is not None]

    def looked_at(self) -> tuple[int, dict[str, set[int]]]:
        """Return which sample is rebuilt on Bases, and which parts are off by method."""
        _, sample, _, *methods = [*str(self.value("bases.look", "") or "").split("~"), "", ""]
        off = (entry.split(".") for entry in methods if entry)
        return int(sample) if sample.isdecimal() else 0, {
            method: {int(number) for number in numbers} for method, *numbers in off
        }

    def missing(self, method: str) -> float:
        """Return how much of the sample on Bases is missing without the parts of a method that are off."""
        from ui.bases.answers import displayed_parts  # Not before a lesson asks for it.

        sample, off = self.looked_at()
        handles = self.runs(method)
        parts = displayed_parts(handles[-1], None) if handles else None
        return 0.0 if parts is None else parts.rebuilt(sample, off.get(method, set())).left_error
