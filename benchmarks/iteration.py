"""What one iteration costs against its two products with the data.

    python -m benchmarks.iteration [--threads 1]

WᵀX and XHᵀ cannot be avoided; everything else (Gram matrices, graphs, sweeps, element-wise work, the
objective) is overhead. ORL 64×64 with k=78, the sizes of the paper, and planted data of MNIST's width.
Products and iterations take turns, so that what else the machine does meets both alike.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import methods
from benchmarks.report import Row, save, show
from benchmarks.scale import planted
from experiments import RunRequest
from experiments.requests.prepare import prepare

_SECONDS, _ROUNDS = 0.25, 9


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=1, help="threads of the products")
    threads = parser.parse_args(argv).threads
    with threadpool_limits(threads):
        rows = [
            {"data": data, "method": method, "solver": solver} | measured(X, y, method, solver, k)
            for data, (X, y, k) in problems().items()
            for method in ("nmf", "n2s2l")
            for solver in ("multiplicative", "accelerated")
        ]
    show(f"One iteration against its two products (float32, {threads} thread(s))", rows)
    save("iteration", {"threads": threads, "rows": rows})


def problems() -> dict[str, tuple[Any, Any, int]]:
    """Return rows, labels and the number of parts."""
    orl = prepare(RunRequest("orl", "n2s2l"))
    X, y = planted(10_000, 784)
    # As noisy as digits: what parts explain to the fourth digit costs a third pass, to measure what is left.
    X += X.mean() * np.random.default_rng(0).random(X.shape, np.float32)
    return {"ORL 400×4096": (orl.X, orl.y_partial, 78), "MNIST 10000×784": (X, y, 49)}


def measured(X: Any, y: Any, method: str, solver: str, k: int) -> Row:
    """Return milliseconds of the products and of an iteration, the middle of some rounds, and their ratio."""
    W, H = np.ones((X.shape[0], k), X.dtype), np.ones((k, X.shape[1]), X.dtype)
    WtX, XHt = np.empty_like(H), np.empty_like(W)

    def products() -> None:
        np.matmul(W.T, X, out=WtX)
        np.matmul(X, H.T, out=XHt)

    steps = methods.create(
        method, n_components=k, solver=solver, max_iter=10**6, tol=0, random_state=0
    ).iterate(X, y)
    next(steps)
    next(steps)
    pairs = [(_milliseconds(products), _milliseconds(lambda: next(steps))) for _ in range(_ROUNDS)]
    steps.close()
    product, iteration = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(iteration / product for product, iteration in pairs)
    return {"products ms": product, "iteration ms": iteration, "ratio": ratio}


def _milliseconds(call: Callable[[], Any]) -> float:
    calls, begun = 0, process_time()
    while process_time() - begun < _SECONDS / 2:
        call()
        calls += 1
    return 1000 * (process_time() - begun) / calls


if __name__ == "__main__":
    main()
