"""How a measurement is told: a table on the screen and a file of JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.trials.text_table import aligned

RESULTS = Path(__file__).parent / "results"
Row = dict[str, Any]


def show(title: str, rows: Sequence[Row]) -> None:
    """Print rows as a table under a title."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]
    print("\n".join(["", title, *(f"  {line}" for line in aligned(cells, ruled=True))]))


def save(name: str, content: Any) -> Path:
    """Write what was measured, and on what machine, to `results/<name>.json`."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "system": platform.platform()}
    path.write_text(json.dumps({"machine": machine, "measured": content}, indent=1))
    return path


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)
