"""KL factorization: seconds to the objective that scikit-learn's multiplicative updates reach, in one run.

    python -m benchmarks divergence [--quick]

Both start from the same factors; ours is timed up to the first iteration that is no worse.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

import datasets
from benchmarks.report import save, show
from methods.data_matrix import DataMatrix
from methods.divergence import AcceleratedDivergence, Misfit
from methods.starts import scaled_random
from methods.typing import Array

LOSS, K = "kullback-leibler", 20
MOST = 400


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="50 iterations of theirs only")
    budgets = (50,) if parser.parse_args(argv).quick else (50, 200)
    # One thread, so that a busy machine changes both alike.
    with threadpool_limits(1):
        rows = [compared(name, X, budget) for name, X in matrices().items() for budget in budgets]
    show("Seconds to the same Kullback-Leibler divergence", rows)
    print(f"written to {save('divergence', rows)}")


def matrices() -> dict[str, Any]:
    """Return faces, digits and counts, dense and sparse."""
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.full(8000, 0.02), K)
    words = sparse.csr_array(
        np.vstack([rng.multinomial(80, mix @ topics) for mix in rng.dirichlet(np.full(K, 0.1), 3000)]),
        dtype=float,
    )
    given = {
        "ORL 32x32": datasets.load("orl", size=32).X.astype(float),
        "digits": datasets.load("digits").X.astype(float),
        "words, sparse": words,
    }
    return {name: X[:, np.ravel(X.sum(axis=0)) > 0] for name, X in given.items()}


def compared(name: str, X: Any, budget: int) -> dict[str, Any]:
    """Return the seconds that scikit-learn takes for its iterations, and ours to where they end."""
    H, W = scaled_random(DataMatrix(X), K, 0)
    misfit = Misfit(X, LOSS)
    begun = perf_counter()
    theirs = multiplicative(X, W, H, budget)
    seconds = perf_counter() - begun
    goal = misfit.value(*theirs)
    AcceleratedDivergence(Misfit(X[:80], LOSS), H, W[:80]).step()  # compiled before it is timed
    begun = perf_counter()
    solver, taken = AcceleratedDivergence(Misfit(X, LOSS), H, W), 0
    while solver.terms()["divergence"] > goal and taken < MOST:
        solver.step()
        taken += 1
    ours = perf_counter() - begun
    return {
        "data": f"{name} {X.shape[0]}x{X.shape[1]}",
        "their iterations": budget,
        "seconds": seconds,
        "our iterations": taken,
        "our seconds": ours,
        "times as fast": seconds / ours,
    }


def multiplicative(X: Any, W: Array, H: Array, iterations: int) -> tuple[Array, Array]:
    """Return the factors after some of scikit-learn's multiplicative updates."""
    model = NMF(K, init="custom", solver="mu", beta_loss=LOSS, max_iter=iterations, tol=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = model.fit_transform(X, W=W.copy(), H=H.copy())
    return found, model.components_


if __name__ == "__main__":
    main()
