"""Marginal Fisher analysis (Yan, Xu, Zhang, Zhang, Yang and Lin, 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods import graphs
from methods.data_matrix import dense_rows
from methods.graph_params import INTRINSIC_NEIGHBORS
from methods.memory import copies
from methods.spec import Spec
from methods.subspace.directions import DirectionByDirection
from methods.subspace.discriminant import (
    DRIVEN_PAIRS,
    N_DIRECTIONS,
    PCA_COMPONENTS,
    RIDGE,
    SCALING,
    DiscriminantProjection,
    edge_differences,
    graph_scatter,
)
from methods.subspace.eigen import principal_axes
from methods.typing import Array


class MFA(DiscriminantProjection):
    """Directions that part the closest pairs across classes and draw classes together.

    LDA with graphs in place of class means: L joins near samples of a class, Lᵖ the `penalty_pairs`
    closest pairs between each class and the others. Inside the N_tr − N_c leading principal axes of the
    labelled rows,

        XᵀLᵖX w = λ (XᵀLX + rI) w ,   r = ridge · tr(XᵀLX)/d .

    Unlabelled rows are only projected: nothing is learnt from them.
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        intrinsic_neighbors: int | None = None,
        penalty_pairs: int = 20,
        pca_components: int | None = None,
        ridge: float = 1e-9,
        scaling: str = "unit",
    ) -> None:
        self.n_components = n_components
        self.intrinsic_neighbors = intrinsic_neighbors
        self.penalty_pairs = penalty_pairs
        self.pca_components = pca_components
        self.ridge = ridge
        self.scaling = scaling

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> DirectionByDirection:
        X, codes, facts = self._begin(X, y)
        self._refuse_single_labels(facts)
        labelled, classes = dense_rows(X, codes >= 0).astype(np.float64), codes[codes >= 0]
        axes = principal_axes(labelled, "labelled rows").first(int(self._resolved("pca_components", facts)))
        Z = axes.coordinates(labelled)
        intrinsic = graphs.laplacian(graphs.intrinsic(labelled, classes, self.intrinsic_neighbors))
        penalty = graphs.penalty(labelled, classes, self.penalty_pairs)
        scatters = edge_differences(Z, penalty), graph_scatter(Z, intrinsic)
        return self._directions(X, axes, scatters, facts, axes.rank, f"{axes.rank} principal directions")


SPEC = MFA.spec = Spec(
    id="mfa",
    title="MFA",
    family="subspace",
    summary="Parts the closest strangers and draws classes together; learns from labelled rows alone.",
    objective=r"\max_W\ \operatorname{tr}\bigl[(W^\top XLX^\top W)^{-1}\,W^\top XL^pX^\top W\bigr]",
    update=(
        r"XL^pX^\top w=\lambda\,(XLX^\top+rI)\,w,\quad \lVert w\rVert=1,\quad"
        r"\text{largest }\lambda\text{ first, after PCA to }N_{tr}-N_c"
    ),
    references=(
        "S. Yan, D. Xu, B. Zhang, H.-J. Zhang, Q. Yang and S. Lin. Graph embedding and extensions: a general "
        "framework for dimensionality reduction. IEEE TPAMI 29(1), 2007.",
    ),
    params=(N_DIRECTIONS, INTRINSIC_NEIGHBORS, DRIVEN_PAIRS, PCA_COMPONENTS, RIDGE, SCALING),
    estimator=MFA,
    projects=True,
    needs=frozenset({"labels"}),
    monotone=True,
    signed=True,
    memory=copies(3.3, labelled=4),
    cost=(
        "O(m·l² + min(m, l)³) for l labelled samples (distances and principal axes), then O(d³ + d²·pairs) "
        "in the d ≤ l − c axes kept. Unlabelled samples only cost their projection."
    ),
    corrections=(
        "Directions have unit length in the space of the input: scaled so that the small scatter becomes the "
        "identity, recognition collapses (scaling='whitened' shows it). Both graphs are those of N²S²L. "
        "The curve is what is missing from the largest possible criterion."
    ),
)
