"""Runs to take away, made by the engine as the app makes them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from experiments import RunRequest
from experiments.engine.run import Run
from experiments.store import Content, RunEnding
from experiments.take_away import Parcel

Pack = Callable[..., Parcel]


@pytest.fixture(scope="session")
def pack() -> Pack:
    """Carries out a request, or a part of it, and packs up what it has found."""

    def packed(request: RunRequest, iterations: int | None = None, name: str = "") -> Parcel:
        run = Run(request)
        while run.advance():
            if iterations is not None and len(run.objective) > iterations:
                run.stop()
        record = run.record()
        curve = np.column_stack([record.objective, record.seconds, *record.terms.values()])
        snapshots = [(kept.iteration, kept.scores) for kept in record.snapshots]
        outcome = RunEnding(
            record.status, record.message, record.scores, snapshots, record.versions,
            {"reading": dict(record.reading), "files": record.files},
        )  # fmt: skip
        arrays = record.snapshots[-1].arrays if record.snapshots else {}
        return Parcel(request, Content(tuple(record.terms), curve, arrays, record.iterations), outcome, name)

    return packed
