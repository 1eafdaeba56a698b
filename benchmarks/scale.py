"""Whether N²S²L and NMF stay linear: seconds an iteration against samples, and memory against the data.

    python -m benchmarks.scale [--samples 70000]

Planted data of 784 features in float32, k=49, ten labelled samples a class, near neighbours found by
scikit-learn. Each size runs in a process of its own, whose peak of memory is what the fit added to the data.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import methods
from benchmarks.report import Row, save, show

FEATURES, RANK, CLASSES, STEPS = 784, 49, 10, 5
MEGABYTE = 2**20


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=70_000, help="size of the largest problem")
    most = parser.parse_args(argv).samples
    rows = [in_own_process(name, most // part) for name in ("nmf", "n2s2l") for part in (8, 4, 2, 1)]
    show("One iteration on planted data (784 features, float32, k=49, one thread)", rows)
    fits = [
        exponent(rows, name, solver)
        for name in ("nmf", "n2s2l")
        for solver in ("multiplicative", "accelerated")
    ]
    show("Exponent of samples in the seconds of an iteration", fits)
    save("scale", {"sizes": rows, "exponents": fits})


def in_own_process(name: str, samples: int) -> Row:
    """Return what one size costs; memory of earlier sizes cannot hide its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (name, samples))


def measured(name: str, samples: int) -> Row:
    """Return the seconds of an iteration by either solver, and the peak of memory over the data."""
    warm_X, warm_y = planted(200)
    for solver in ("multiplicative", "accelerated"):
        fitted(name, solver, warm_X, warm_y)
    X, y = planted(samples)
    data, before = X.nbytes / MEGABYTE, peak()
    row: Row = {"method": name, "samples": samples, "data MB": data}
    for solver in ("multiplicative", "accelerated"):
        with threadpool_limits(1):
            row[f"{solver} s"] = fitted(name, solver, X, y)
    # The data themselves are one share of it.
    row["memory/data"] = 1 + (peak() - before) / data
    return row


def fitted(name: str, solver: str, X: Any, y: Any) -> float:
    """Return the seconds of the quickest of some iterations."""
    estimator = methods.create(name, n_components=RANK, solver=solver, random_state=0, tol=0.0)
    steps = estimator.set_params(max_iter=STEPS).iterate(X, y)
    next(steps)
    times = []
    begun = process_time()
    for _ in steps:
        times.append(process_time() - begun)
        begun = process_time()
    return min(times)


def planted(samples: int) -> tuple[Any, Any]:
    """Return rows made of sparse non-negative parts, in blocks so that making them needs little memory."""
    rng = np.random.default_rng(0)
    H = (rng.random((RANK, FEATURES)) * (rng.random((RANK, FEATURES)) < 0.1)).astype(np.float32)
    X = np.empty((samples, FEATURES), np.float32)
    truth = rng.integers(0, CLASSES, samples)
    for start in range(0, samples, 1000):
        rows = slice(start, min(start + 1000, samples))
        W = rng.random((rows.stop - rows.start, RANK), np.float32) ** 4
        W[np.arange(len(W)), truth[rows]] += 1
        np.matmul(W, H, out=X[rows])
        X[rows] += 0.01 * rng.random((len(W), FEATURES), np.float32)
    y = np.full(samples, -1)
    y[: 10 * CLASSES] = truth[: 10 * CLASSES]
    return X, y


def peak() -> float:
    """Return the most memory this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def exponent(rows: list[Row], name: str, solver: str) -> Row:
    """Return the slope of log seconds against log samples."""
    own = [row for row in rows if row["method"] == name]
    slope = np.polyfit(
        np.log([row["samples"] for row in own]), np.log([row[f"{solver} s"] for row in own]), 1
    )[0]
    return {"method": name, "solver": solver, "exponent": float(slope)}


if __name__ == "__main__":
    main()
