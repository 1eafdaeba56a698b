"""Discriminant principal component analysis (Sun and Zhang, Neural Processing Letters 2009)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg, sparse

from methods.checks import check_data, check_labels
from methods.memory import by_storage, copies
from methods.spec import Facts, Param, Spec
from methods.subspace.directions import DirectionByDirection, LinearProjection, moved
from methods.subspace.discriminant import N_DIRECTIONS
from methods.subspace.eigen import span
from methods.subspace.pairs import beyond_labels, check_pairs, pair_scatter
from methods.subspace.sparse_rows import ProjectedRows
from methods.typing import Array, Codes, Graph


class DPCA(LinearProjection):
    """PCA that also drives samples of different classes apart and draws those of one class together.

    S_T is the covariance of all rows, S_B and S_W the mean of (x_i − x_j)(x_i − x_j)ᵀ over the pairs of
    labelled rows of two classes and of one class; the components are the orthonormal directions with
    the largest eigenvalues, by value, of

        M = S_B − η S_W + λ S_T .

    `fit(X, y, must_link=pairs, cannot_link=pairs)` adds pairs of row numbers to those of one class and
    of two; a pair that labels already give counts once, and a pair given on both sides counts on both.
    y may be None or -1 everywhere: with neither labels nor pairs this is PCA.

    >>> X = np.array([[0.0, 0.0], [0.0, 3.0], [1.0, 0.0], [1.0, 3.0]])
    >>> DPCA(1).fit(X).components_
    array([[0., 1.]])
    >>> DPCA(1).fit(X, must_link=[(0, 1), (2, 3)]).components_
    array([[1., 0.]])
    """

    classes_: Array

    def __init__(self, n_components: int | None = None, *, eta: float = 10.0, lam: float = 1.0) -> None:
        self.n_components = n_components
        self.eta = eta
        self.lam = lam

    def _solver(
        self,
        X: Any,
        y: Any,
        warm_start: Mapping[str, Array] | None,
        must_link: Any = None,
        cannot_link: Any = None,
    ) -> DirectionByDirection:
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        n, m = X.shape
        codes, self.classes_ = check_labels("DPCA", y, n, least_classes=0)
        must, cannot = check_pairs("must_link", must_link, n), check_pairs("cannot_link", cannot_link, n)
        why = f"{n} samples of {m} features"
        k = self._how_many(Facts(n, m), min(n, m), why)
        # Outside the span every direction has value 0, which would outrank the harmful ones inside it.
        axes, Z = span(X, min(n, m))
        between, within = pairwise_scatters(Z, codes, must, cannot)
        parts = {"between": between, "within": -self.eta * within, "total": self.lam / n * total_scatter(Z)}
        M = parts["between"] + parts["within"] + parts["total"]
        if not M.any():
            raise ValueError(
                "lam=0 leaves nothing to look for without labels or pairs: give some, or lam above 0."
            )
        inside = axes.directions(_leading(M, min(k, axes.rank)))
        self.mean_ = axes.mean.astype(X.dtype)
        # Asked for more directions than the rows differ in, give those in which they do not, last.
        directions = axes.completed(inside, k)
        inside_span = axes.along(directions)
        left = {name: axes.scale**2 * _left_out(part, inside_span) for name, part in parts.items()}
        return DirectionByDirection(moved(X, self.mean_), directions, left)

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows that coordinates stand for."""
        return np.asarray(Z @ self.components_ + self.mean_)


def pairwise_scatters(
    Z: Array | ProjectedRows, codes: Codes, must: Codes, cannot: Codes
) -> tuple[Array, Array]:
    """Return S_B and S_W, means over unordered pairs; zero where there is no pair.

    Sums over the pairs that labels give come from class means, without listing the pairs.
    """
    labelled, classes = Z[codes >= 0], codes[codes >= 0]
    sizes = np.bincount(classes)
    within, between = _class_sums(labelled, classes, sizes)
    n_within = int((sizes * (sizes - 1)).sum()) // 2
    n_between = len(labelled) * (len(labelled) - 1) // 2 - n_within
    must, cannot = beyond_labels(must, codes, same=True), beyond_labels(cannot, codes, same=False)
    between += pair_scatter(Z, cannot)
    within += pair_scatter(Z, must)
    return between / max(1, n_between + len(cannot)), within / max(1, n_within + len(must))


