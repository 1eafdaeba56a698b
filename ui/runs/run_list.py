"""The list of runs: a table to look through, pick from and compare; cards where it is narrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from experiments.store import StoredRun
from experiments.table_files import TableFile
from ui import run_words, state
from ui.assets import component
from ui.palette import colour

_VIEW = component("run_list", "runs")
_KEY = "run_list"
MOST_PICKED = 6
# What a table to take along has beside the id, by heading.
_COLUMNS = {name: name for name in ("name", "method", "data", "facts")} | {
    "parameters": "params", "ended": "words", "recognised": "accuracy",
    "objective": "objective", "iterations": "iterations", "seconds": "seconds",
}  # fmt: skip


def run_list(runs: Sequence[StoredRun], picked: Sequence[str], on_pick: Callable[[], None]) -> None:
    """Show runs, those picked marked; `on_pick` is called when somebody picks, see `just_picked`."""
    data: dict[str, Any] = {"rows": [_row(run) for run in runs], "picked": list(picked), "most": MOST_PICKED}
    _VIEW(key=_KEY, data=data, on_picked_change=on_pick)


def as_table(runs: Sequence[StoredRun]) -> TableFile:
    """Return runs as a table to take along."""
    rows = []
    for run in runs:
        row = _row(run)
        rows.append([run.id, *("" if row[column] is None else row[column] for column in _COLUMNS.values())])
    return TableFile("Runs", ["run", *_COLUMNS], rows)


def just_picked() -> list[str]:
    """Return the runs that have just been picked in the list."""
    picked = state.component_value(_KEY, "picked")
    ids = picked if isinstance(picked, list) else []
    return [id for id in ids if isinstance(id, str)][:MOST_PICKED]


def _row(run: StoredRun) -> dict[str, Any]:
    return {
        "id": run.id,
        "name": run.name,
        "method": run_words.method_title(run.request.method),
        "colour": {look: colour(run.request.method, look) for look in ("light", "dark")},
        "tags": list(run.tags),
        "shared": run.shared and run.mine,
        "data": run_words.data_title(run.request.dataset),
        "facts": run_words.data_facts(run),
        "params": run_words.params(run),
        "status": run.status,
        "words": run_words.ended(run),
        "accuracy": run.accuracy,
        "objective": run.objective,
        "seconds": run.seconds,
        "iterations": run.iterations,
        "when": run.created_at,
    }
