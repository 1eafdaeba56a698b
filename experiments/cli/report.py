"""A finished run in words and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from experiments.engine.record import RunRecord

_SCORES = {
    "accuracy": ("accuracy_euclidean", "accuracy_cosine"),
    "held out": ("held_out_euclidean", "held_out_cosine"),
    "sparsity": ("hoyer", "zeros"),
}


def as_text(record: RunRecord) -> str:
    """Return the outcome of a run, a line each."""
    lines: list[tuple[str, str]] = [("status", record.status)]
    if record.message:
        lines.append(("", record.message))
    lines += [("iterations", str(record.iterations)), ("seconds", f"{_last(record.seconds):.3f}")]
    if record.objective.size:
        lines.append(("objective", f"{_last(record.objective):.6g} (at the start {record.objective[0]:.6g})"))
    lines += [(f"  {name}", f"{_last(values):.6g}") for name, values in record.terms.items()]
    for title, names in _SCORES.items():
        recorded = [name for name in names if name in record.scores]
        if recorded:
            scores = (f"{name.rpartition('_')[2]} {record.scores[name]:.4f}" for name in recorded)
            lines.append((title, ", ".join(scores)))
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name.ljust(width)}  {text}" for name, text in lines)


def _last(values: Any) -> float:
    return float(values[-1]) if len(values) else 0.0


def as_json(record: RunRecord) -> str:
    """Return a run without its arrays as JSON text."""
    return json.dumps(as_plain(record), indent=2, allow_nan=False) + "\n"


def as_plain(record: RunRecord) -> dict[str, Any]:
    """Return a run without its arrays: all it takes to repeat it, and curves, scores, versions."""
    return {
        "key": record.request.key,
        "request": json.loads(record.request.canonical()),
        "status": record.status,
        "message": record.message,
        "iterations": record.iterations,
        "seconds": _numbers(record.seconds),
        "objective": _numbers(record.objective),
        "terms": {name: _numbers(values) for name, values in record.terms.items()},
        "scores": dict(record.scores),
        "versions": dict(record.versions),
        "files": [{"name": name, "sha256": digest} for name, digest in record.files],
        "reading": dict(record.reading),
        "rows": {name: index.tolist() for name, index in record.rows.items()},
    }


def _numbers(values: Iterable[float]) -> list[float | None]:
    # JSON has no infinity: where a run diverged there is null.
    return [float(value) if math.isfinite(value) else None for value in values]
