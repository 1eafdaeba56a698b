"""Where the lead of N²S²L comes from, and where it ends: one thing changed at a time.

    python -m benchmarks.n2s2l_lead [--sets orl,orl aligned,...] [--splits 5]

Who is recognised among the rows seen without a label, by 1-NN on V¹ (Euclidean, cosine in brackets): mean and
standard deviation over splits, in per cent. "graph" is the share of edges between neighbours that join one
class, which is what the third term of the objective lives on.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import datasets
import experiments
import methods
from benchmarks.report import Row, save, show
from experiments.measures.recognition import accuracy, nearest_neighbour
from methods import graphs
from methods.multiplicative import GraphTerm, MultiplicativeSolver
from methods.nonnegative.n2s2l import N2S2L
from methods.typing import Array, Codes, Graph, is_sparse

# Name: data set, its options, labels a class, at most so many rows (evenly taken).
SETS: dict[str, tuple[str, dict[str, Any], int, int]] = {
    "orl plain": ("orl", {"size": 32}, 2, 400),
    "orl aligned": ("orl", {"size": 32, "crop": "aligned"}, 2, 400),
    "digits": ("digits", {}, 5, 600),
    "mnist5000": ("mnist5000", {}, 10, 600),
    "multifeature": ("multifeature", {}, 5, 600),
    "lfw_subset": ("lfw_subset", {}, 10, 200),
    "news": ("news", {"vocabulary": 2000}, 3, 600),
    "docstrings": ("docstrings", {"vocabulary": 2000}, 5, 600),
}
# The share of edges between labelled rows that must join one class for more neighbours to be taken.
_TRUSTED = 0.75
Smooth = Callable[[Array, Codes, int], Graph]


class Graphed(N2S2L):
    """N²S²L with another graph of neighbours."""

    smooth: Smooth

    def _graphs(self, X: Any, codes: Codes) -> list[GraphTerm]:
        *labelled, near = super()._graphs(X, codes)
        graph = self.smooth(X, codes, int(self.smooth_neighbors))
        return [*labelled, GraphTerm(near.name, near.weight, graph, near.columns)]


class WithoutPull(MultiplicativeSolver):
    """U is improved as if there were no graphs: no part is made short so that its column of V costs less."""

    def _curvature(self) -> tuple[Array, Array]:
        return self._gram_W, np.zeros(len(self._gram_W), self._gram_W.dtype)


class Untraded(N2S2L):
    """N²S²L whose parts do not see the graphs."""

    def _solve(self, *begun: Any, unit_parts: bool = False, held: int = 0) -> WithoutPull:
        data, H, W, graphs = begun
        return WithoutPull(data, H, W, graphs, unit_parts=unit_parts, held=held)


def heat(X: Array, codes: Codes, p: int) -> Graph:
    """Weights exp(−d²/2s²), s the median length of an edge, in place of 0/1."""
    near = graphs.neighbours(X, p).tocoo()
    squares = np.square(X[near.row] - X[near.col], dtype=np.float64).sum(axis=1)
    weights = np.exp(-squares / (2 * np.median(squares))).astype(X.dtype)
    return sparse.csr_array((weights, (near.row, near.col)), shape=near.shape)


def mutual(X: Array, codes: Codes, p: int) -> Graph:
    """Only neighbours that name each other."""
    near = graphs._nearest(X, p)
    n = X.shape[0]
    named = sparse.csr_array(
        (np.ones(n * p, X.dtype), (np.repeat(np.arange(n), p), near.ravel())), shape=(n, n)
    )
    return sparse.csr_array(named.multiply(named.T))


def lit(X: Array, codes: Codes, p: int) -> Graph:
    """Neighbours by angle about the mean of each row: light and contrast do not count."""
    rows = X - X.mean(axis=1, keepdims=True)
    return graphs.neighbours(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), p)


def parted(X: Array, codes: Codes, p: int) -> Graph:
    """Neighbours, but for labelled ones of different classes."""
    near = graphs.neighbours(X, p).tocoo()
    kept = (codes[near.row] < 0) | (codes[near.col] < 0) | (codes[near.row] == codes[near.col])
    return sparse.csr_array((near.data[kept], (near.row[kept], near.col[kept])), shape=near.shape)


def trusted(X: Array, codes: Codes, p: int) -> Graph:
    """As many neighbours as labels vouch for: those of labelled rows, three in four of one class."""
    known = np.flatnonzero(codes >= 0)
    best = graphs.neighbours(X, 1)
    for more in (2, 3, 5, 8, 12):
        near = graphs.neighbours(X, more)
        among = near[known][:, known].tocoo()
        agree = codes[known[among.row]] == codes[known[among.col]]
        if not agree.size or agree.mean() < _TRUSTED:
            break
        best = near
    return best


def lit_mutual(X: Array, codes: Codes, p: int) -> Graph:
    """Neighbours by angle about the row's mean that name each other."""
    rows = X - X.mean(axis=1, keepdims=True)
    return mutual(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), codes, p)


