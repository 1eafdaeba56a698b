"""Who gets there first: our accelerated NMF and solvers of others, from one start, on data of six shapes.

    python -m benchmarks.peers [--data faces ...] [--seconds 3] [--seeds 2]

For each solver the seconds until its objective is within 10, 1 and 0.1 % of the best that any of them had,
as a multiple of ours: below 1 it was ahead of us. One thread, and seconds of the processor; what a solver
prepares counts, what measures it does not. Medians over starts; “–”: not within the time given.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.peers_data import DATA
from benchmarks.reference.accelerated_hals import AcceleratedHALS
from benchmarks.reference.hals import HALS
from benchmarks.reference.nenmf import NeNMF
from benchmarks.reference.randomised_hals import RandomisedHALS
from benchmarks.reference.titan import Titan
from benchmarks.report import Row, save, show
from methods.accelerated import AcceleratedSolver
from methods.data_matrix import DataMatrix
from methods.starts import scaled_random
from methods.typing import Array

Begin = Callable[[Any, Array, Array], Any]
SOLVERS: dict[str, Begin] = {
    "ours": lambda X, W, H: Ours(X, W, H),
    "HALS": HALS,
    "A-HALS": AcceleratedHALS,
    "TITAN": Titan,
    "randomised HALS": RandomisedHALS,
    "NeNMF": NeNMF,
}
LEVELS = (0.1, 0.01, 0.001)
Curve = tuple[list[float], list[float]]


class Ours:
    """Our own solver, seen as one of the others."""

    def __init__(self, X: Any, W: Array, H: Array) -> None:
        self._solver = AcceleratedSolver(DataMatrix(X), [H], W, unit_parts=True)

    def step(self) -> None:
        """Take a step."""
        self._solver.step()

    def objective(self) -> float:
        """Return ‖X − WH‖²."""
        return sum(self._solver.terms().values())


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", nargs="+", default=list(DATA), choices=list(DATA))
    parser.add_argument("--seconds", type=float, default=3.0, help="for each solver and start")
    parser.add_argument("--seeds", type=int, default=2)
    given = parser.parse_args(argv)
    rows: list[Row] = []
    with threadpool_limits(1):
        for name in given.data:
            rows += compared(name, given.seconds, given.seeds)
    show("Seconds of ours to within a share of the best objective, and times as long of the others", rows)
    save("peers", {"seconds": given.seconds, "seeds": given.seeds, "rows": rows})


def compared(name: str, seconds: float, seeds: int) -> list[Row]:
    """Return one row a level: our seconds, and how many times as long each of the others takes."""
    X, k = DATA[name]()
    reached: list[dict[str, list[float]]] = []
    for seed in range(seeds):
        H, W = scaled_random(DataMatrix(X), k, seed)
        for begin in SOLVERS.values():
            run(begin, X, W, H, 0.0)
        curves = {solver: run(begin, X, W, H, seconds) for solver, begin in SOLVERS.items()}
        best = min(curve[1][-1] for curve in curves.values())
        reached.append(
            {
                solver: [arrival(curve, best * (1 + level)) for level in LEVELS]
                for solver, curve in curves.items()
            }
        )
    return [
        row(name, X.shape, level, [{s: times[i] for s, times in one.items()} for one in reached])
        for i, level in enumerate(LEVELS)
    ]


def row(name: str, shape: tuple[int, int], level: float, starts: list[dict[str, float]]) -> Row:
    """Return the medians over starts of our seconds and of the others' multiples of them."""
    found: Row = {"data": f"{name} {shape[0]}×{shape[1]}", "within %": 100 * level}
    found["ours s"] = median(times["ours"] for times in starts)
    for solver in starts[0]:
        if solver != "ours":
            multiple = median(times[solver] / times["ours"] for times in starts)
            found[solver] = multiple if np.isfinite(multiple) else "–"
    return found


def run(begin: Begin, X: Any, W: Array, H: Array, seconds: float) -> Curve:
    """Return when each step was finished, and the objective then; at least two steps."""
    begun = process_time()
    solver = begin(X, W, H)
    spent, times, objectives = process_time() - begun, [], []
    while spent < seconds or len(times) < 2:
        begun = process_time()
        solver.step()
        spent += process_time() - begun
        times.append(spent)
        objectives.append(solver.objective())
    return times, list(np.minimum.accumulate(objectives))


def arrival(curve: Curve, target: float) -> float:
    """Return when the objective was first at the target, infinity if never."""
    return next((t for t, F in zip(*curve, strict=True) if target >= F), float("inf"))


if __name__ == "__main__":
    main()
