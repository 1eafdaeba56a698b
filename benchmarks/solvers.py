"""How much sooner the accelerated solver gets where the multiplicative one goes, and who else gets there.

    python -m benchmarks.solvers

From one start (ORL 64×64, k=78, float32), the seconds each solver needs to reach the objective of the
multiplicative solver's 1000th iteration; a slider's move, α by 20 %; and non-negative features of new rows.
One thread, and seconds of the processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import numpy as np
from scipy.optimize import nnls
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

import datasets
import methods
from benchmarks.report import Row, save, show
from methods.nnls import least_squares

RANK, ITERATIONS = 78, 1000
Run = tuple[float, float, int]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    argparse.ArgumentParser(description=__doc__).parse_args(argv)
    with threadpool_limits(1):
        found = {
            "to the same objective": races(),
            "α raised by 20 %": [slider()],
            "non-negative features": [features()],
        }
    show(
        f"Seconds to the objective of {ITERATIONS} multiplicative iterations", found["to the same objective"]
    )
    show("N²S²L at 32×32, k=74, after α moves by 20 %: cold and warm start", found["α raised by 20 %"])
    show("Non-negative features of 400 faces", found["non-negative features"])
    save("solvers", found)


def faces(size: int = 64) -> tuple[Any, Any]:
    """Return ORL and labels of two pictures a person, -1 for the rest."""
    ds = datasets.load("orl", size=size)
    assert ds.y is not None
    rng = np.random.default_rng(0)
    known = np.concatenate([rng.permutation(np.flatnonzero(ds.y == c))[:2] for c in np.unique(ds.y)])
    return ds.X, np.where(np.isin(np.arange(len(ds.y)), known), ds.y, -1)


def races() -> list[Row]:
    """Return one row a method and solver: seconds, iterations, and how many times sooner."""
    X, y = faces()
    rows: list[Row] = []
    for name in ("nmf", "n2s2l"):
        target, slow = multiplicative(name, X, y)
        fast = min(accelerated(name, X, y, target) for _ in range(3))
        rows.append(row(name, "multiplicative", slow, slow, target))
        rows.append(row(name, "accelerated", fast, slow, target))
        if name == "nmf":
            rows.append(row(name, "scikit-learn cd", coordinate_descent(X, target), slow, target))
    return rows


def row(method: str, solver: str, run: Run, slow: Run, target: float) -> Row:
    """Return what a run needed, and how many times sooner it arrived than the multiplicative one."""
    seconds, reached, iterations = run
    assert reached <= target * (1 + 1e-6)
    times = {"seconds": seconds, "iterations": iterations, "times sooner": slow[0] / seconds}
    return {"method": method, "solver": solver, **times, "objective": reached}


def created(name: str, solver: str, **more: Any) -> Any:
    settings = {"n_components": RANK, "max_iter": None, "tol": 0.0, "random_state": 0} | more
    estimator = methods.spec(name).estimator(solver=solver, **settings)
    return estimator.set_params(max_iter=10**6 if settings["max_iter"] is None else settings["max_iter"])


def multiplicative(name: str, X: Any, y: Any) -> tuple[float, Run]:
    """Return the objective aimed at, and the run that set it."""
    solver = created(name, "multiplicative")._solver(X, y, None)
    solver.step()
    solver = created(name, "multiplicative")._solver(X, y, None)
    begun = process_time()
    for _ in range(ITERATIONS):
        solver.step()
    seconds = process_time() - begun
    reached = sum(solver.terms().values())
    return reached, (seconds, reached, ITERATIONS)


def accelerated(name: str, X: Any, y: Any, target: float) -> Run:
    """Return the run to the objective aimed at, steps and objectives counted."""
    created(name, "accelerated", max_iter=2).fit(X, y)
    solver = created(name, "accelerated")._solver(X, y, None)
    begun, iterations = process_time(), 0
    while sum(solver.terms().values()) > target:
        solver.step()
        iterations += 1
    return process_time() - begun, sum(solver.terms().values()), iterations


def coordinate_descent(X: Any, target: float) -> Run:
    """Return scikit-learn's run from the same start; how many iterations it needs is found beforehand."""
    start = created("nmf", "multiplicative")._solver(X, None, None).arrays()
    W, H = start["embedding"].copy(), start["components"].copy()

    def model(iterations: int) -> NMF:
        return NMF(RANK, init="custom", solver="cd", tol=0, max_iter=iterations)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        reached, iterations = np.inf, 0
        while reached > target:
            one = model(1)
            W = one.fit_transform(X, W=W.copy(), H=H.copy())
            H, iterations = one.components_, iterations + 1
            reached = float(one.reconstruction_err_**2)
        whole = model(iterations)
        begun = process_time()
        whole.fit_transform(X, W=start["embedding"].copy(), H=start["components"].copy())
        seconds = process_time() - begun
    return seconds, float(whole.reconstruction_err_**2), iterations


def slider() -> Row:
    """Return what a warm start saves when α moves: seconds to within 1 % of the cold start's objective."""
    X, y = faces(32)
    same = {"n_components": 74, "max_iter": 500, "tol": 1e-6}
    old = created("n2s2l", "accelerated", alpha=10.0, **same).fit(X, y)
    moved = created("n2s2l", "accelerated", alpha=12.0, **same)
    cold, curve = timed(lambda: moved.iterate(X, y))
    warm, curve_of_warm = timed(lambda: moved.iterate(X, y, warm_start=old))
    near = next(t for t, F in zip(warm, curve_of_warm, strict=True) if 1.01 * curve[-1] >= F)
    near_of_cold = next(t for t, F in zip(cold, curve, strict=True) if 1.01 * curve[-1] >= F)
    return {
        "first parts ms": 1000 * warm[1],
        "cold fit s": cold[-1],
        "cold to 1 % s": near_of_cold,
        "warm to 1 % s": near,
        "warm / cold fit": near / cold[-1],
        "warm / cold to 1 %": near / near_of_cold,
    }


def timed(begin: Callable[[], Any]) -> tuple[list[float], list[float]]:
    """Return the seconds since the call and the objective, at every step."""
    begun = process_time()
    times, curve = [], []
    for step in begin():
        times.append(process_time() - begun)
        curve.append(step.objective)
    return times, curve


def features() -> Row:
    """Return the seconds of the batched solver, and of SciPy's for as many single rows."""
    X, _ = faces()
    H = created("nmf", "accelerated", max_iter=60).fit(X).components_
    begun = process_time()
    batched = least_squares(H, X)
    ours, begun = process_time() - begun, process_time()
    single = np.array([nnls(H.T.astype(float), row.astype(float))[0] for row in X[:40]])
    theirs = (process_time() - begun) * len(X) / 40
    return {
        "batched s": ours,
        "SciPy, row by row s": theirs,
        "ratio": theirs / ours,
        "largest difference": float(np.abs(batched[:40] - single).max() / single.max()),
    }


if __name__ == "__main__":
    main()
