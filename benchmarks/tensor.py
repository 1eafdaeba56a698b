"""Tensor methods: 3D-NDTF against its own published form, NTF against TensorLy, NGE against 2D-NDTF.

    python -m benchmarks.tensor

The last is Table 1 and Figure 1 of the NDTF paper, with half of ORL at 64×64. One thread, and seconds of the
processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import datasets
import methods
from benchmarks.report import Row, save, show
from methods.graphs import laplacian

RANK, ALPHA, SHAPE = 190, 100.0, (64, 64)
SHOWN = (0, 1, 2, 5, 10, 20, 50, 100, 200)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    argparse.ArgumentParser(description=__doc__).parse_args(argv)
    with threadpool_limits(1):
        ours, theirs = own_form(), against_tensorly()
        cost, curves = embedding()
    show("3D-NDTF: seconds to the objective of 500 multiplicative iterations (k=190)", ours)
    show("NTF: seconds to the error of TensorLy's non_negative_parafac_hals (k=100)", theirs)
    show("Table 1: an iteration of NGE and of 2D-NDTF from the same start (k=190, α=100)", cost)
    show("Figure 1: objective against iteration", curves)
    save("tensor", {"3D-NDTF": ours, "NTF": theirs, "Table 1": cost, "Figure 1": curves})


def half() -> tuple[Any, Any]:
    """Return five pictures of each person and who they are."""
    ds = datasets.load("orl", size=64)
    assert ds.y is not None
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.permutation(np.flatnonzero(ds.y == c))[:5] for c in np.unique(ds.y)])
    return ds.X[np.sort(rows)], ds.y[np.sort(rows)]


def solver_of(name: str, X: Any, y: Any = None, **params: Any) -> Any:
    """Return a solver at the start; everything has been compiled before."""
    estimator = methods.create(name, random_state=0, tol=0.0, **params)
    estimator.set_params(max_iter=2).fit(X, y)
    return estimator._solver(X, y, None)


def walk(solver: Any, steps: int) -> tuple[float, list[float]]:
    """Return the seconds of some steps, and the objective before and after each."""
    curve, seconds = [sum(solver.terms().values())], 0.0
    for _ in range(steps):
        begun = process_time()
        solver.step()
        seconds += process_time() - begun
        curve.append(sum(solver.terms().values()))
    return seconds, curve


def reach(solver: Any, target: float, most: int = 5000) -> tuple[float, int]:
    """Return the seconds and steps until the objective is at the target."""
    begun, steps = process_time(), 0
    while sum(solver.terms().values()) > target and steps < most:
        solver.step()
        steps += 1
    assert sum(solver.terms().values()) <= target
    return process_time() - begun, steps


def own_form() -> list[Row]:
    """Return how much sooner the accelerated solver of 3D-NDTF arrives."""
    X, y = half()
    rows = []
    for alpha in (10.0, ALPHA):
        given = {"n_components": RANK, "alpha": alpha}
        slow, curve = walk(solver_of("ndtf_3d", X, y, **given), 500)
        fast, steps = reach(solver_of("ndtf_3d", X, y, solver="accelerated", **given), curve[-1])
        rows.append(
            {
                "α": alpha,
                "multiplicative s": slow,
                "accelerated s": fast,
                "iterations": steps,
                "times sooner": slow / fast,
            }
        )
    return rows


def against_tensorly(rank: int = 100) -> list[Row]:
    """Return our seconds to the error at which TensorLy arrives after some iterations from the same start."""
    try:
        import tensorly
        from tensorly.decomposition import non_negative_parafac_hals
    except ImportError:
        print("NTF against TensorLy is left out: it needs `pip install tensorly`.")
        return []
    X, _ = half()
    A = tensorly.tensor(X.reshape(-1, *SHAPE))
    rows = []
    for iterations in (10, 30, 100):
        ours = solver_of("ntf", X, n_components=rank, solver="accelerated")
        start = ours.arrays()
        factors = [np.array(f, order="C") for f in (start["embedding"], *start["factors"])]
        begun = process_time()
        found = non_negative_parafac_hals(
            A, rank, n_iter_max=iterations, init=tensorly.cp_tensor.CPTensor((None, factors)), tol=0
        )
        theirs = process_time() - begun
        error = float(((tensorly.cp_to_tensor(found).astype(float) - A) ** 2).sum())
        seconds, steps = reach(ours, error)
        rows.append(
            {
                "TensorLy iterations": iterations,
                "squared error": error,
                "TensorLy s": theirs,
                "ours s": seconds,
                "our iterations": steps,
                "times sooner": theirs / seconds,
            }
        )
    return rows


def embedding() -> tuple[list[Row], list[Row]]:
    """Return seconds an iteration, and the objective against the iteration."""
    X, y = half()
    given = {"n_components": RANK, "alpha": ALPHA}
    solvers = {name: solver_of(name, X, y, **given) for name in ("ndtf_2d", "nge")}
    inverses = seconds_of_inverses(solvers["nge"])
    runs = {name: walk(solver, SHOWN[-1]) for name, solver in solvers.items()}
    least = runs["ndtf_2d"][0] / SHOWN[-1]
    nge = runs["nge"][0] / SHOWN[-1]
    cost: list[Row] = [
        {"method": "2D-NDTF", "seconds an iteration": least, "ratio": 1.0, "ratio in the paper": 1.0},
        {"method": "NGE, eliminating", "seconds an iteration": nge, "ratio": nge / least},
        {
            "method": "NGE, k inverses",
            "seconds an iteration": nge + inverses,
            "ratio": (nge + inverses) / least,
            "ratio in the paper": 16.90 / 0.35,
        },
    ]
    curves = [{"iteration": i, **{name: run[1][i] for name, run in runs.items()}} for i in SHOWN]
    return cost, curves


def seconds_of_inverses(solver: Any) -> float:
    """Return the seconds of one matrix inverse a part, as NGE was published."""
    W, slope = solver.W.astype(float), (solver.W @ solver._gram_H).astype(float)
    begun = process_time()
    for graph in solver.graphs:
        L = graph.weight * laplacian(graph.affinity).toarray()
        for j in range(W.shape[1])[graph.columns]:
            np.linalg.inv(np.diag(slope[:, j] / W[:, j]) + L) @ solver._scores[:, j]
    return process_time() - begun


if __name__ == "__main__":
    main()
