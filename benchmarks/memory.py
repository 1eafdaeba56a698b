"""Whether the memory a method says it needs (`SPEC.memory`) is what a fit takes.

    python -m benchmarks.memory [--samples 3000] [--features 600] [--methods nmf lnp ...]

Each method is fitted with its usual parameters, for two iterations, in a process of its own whose peak is
compared with the estimate. The data have no structure, which is the worst case for methods that make graphs.
Prints a table and writes results/memory.json beside this file. An estimate that is too low lets a fit begin
that the limit of its process ends later.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import methods
from benchmarks import report
from methods import Facts, Spec

_CLASSES, _LABELLED, _PARTS = 10, 100, 20
_SIDES = (20, 30)
_FEW = 150
_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_MARGIN, _SMALL = 1.1, 40.0


def main(argv: Sequence[str] | None = None) -> None:
    """Fit and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=3000)
    parser.add_argument("--features", type=int, default=_SIDES[0] * _SIDES[1])
    parser.add_argument("--methods", nargs="*", default=None)
    given = parser.parse_args(argv)
    rows = [
        measured(methods.spec(name), given.samples, given.features)
        for name in given.methods or methods.names()
    ]
    report.show(f"{given.samples} samples of {given.features} features: memory in MB", rows)
    print(f"written to {report.save('memory', rows)}")


def measured(spec: Spec, samples: int, features: int) -> report.Row:
    """Return the estimate and the peak of one fit, carried out in a child."""
    params = {param.name: param.default for param in spec.params if param.default is not None}
    given: dict[str, Any] = {
        name: value for name, value in {"n_components": _PARTS, "max_iter": 2}.items() if name in params
    }
    if "sample_shape" in {param.name for param in spec.params}:
        given["sample_shape"] = _SIDES
    shape = _SIDES if features == _SIDES[0] * _SIDES[1] else None
    facts = Facts(samples, features, _LABELLED, _CLASSES, shape)
    estimate = spec.memory(facts, params | given) / 1e6
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        os.write(writing, _in_child(spec, given, samples, features).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    os.waitpid(child, 0)
    if not told.replace(".", "").isdigit():
        return {"method": spec.id, "estimate": estimate, "peak": None, "note": told or "ended"}
    peak = float(told)
    low = peak > max(_MARGIN * estimate, _SMALL)
    return {
        "method": spec.id, "estimate": estimate, "peak": peak, "estimate / peak": estimate / max(peak, 1.0),
        "note": "too low" if low else "",
    }  # fmt: skip


def _in_child(spec: Spec, given: dict[str, Any], samples: int, features: int) -> str:
    """Return how many megabytes a fit takes at most, its data included; or what it said."""
    warnings.simplefilter("ignore")
    try:
        _fit(spec, given, _FEW, features)  # What is loaded and compiled once is not the fit's.
        _FORGET.write_text("5")
        before = _megabytes("VmRSS")
        _fit(spec, given, samples, features)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:60]
    return f"{_megabytes('VmHWM') - before:.1f}"


def _fit(spec: Spec, given: dict[str, Any], samples: int, features: int) -> None:
    rng = np.random.default_rng(0)
    y = np.full(samples, -1)
    y[:_LABELLED] = np.arange(_LABELLED) % _CLASSES
    X: Any = rng.random((samples, features))
    X += 0.5 * np.eye(_CLASSES, features)[np.arange(samples) % _CLASSES]
    if "views" in spec.needs:
        X = [X[:, : features // 2], X[:, features // 2 :]]
    for _ in methods.create(spec.id, **given).iterate(X, y):
        pass


def _megabytes(name: str) -> float:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1e3


if __name__ == "__main__":
    main()