GRAPHS: dict[str, Smooth] = {
    "heat weights": heat, "mutual": mutual, "without light": lit,
    "labels part": parted, "p that labels vouch for": trusted, "without light, mutual p=5": lit_mutual,
}  # fmt: skip
SETTINGS: dict[str, dict[str, Any]] = {
    "as published": {},
    "accelerated": {"solver": "accelerated", "max_iter": 150},
    "no penalty pairs": {"penalty_pairs": 0},
    "no neighbours": {"beta": 0.0},
    "β = 10": {"beta": 10.0},
    "p = 1": {"smooth_neighbors": 1},
    "p = 1, α = 100": {"smooth_neighbors": 1, "alpha": 100.0},
    "p = 5": {"smooth_neighbors": 5},
    "p = 8": {"smooth_neighbors": 8},
    "60 iterations": {"max_iter": 60},
    "unit samples": {},
    "U does not see the graphs": {},
    "columns of V¹ at one length": {},
    "parts alone (U¹ applied to all)": {},
    "all of V": {},
}
SETTINGS |= {name: {} for name in GRAPHS}
SETTINGS["without light, mutual p=5"] = {"smooth_neighbors": 5}
RIVALS = {
    "lda": {}, "smfa": {}, "cons": {}, "src": {},
    "nmf": {"solver": "accelerated", "max_iter": 100, "tol": 0.0},
}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Fit every variant on every split and print who is recognised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=300)
    chosen = parser.parse_args(argv)
    warnings.simplefilter("ignore", ConvergenceWarning)
    raw: dict[str, Any] = {}
    for name in chosen.sets.split(","):
        found = measured(name, chosen.splits, chosen.iterations)
        raw[name] = found
        show(f"{name}: N²S²L, one thing changed at a time", [_row(way, found[way]) for way in found])
        save("n2s2l_lead", raw)


def measured(name: str, splits: int, iterations: int) -> dict[str, list[tuple[float, float]]]:
    """Return shares recognised (Euclidean, cosine) by variant, one pair a split."""
    X, y = rows_of(name)
    found: dict[str, list[tuple[float, float]]] = {}
    for seed in range(splits):
        partial = experiments.split(y, labelled_per_class=SETS[name][2], seed=seed).y_partial
        for way in SETTINGS:
            found.setdefault(way, []).append(
                _recognised(features(way, X, partial, seed, iterations), y, partial)
            )
        for rival, params in RIVALS.items():
            found.setdefault(rival, []).append(_rival(rival, params, X, y, partial, seed))
        found.setdefault("graph", []).append(_pure(X, y))
    return found


def rows_of(name: str) -> tuple[Array, Codes]:
    """Return the rows of a set, evenly thinned, in float32, and their classes."""
    id, options, _, most = SETS[name]
    ds = datasets.load(id, **options)
    assert ds.y is not None
    told = np.flatnonzero((ds.y >= 0) & (abs(ds.X).sum(axis=1) > 0))
    chosen = told[:: max(1, len(told) // most)]
    rows = ds.X[chosen]
    X = np.asarray(rows.toarray() if is_sparse(rows) else rows, np.float32)
    return np.ascontiguousarray(X / X.max()), ds.y[chosen]


def features(way: str, X: Array, partial: Codes, seed: int, iterations: int) -> Array:
    """Return what rows are compared by in one variant."""
    params = {"max_iter": iterations, "tol": 0.0, "random_state": seed} | SETTINGS[way]
    if way == "unit samples":
        X = X / np.linalg.norm(X, axis=1, keepdims=True) * np.linalg.norm(X, axis=1).mean()
    est = _kind(way)(**params)
    if isinstance(est, Graphed):
        est.smooth = GRAPHS[way]
    est.fit(X, partial)
    if way.startswith("parts alone"):
        return est.transform(X)[:, : est.n_discriminative_]
    first = est.embedding_[:, : est.n_discriminative_]
    if way == "columns of V¹ at one length":
        return first / np.maximum(np.linalg.norm(first, axis=0), np.finfo(first.dtype).tiny)
    return est.embedding_ if way == "all of V" else first


def _kind(way: str) -> type[N2S2L]:
    if way in GRAPHS:
        return Graphed
    return Untraded if way == "U does not see the graphs" else N2S2L


def _recognised(points: Array, y: Codes, partial: Codes) -> tuple[float, float]:
    known = partial >= 0
    euclidean, cosine = (
        accuracy(nearest_neighbour(points[known], y[known], points[~known], metric), y[~known])
        for metric in ("euclidean", "cosine")
    )
    return 100 * euclidean, 100 * cosine


def _rival(
    name: str, params: dict[str, Any], X: Array, y: Codes, partial: Codes, seed: int
) -> tuple[float, float]:
    known = partial >= 0
    if name == "nmf":
        est = methods.create(name, random_state=seed, **params).fit(X[known])
        return _recognised(est.transform(X), y, partial)
    est = methods.create(name, **params).fit(X, partial)
    if hasattr(est, "transform"):
        return _recognised(est.transform(X), y, partial)
    named = est.transduction_ if hasattr(est, "transduction_") else est.predict(X)
    share = 100 * accuracy(np.asarray(named)[~known], y[~known])
    return share, share


def _pure(X: Array, y: Codes) -> tuple[float, float]:
    shares = []
    for p in (3, 8):
        near = graphs.neighbours(X, p).tocoo()
        shares.append(100 * float(np.mean(y[near.row] == y[near.col])))
    return shares[0], shares[1]


def _row(way: str, pairs: list[tuple[float, float]]) -> Row:
    mean, spread = np.mean(pairs, axis=0), np.std(pairs, axis=0, ddof=1 if len(pairs) > 1 else 0)
    return {"variant": way, "Euclidean": f"{mean[0]:.1f} ± {spread[0]:.1f}", "cosine": f"{mean[1]:.1f}"}


if __name__ == "__main__":
    main()
