"""How much faster the ℓ1 graph is made in one go than by one HiGHS linear program a sample.

The rival is the faster of the primal and the dual form, timed on a random few samples and multiplied up.
Both sides run in this process, one after the other, with the same number of BLAS threads: the ratio is
what counts, the seconds depend on the machine and on what else it is doing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.optimize import linprog
from threadpoolctl import threadpool_limits

import datasets
from benchmarks import report
from methods.l1_graph import forget, l1_solution

GAP = 1e-2
TARGETS = {"faces": 30, "digits": 6}


def faces() -> Any:
    """Return 400 faces of 32×32 pixels."""
    return datasets.load("orl", size=32).X


def digits() -> Any:
    """Return 1 200 digits of 8×8 pixels."""
    X = datasets.load("digits").X
    return X[np.random.default_rng(0).permutation(X.shape[0])[:1200]]


CASES: dict[str, Callable[[], Any]] = {"faces": faces, "digits": digits}


def primal(X: Any, i: int) -> float:
    """Solve min ‖a‖₁ + ‖e‖₁ with x_i = Xa + e, every variable split into two halves."""
    others = np.delete(X, i, axis=0).T
    eye = np.eye(X.shape[1])
    columns = np.hstack([others, -others, eye, -eye])
    return _value(linprog(np.ones(columns.shape[1]), A_eq=columns, b_eq=X[i], method="highs"))


def dual(X: Any, i: int) -> float:
    """Solve max x_iᵀν with ‖ν‖_∞ ≤ 1 and |x_jᵀν| ≤ 1."""
    others = np.delete(X, i, axis=0)
    sides, limits = np.vstack([others, -others]), np.ones(2 * others.shape[0])
    return -_value(linprog(-X[i], A_ub=sides, b_ub=limits, bounds=(-1, 1), method="highs"))


def _value(result: Any) -> float:
    if result.status != 0:
        raise RuntimeError(f"HiGHS could not solve the program: {result.message}")
    return float(result.fun)


def measure(name: str, programs: int, repeats: int, seed: int) -> dict[str, Any]:
    """Time both ways on one data set, and compare their objectives."""
    X = CASES[name]().astype(np.float64)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    forget()
    found = l1_solution(X, GAP)
    graph = float(np.median([timed(X) for _ in range(repeats)]))
    chosen = np.random.default_rng(seed).permutation(X.shape[0])[:programs]
    seconds: dict[str, list[float]] = {"primal": [], "dual": []}
    worst = 0.0
    for i in chosen:
        for form, solve in (("primal", primal), ("dual", dual)):
            started = time.perf_counter()
            best = solve(X, i)
            seconds[form].append(time.perf_counter() - started)
        worst = max(worst, float(found.objective[i] / best - 1))
    each = {form: float(np.mean(times)) for form, times in seconds.items()}
    return {
        "data": name,
        "samples": X.shape[0],
        "features": X.shape[1],
        "graph s": graph,
        "primal s each": each["primal"],
        "dual s each": each["dual"],
        "programs": int(chosen.size),
        "times faster": min(each.values()) * X.shape[0] / graph,
        "target": TARGETS[name],
        "certified gap": float(found.gap.max()),
        "excess over programs": worst,
        "entries a row": found.codes.nnz / X.shape[0],
    }


def timed(X: Any) -> float:
    """Return the seconds one graph takes when nothing is remembered."""
    forget()
    started = time.perf_counter()
    l1_solution(X, GAP)
    return time.perf_counter() - started


def main(argv: Sequence[str] | None = None) -> int:
    """Print a table of ratios and write it as JSON; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.l1_graph", description=__doc__)
    parser.add_argument("--programs", type=int, default=30, help="linear programs timed a data set")
    parser.add_argument("--repeats", type=int, default=3, help="times the graph is made, the median counts")
    parser.add_argument("--threads", type=int, default=1, help="BLAS threads, for both sides")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    with threadpool_limits(options.threads):
        rows = [measure(name, options.programs, options.repeats, options.seed) for name in CASES]
    report.show(f"ℓ1 graph against one HiGHS program a sample, {options.threads} BLAS thread(s)", rows)
    print(f"written to {report.save('l1_graph', {'threads': options.threads, 'rows': rows})}")
    return 0 if all(row["times faster"] >= row["target"] for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