def total_scatter(Z: Array | ProjectedRows) -> Array:
    """Return ZᵀZ."""
    return Z.scatter(_diagonal(np.ones(len(Z)))) if isinstance(Z, ProjectedRows) else Z.T @ Z


def _class_sums(labelled: Array | ProjectedRows, classes: Codes, sizes: Codes) -> tuple[Array, Array]:
    """Return the sums over the pairs of one class, and over those of two."""
    if isinstance(labelled, ProjectedRows):
        return _projected_sums(labelled, classes, sizes)
    within = np.zeros((labelled.shape[1], labelled.shape[1]))
    for code, size in enumerate(sizes):
        members = labelled[classes == code]
        members = members - members.mean(axis=0)
        within += size * (members.T @ members)
    centred = labelled - labelled.mean(axis=0) if len(labelled) else labelled
    return within, len(labelled) * (centred.T @ centred) - within


def _projected_sums(labelled: ProjectedRows, classes: Codes, sizes: Codes) -> tuple[Array, Array]:
    if not len(labelled):
        nothing = np.zeros((len(labelled.basis), len(labelled.basis)))
        return nothing, nothing.copy()
    means = labelled.class_means(classes)
    within = labelled.scatter(_diagonal(sizes[classes])) - (means.T * np.square(sizes)) @ means
    total = sizes @ means
    return within, len(labelled) * total_scatter(labelled) - np.multiply.outer(total, total) - within


def _diagonal(weights: Array) -> Graph:
    return sparse.csr_array(sparse.diags_array(weights.astype(np.float64)))


def _leading(M: Array, k: int) -> Array:
    d = len(M)
    values, vectors = linalg.eigh(M, subset_by_index=(d - k, d - 1))
    return np.asarray(vectors[:, np.argsort(-values, kind="stable")].T)


def _left_out(part: Array, directions: Array) -> Array:
    """Return what the trace of `part` keeps when the first 0, 1, … directions are taken out of it."""
    traces = np.einsum("ij,ij->i", directions @ part, directions)
    return np.asarray(np.trace(part) - np.append(0.0, np.cumsum(traces)))


def _rank(facts: Facts) -> int:
    return max(1, min(100, facts.n_samples - 1, facts.n_features))


SPEC = DPCA.spec = Spec(
    id="dpca",
    title="DPCA",
    family="subspace",
    summary="PCA told which samples belong together or apart, by labels or by pairs; without either, PCA.",
    objective=r"\max_{W^\top W=I}\ \operatorname{tr}\bigl[W^\top(S_B-\eta S_W+\lambda S_T)W\bigr]",
    update=(
        r"(S_B-\eta S_W+\lambda S_T)\,w=\mu\,w,\quad"
        r"\text{largest }\mu\text{ first (by value, not by size)}"
    ),
    references=(
        "D. Sun and D. Zhang. A new discriminant principal component analysis method with partial "
        "supervision. Neural Processing Letters 30, 2009.",
    ),
    params=(
        N_DIRECTIONS.but(auto=_rank),
        Param(
            "eta",
            "float",
            10.0,
            "How strongly samples of one class are drawn together.",
            symbol="η",
            least=0.0,
            low=1e-2,
            high=1e3,
            scale="log",
            paper="0.1, 1 or 10",
        ),
        Param(
            "lam",
            "float",
            1.0,
            "How much the spread of all samples counts beside what labels and pairs say.",
            symbol="λ",
            least=0.0,
            low=1e-2,
            high=1e3,
            scale="log",
            paper="0.1, 1 or 10",
        ),
    ),
    estimator=DPCA,
    projects=True,
    takes=frozenset({"labels", "pairs"}),
    signed=True,
    memory=by_storage(copies(dense=6, span=6), copies(8, span=8)),
    cost=(
        "O(m·N·d + d³) with d = min(m, N): the span of the samples and one symmetric eigen-problem in it. "
        "Pairs made by labels are never listed; every other pair costs O(d). "
        "Sparse data stay sparse, what is made of the d directions does not."
    ),
    corrections=(
        "Pairs are unordered and of two different samples: eq 7 as printed also counts (x_i, x_i), which "
        "halves η at two labels a class. With more features than samples the problem is solved in the span "
        "of the samples, where otherwise empty directions of value 0 would outrank the negative ones. "
        "The curve is what the directions leave out of the trace: it falls while directions are worth "
        "having, and rises again once they do more harm than good."
    ),
)
