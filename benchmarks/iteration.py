"""What one multiplicative iteration of N²S²L costs, against its two products with the data.

    python -m benchmarks.iteration

WᵀX and XHᵀ cannot be avoided; everything else (Gram matrices, graphs, element-wise work, the
objective) is overhead. ORL 64×64, k=78, float32, the sizes of the paper.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import methods
from benchmarks.report import Row, save, show
from experiments import RunRequest
from experiments.requests.prepare import prepare

_RANK = 78
_ROUNDS = 5
_CALLS = 40


def main(argv: Sequence[str] | None = None) -> None:
    """Measure with one thread (as the app's workers run on two cores) and with all."""
    argparse.ArgumentParser(description=__doc__).parse_args(argv)
    rows = [measured(threads) for threads in (1, 2)]
    show("One multiplicative iteration of N²S²L against its two products (ORL 64×64, k=78, float32)", rows)
    save("iteration", rows)


def measured(threads: int) -> Row:
    """Return milliseconds of the products and of an iteration, taken in turns, and their ratio."""
    data = prepare(RunRequest("orl", "n2s2l"))
    X = data.X
    W = np.ones((X.shape[0], _RANK), X.dtype)
    H = np.ones((_RANK, X.shape[1]), X.dtype)
    WtX, XHt = np.empty_like(H), np.empty_like(W)

    def products() -> None:
        np.matmul(W.T, X, out=WtX)
        np.matmul(X, H.T, out=XHt)

    estimator = methods.create(
        "n2s2l", n_components=_RANK, n_discriminative=40, max_iter=10**6, tol=0, random_state=0
    )
    steps = estimator.iterate(X, data.y_partial)
    with threadpool_limits(threads):
        next(steps)
        pairs = [(_milliseconds(products), _milliseconds(lambda: next(steps))) for _ in range(_ROUNDS)]
    steps.close()
    product, iteration = (median(column) for column in zip(*pairs, strict=True))
    return {
        "threads": threads,
        "products ms": product,
        "iteration ms": iteration,
        "ratio": iteration / product,
    }


def _milliseconds(call: Callable[[], Any]) -> float:
    times = []
    for _ in range(_CALLS):
        begun = perf_counter()
        call()
        times.append(perf_counter() - begun)
    return 1000 * median(times)


if __name__ == "__main__":
    main()
