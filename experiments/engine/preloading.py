"""Loading in advance what runs and jobs need, so that nobody waits for it."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from experiments.engine.run import Run
from experiments.requests.request import RunRequest
from methods import registry

log = logging.getLogger(__name__)


def load(modules: Sequence[str]) -> Iterator[None]:
    """Load, piece by piece, what runs and jobs need, so that workers forked afterwards have it."""
    registry.specs()
    yield
    for module in modules:
        importlib.import_module(module)
        yield
    # The first call of a compiled loop loads the compiler.
    steps = registry.create("nmf", n_components=1).iterate(np.ones((2, 2), np.float32))
    yield from islice((None for _ in steps), 2)


def warm_up(dataset: str, method: str) -> None:
    """Take the first steps of a run in advance, so that its modules and data are loaded."""
    run = Run(RunRequest(dataset, method), keep=lambda snapshot: None)
    run.advance()
    run.advance()
    if run.status == "failed":
        log.warning("%s", run.message)  # Runs on these data report it again.
    run.stop()
