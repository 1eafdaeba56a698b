"""Semi-supervised marginal Fisher analysis, the rival of N²S²L in its paper (Wang et al., AISTATS 2009)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods import graphs
from methods.graph_params import INTRINSIC_NEIGHBORS
from methods.memory import by_storage, copies, sparse_span
from methods.spec import Facts, Param, Spec
from methods.subspace.directions import DirectionByDirection
from methods.subspace.discriminant import (
    DRIVEN_PAIRS,
    N_DIRECTIONS,
    PCA_COMPONENTS,
    RIDGE,
    SCALING,
    SMOOTH_NEIGHBORS,
    DiscriminantProjection,
    edge_differences,
    graph_scatter,
)
from methods.subspace.eigen import span
from methods.typing import Array


class SMFA(DiscriminantProjection):
    """MFA that also keeps neighbours together, labelled or not.

    All rows are first reduced to their N − N_c leading principal axes. There, with L and Lᵖ as in MFA
    and Lˢ joining nearest neighbours among all rows,

        XᵀLᵖX w = λ (XᵀLX + βXᵀLˢX + rI) w ,   r = ridge · tr(XᵀLX + βXᵀLˢX)/d .

    Without the ridge the problem has no answer: in dozens of directions no neighbours differ.
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        beta: float = 0.1,
        intrinsic_neighbors: int | None = None,
        penalty_pairs: int = 20,
        smooth_neighbors: int = 3,
        pca_components: int | None = None,
        ridge: float = 1e-2,
        scaling: str = "unit",
    ) -> None:
        self.n_components = n_components
        self.beta = beta
        self.intrinsic_neighbors = intrinsic_neighbors
        self.penalty_pairs = penalty_pairs
        self.smooth_neighbors = smooth_neighbors
        self.pca_components = pca_components
        self.ridge = ridge
        self.scaling = scaling

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> DirectionByDirection:
        X, codes, facts = self._begin(X, y)
        p = self.smooth_neighbors if self.beta > 0 else 0
        if p == 0:
            self._refuse_single_labels(facts)
        rows = X.astype(np.float64)
        axes, Z = span(rows, int(self._resolved("pca_components", facts)))
        intrinsic = graphs.laplacian(graphs.intrinsic(rows, codes, self.intrinsic_neighbors))
        smooth = graphs.laplacian(graphs.neighbours(rows, p, "smooth_neighbors"))
        together = graph_scatter(Z, intrinsic) + self.beta * graph_scatter(Z, smooth)
        apart = edge_differences(Z, graphs.penalty(rows, codes, self.penalty_pairs))
        why = f"{axes.rank} principal directions"
        return self._directions(X, axes, (apart, together), facts, axes.rank, why)


def _samples_less_classes(facts: Facts) -> int:
    return max(1, min(facts.n_samples - facts.n_classes, facts.n_features))


BETA = Param(
    "beta",
    "float",
    0.1,
    "How strongly neighbours, labelled or not, are kept together.",
    symbol="β",
    least=0.0,
    low=1e-6,
    high=1e3,
    scale="log",
    paper="best of 10⁻⁶ … 10³",
)

SPEC = SMFA.spec = Spec(
    id="smfa",
    title="sMFA",
    family="subspace",
    summary="MFA that also keeps near neighbours together, so it learns from unlabelled rows as well.",
    objective=(
        r"\max_W\ \operatorname{tr}\bigl[(W^\top X(L+\beta L^s)X^\top W)^{-1}\,W^\top XL^pX^\top W\bigr]"
    ),
    update=(
        r"XL^pX^\top w=\lambda\,(XLX^\top+\beta XL^sX^\top+rI)\,w,\quad \lVert w\rVert=1,\quad"
        r"\text{largest }\lambda\text{ first, after PCA to }N-N_c"
    ),
    references=(
        "C. Wang, S. Yan, L. Zhang and H.-J. Zhang. Non-negative semi-supervised learning. AISTATS 2009.",
    ),
    params=(
        N_DIRECTIONS,
        BETA,
        INTRINSIC_NEIGHBORS,
        DRIVEN_PAIRS,
        SMOOTH_NEIGHBORS,
        PCA_COMPONENTS.but(
            meaning="PCA first reduces the data to at most this many directions.",
            paper="N − N_c: all samples less classes",
            auto=_samples_less_classes,
        ),
        RIDGE.but(default=1e-2, advanced=False, paper="none, though the problem is ill-posed without"),
        SCALING,
    ),
    estimator=SMFA,
    projects=True,
    needs=frozenset({"labels"}),
    monotone=True,
    signed=True,
    memory=by_storage(copies(dense=6, span=5), sparse_span(6.5)),
    cost=(
        "O(m·N² + min(m, N)³) for the neighbours and the principal axes of all N samples, then "
        "O(d³/3 + N·d² + d²·pairs) in the d ≤ N − c axes kept. "
        "Sparse data stay sparse, what is made of the d axes does not."
    ),
    corrections=(
        "As written the problem is ill-posed: with one neighbour a sample, 40 to 60 directions on ORL have "
        "no scatter at all and would win with an infinite ratio. A ridge, relative to the mean diagonal, "
        "decides the result and is a parameter here. Directions have unit length in the space of the input. "
        "The curve is what is missing from the largest possible criterion."
    ),
)
