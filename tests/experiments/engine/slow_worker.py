"""A worker with methods that take their time in Python, in compiled code, and again and again."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from experiments.engine.worker import main
from methods import registry

libc = ctypes.CDLL(None)


def looping(estimator: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Compute for ever."""
    while True:
        pass


def asleep(estimator: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Hold out in the C library."""
    libc.sleep(600)
    yield


def heavy(estimator: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Take longer than a slice for each step."""
    for step in super(type(estimator), estimator).iterate(*args, **kwargs):
        time.sleep(0.7)
        yield step


class _Dying:
    """Takes its time to die, and Python loses what interrupts it meanwhile."""

    def __del__(self) -> None:
        while True:
            pass


def deaf(estimator: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Compute for ever, and do not hear the first interruption."""
    _Dying()
    while True:
        pass


if __name__ == "__main__":
    for name, iterate in (("lnmf", looping), ("semi_nmf", asleep), ("poly_nmf", heavy), ("nge", deaf)):
        spec = registry.specs()[name]
        estimator = type("Slow", (spec.estimator,), {"iterate": iterate})
        estimator.spec = registry.specs()[name] = replace(spec, estimator=estimator)
    real = registry._load
    registry._load = lambda module: registry.specs().get(module.split(".")[-1]) or real(module)
    main()
