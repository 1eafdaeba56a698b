"""The base of LDA, MFA, sMFA and SDA: directions that keep apart what differs and together what belongs."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import Tags

from methods.checks import check_data, check_labels
from methods.graph_params import PENALTY_PAIRS
from methods.spec import Facts, Param
from methods.subspace.directions import DirectionByDirection, LinearProjection, left_after, moved
from methods.subspace.eigen import Axes, best_ratios
from methods.subspace.sparse_rows import ProjectedRows, RowMixtures
from methods.typing import Array, Codes, Graph


class DiscriminantProjection(LinearProjection):
    """Directions w with the largest wᵀBw / wᵀ(A + rI)w, found inside some principal axes of the data.

    A method says which scatter B = FᵀF must be large and which scatter A small. The first k directions
    maximise tr[(WᵀAW)⁻¹WᵀBW] over all k-dimensional subspaces; the objective is what is missing from its
    largest value, the sum of the ratios of the directions left out. It cannot rise: no ratio is negative.
    """

    n_components: int | None
    ridge: float
    scaling: str
    classes_: Array

    def _begin(self, X: Any, y: Any) -> tuple[Any, Codes, Facts]:
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        n, m = X.shape
        facts = Facts(n, m, n_labelled=int((codes >= 0).sum()), n_classes=self.classes_.size)
        return X, codes, facts

    def _directions(
        self,
        X: Any,
        axes: Axes | RowMixtures,
        scatters: tuple[Array, Array],
        facts: Facts,
        most: int,
        why: str,
    ) -> DirectionByDirection:
        """Return the solver for scatters (F, A) given in coordinates along `axes`."""
        k = self._how_many(facts, most, why)
        coordinates, ratios = best_ratios(*scatters, float(self.ridge), k)
        if self.scaling == "unit":
            # The axes are orthonormal, so this is unit norm in the space of the input too.
            coordinates /= np.linalg.norm(coordinates, axis=1, keepdims=True)
        else:
            coordinates /= axes.scale
        self.mean_ = axes.mean.astype(X.dtype)
        directions = axes.directions(coordinates)
        return DirectionByDirection(moved(X, self.mean_), directions, {"left out": left_after(ratios, k)})

    def _refuse_single_labels(self, facts: Facts) -> None:
        if facts.n_labelled == facts.n_classes:
            raise ValueError(
                f"y gives one labelled row for each class, but {type(self).__name__} compares rows of one "
                "class: label at least two rows of some class."
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def class_scatters(Z: Array | ProjectedRows, codes: Codes) -> tuple[Array, Array]:
    """Return F with FᵀF = S_b (a row a class), and S_w; every row of Z is labelled."""
    sizes = np.bincount(codes)
    if isinstance(Z, ProjectedRows):
        means = Z.class_means(codes)
        scatter = Z.scatter(sparse.eye_array(len(Z), format="csr")) - (means.T * sizes) @ means
        return np.sqrt(sizes)[:, None] * (means - sizes @ means / len(Z)), scatter
    members = np.zeros((sizes.size, len(Z)))
    members[codes, np.arange(len(Z))] = 1
    means = (members @ Z) / sizes[:, None]
    within = Z - means[codes]
    return np.sqrt(sizes)[:, None] * (means - Z.mean(axis=0)), within.T @ within


def edge_differences(Z: Array | ProjectedRows, graph: Graph) -> Array:
    """Return F with FᵀF = ZᵀLZ: one difference of rows for every edge of a 0/1 graph."""
    i, j = graph.nonzero()
    once = i < j
    if isinstance(Z, ProjectedRows):
        return (Z.rows[i[once]] - Z.rows[j[once]]) @ Z.basis.T
    return np.asarray(Z[i[once]] - Z[j[once]])


def graph_scatter(Z: Array | ProjectedRows, laplacian: Graph) -> Array:
    """Return ZᵀLZ, the scatter along the edges of a graph."""
    if isinstance(Z, ProjectedRows):
        return Z.scatter(laplacian)
    return np.asarray(Z.T @ (laplacian @ Z))


def directions_between_classes(facts: Facts) -> int:
    """Return the number of classes less one: as many directions as class means span."""
    return max(1, min(facts.n_classes - 1, facts.n_features))


def labelled_less_classes(facts: Facts) -> int:
    """Return N_tr − N_c, at most the number of features."""
    return max(1, min(facts.n_labelled - facts.n_classes, facts.n_features))


N_DIRECTIONS = Param(
    "n_components",
    "int",
    None,
    "How many directions are kept.",
    symbol="k",
    least=1,
    low=1,
    high=200,
    paper="best of all",
    auto=directions_between_classes,
)
PCA_COMPONENTS = Param(
    "pca_components",
    "int",
    None,
    "PCA first reduces the labelled data to at most this many directions.",
    least=1,
    low=1,
    high=400,
    paper="N_tr − N_c: labelled samples less classes",
    advanced=True,
    auto=labelled_less_classes,
)
RIDGE = Param(
    "ridge",
    "float",
    1e-9,
    "Added to the scatter that must be small, as a share of its mean diagonal; steadies weak directions.",
    least=0.0,
    low=1e-9,
    high=1.0,
    scale="log",
    paper="none",
    advanced=True,
)
SCALING = Param(
    "scaling",
    "choice",
    "unit",
    "Length of directions: all one, or so that the small scatter becomes the identity (recognises badly).",
    choices=("unit", "whitened"),
    paper="not said; only unit length reproduces its figures",
    advanced=True,
)
DRIVEN_PAIRS = PENALTY_PAIRS.but(
    meaning="How many closest pairs across classes are driven apart for each class.", least=1, low=1
)
SMOOTH_NEIGHBORS = Param(
    "smooth_neighbors",
    "int",
    3,
    "How many nearest neighbours a sample is tied to, labelled or not.",
    symbol="p",
    least=0,
    low=0,
    high=20,
    paper="not given",
    advanced=True,
)
