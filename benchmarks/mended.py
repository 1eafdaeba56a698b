"""What the data once said against our methods, before and after it was mended: each point with its figure.

    python -m benchmarks.mended [--splits 3]

Before is what the same fit gives with the mended piece put back as it was; after is what it gives by default.
What moves N²S²L is measured by `benchmarks.n2s2l_lead`, the ℓ1 graph by `benchmarks.l1_graph`.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Sequence
from typing import Any
from unittest import mock

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

import datasets
import experiments
import methods
from benchmarks.report import Row, save, show
from benchmarks.sulf_order import TEXTS, some_texts
from experiments.measures.clustering import clustering_accuracy, k_means
from experiments.measures.recognition import accuracy, nearest_neighbour
from methods import data_matrix
from methods.multiplicative import MultiplicativeSolver
from methods.tensor.nge import _ExactGraphSolver
from methods.typing import Array, Codes


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--splits", type=int, default=3)
    splits = parser.parse_args(argv).splits
    warnings.simplefilter("ignore", ConvergenceWarning)
    rows = [row for point in (clusters, features, net_energy, stalled) for row in point(splits)]
    show("Before and after", rows)
    print(f"written to {save('mended', rows)}")


def clusters(splits: int) -> Iterator[Row]:
    """Yield the ACC of clusters made of raw rows of V, and of rows at length 1; a fifth is labelled."""
    for name in TEXTS:
        X, y = some_texts(name)
        for title, beta in (("SULF", 1e-3), ("SULF₁", 0.0)):
            pairs = []
            for seed in range(splits):
                partial = experiments.split(y, labelled_fraction=0.2, seed=seed).y_partial
                V = methods.create(
                    "sulf", n_components=50, beta=beta, max_iter=200, random_state=seed
                ).fit(X, partial).embedding_  # fmt: skip
                open_, count = partial < 0, len(np.unique(y))
                raw = KMeans(count, n_init=10, random_state=seed).fit_predict(V[open_])
                unit = k_means(V[open_], count, seed)
                pairs.append([100 * clustering_accuracy(y[open_], found) for found in (raw, unit)])
            yield _row("1 clusters of unit rows, ACC %", f"{name}, {title}", pairs)


def features(splits: int) -> Iterator[Row]:
    """Yield who is recognised by NMF of 80 labelled pictures: by the pseudo-inverse, and with a ridge."""
    ds = datasets.load("orl", size=32, crop="aligned")
    assert ds.y is not None
    for solver, iterations in (("multiplicative", 500), ("accelerated", 500)):
        pairs = []
        for seed in range(splits):
            known = experiments.split(ds.y, labelled_per_class=2, seed=seed).y_partial >= 0
            est = methods.create("nmf", solver=solver, max_iter=iterations, tol=0, random_state=seed)
            est.fit(ds.X[known])
            pairs.append(
                [_recognised(est.set_params(features=how), ds.X, ds.y, known) for how in ("pinv", "ridge")]
            )
        yield _row("2 features held back, 1-NN %", f"aligned ORL, {solver}", pairs)


def net_energy(splits: int) -> Iterator[Row]:
    """Yield NGE's objective after 40 iterations, with the energy of its graphs split in two and whole."""
    ds = datasets.load("orl", size=32)
    assert ds.y is not None
    pairs = []
    for seed in range(splits):
        partial = experiments.split(ds.y, labelled_per_class=5, seed=seed).y_partial
        known = partial >= 0

        def objective(seed: int = seed, X: Array = ds.X[known], y: Codes = partial[known]) -> float:
            est = methods.create("nge", n_components=60, max_iter=40, tol=0, random_state=seed)
            return float(est.fit(X, y).objective_curve_[-1])

        with mock.patch.object(_ExactGraphSolver, "_curvature", MultiplicativeSolver._curvature):
            split = objective()
        pairs.append([split, objective()])
    yield _row("4 NGE's net energy, objective", "200 faces, k = 60", pairs)


def stalled(splits: int) -> Iterator[Row]:
    """Yield the true relative error that single precision comes to, without and with the direct residual."""
    pairs = []
    for seed in range(splits):
        rng = np.random.default_rng(seed)
        X = (rng.random((300, 8)) @ rng.random((8, 200))).astype(np.float32)

        def error(X: Array = X, seed: int = seed) -> float:
            est = methods.create(
                "nmf", n_components=8, solver="accelerated", max_iter=3000, tol=0, random_state=seed
            ).fit(X)
            missed = X - est.embedding_.astype(np.float64) @ est.components_
            return float(np.square(missed).sum() / np.square(X, dtype=np.float64).sum())

        with mock.patch.object(data_matrix, "_TRUSTED", 0):
            of_differences = error()
        pairs.append([of_differences, error()])
    yield _row("5 direct residual, relative error", "exact product, float32", pairs)


def _recognised(est: Any, X: Array, y: Codes, known: Any) -> float:
    Z = est.transform(X)
    return 100 * accuracy(nearest_neighbour(Z[known], y[known], Z[~known], "euclidean"), y[~known])


def _row(point: str, data: str, pairs: list[list[float]]) -> Row:
    before, after = np.mean(pairs, axis=0)
    return {"point": point, "data": data, "before": float(before), "after": float(after)}


if __name__ == "__main__":
    main()
