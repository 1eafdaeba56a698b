"""Whether the memory a method says it needs (`SPEC.memory`) is what a fit takes.

    python -m benchmarks.memory [--methods nmf lnp ...]

Each method is fitted with its usual parameters, for two iterations, in a process of its own whose peak is
compared with the estimate: many rows, long rows, and rows that are nearly all labelled. The data have no
structure, which is the worst case for methods that make graphs. Prints tables, writes results/memory.json
beside this file, and fails if an estimate is below the peak: that lets a fit begin that the limit of its
process ends later.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import methods
from benchmarks import report
from methods import Facts, Spec

_CLASSES, _PARTS = 10, 20
_FEW = 150
_STATUS, FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
# What every fit takes beside its arrays: work space of BLAS, and what Python holds.
_SMALL = 10.0
TOO_LOW = "too low"


@dataclass(frozen=True)
class Problem:
    """The sizes of data to fit, and of one row as a picture."""

    samples: int
    labelled: int
    sides: tuple[int, int]
    # Which share of the entries is not zero, if the data are sparse.
    filled: float | None = None

    @property
    def features(self) -> int:
        """How long a row is."""
        return self.sides[0] * self.sides[1]

    def __str__(self) -> str:
        form = "" if self.filled is None else f", {self.filled:.0%} of their entries not zero"
        return f"{self.samples} samples of {self.features} features, {self.labelled} of them labelled{form}"


PROBLEMS = (Problem(2000, 100, (20, 30)), Problem(400, 100, (60, 50)), Problem(1000, 800, (20, 30)))
# For these methods estimates for sparse data were made as well: no array there is like the dense one.
SPARSE_PROBLEMS = (Problem(1500, 150, (100, 60), 0.01), Problem(3000, 100, (20, 30), 0.03))
SPARSE = ("dpca", "lnp", "pca", "sda", "smfa", "src")


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and compare; return 1 if an estimate is too low."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", nargs="*", default=None)
    given = parser.parse_args(argv)
    found: list[report.Row] = []
    for problem in PROBLEMS + SPARSE_PROBLEMS:
        names = SPARSE if problem.filled else methods.names()
        rows = [measured(methods.spec(name), problem) for name in names if name in (given.methods or names)]
        report.show(f"{problem}: memory in MB", rows)
        found += [{"problem": str(problem), **row} for row in rows]
    print(f"written to {report.save('memory', found)}")
    return int(any(row["note"] == TOO_LOW for row in found))


def measured(spec: Spec, problem: Problem) -> report.Row:
    """Return the estimate and the peak of one fit, carried out in a child."""
    params = {param.name: param.default for param in spec.params if param.default is not None}
    given: dict[str, Any] = {
        name: value for name, value in {"n_components": _PARTS, "max_iter": 2}.items() if name in params
    }
    if "sample_shape" in {param.name for param in spec.params}:
        given["sample_shape"] = problem.sides
    stored = None if problem.filled is None else int(problem.filled * problem.samples * problem.features)
    facts = Facts(
        problem.samples, problem.features, problem.labelled, _CLASSES, problem.sides, n_stored=stored
    )
    estimate = spec.memory(facts, params | given) / 1e6
    told = in_child(partial(_peak, spec, given, problem))
    if not told.replace(".", "").isdigit():
        return {"method": spec.id, "estimate": estimate, "peak": None, "note": told or "ended"}
    peak = float(told)
    return {
        "method": spec.id, "estimate": estimate, "peak": peak, "estimate / peak": estimate / max(peak, 1.0),
        "note": TOO_LOW if peak > max(estimate, _SMALL) else "",
    }  # fmt: skip


def in_child(work: Callable[[], str]) -> str:
    """Return what a function returns in a forked process of its own, or what went wrong there."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        try:
            told = work()
        except Exception as error:
            told = f"{type(error).__name__}: {error}"[:60]
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return told


def _peak(spec: Spec, given: dict[str, Any], problem: Problem) -> str:
    """Return how many megabytes a fit takes at most, its data included."""
    warnings.simplefilter("ignore")
    # What is loaded and compiled once is not the fit's.
    _fit(spec, given, replace(problem, samples=_FEW, labelled=_FEW // 2))
    FORGET.write_text("5")
    before = megabytes("VmRSS")
    _fit(spec, given, problem)
    return f"{megabytes('VmHWM') - before:.1f}"


def _fit(spec: Spec, given: dict[str, Any], problem: Problem) -> None:
    rng = np.random.default_rng(0)
    rows = np.arange(problem.samples)
    y = np.where(rows < problem.labelled, rows % _CLASSES, -1)
    X: Any = _data(problem, rng)
    if "views" in spec.needs:
        X = [X[:, : problem.features // 2], X[:, problem.features // 2 :]]
    for _ in methods.create(spec.id, **given).iterate(X, y):
        pass


def _data(problem: Problem, rng: np.random.Generator) -> Any:
    rows, size = np.arange(problem.samples), (problem.samples, problem.features)
    if problem.filled is not None:
        return sparse.random_array(size, density=problem.filled, format="csr", rng=rng)
    X = rng.random(size)
    X[rows, rows % _CLASSES] += 0.5
    return X


def megabytes(name: str) -> float:
    """Return a line of what the system knows of this process, such as VmHWM, the peak of its memory."""
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1e3


if __name__ == "__main__":
    sys.exit(main())
