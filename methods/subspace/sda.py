"""Semi-supervised discriminant analysis (Cai, He and Han, ICCV 2007)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods import graphs
from methods.memory import by_storage, copies, sparse_span
from methods.spec import Param, Spec
from methods.subspace.directions import DirectionByDirection
from methods.subspace.discriminant import (
    N_DIRECTIONS,
    RIDGE,
    SCALING,
    SMOOTH_NEIGHBORS,
    DiscriminantProjection,
    class_scatters,
    graph_scatter,
)
from methods.subspace.eigen import span
from methods.typing import Array


class SDA(DiscriminantProjection):
    """LDA whose directions must also vary little between neighbours, labelled or not.

    With S_b and S_t the between-class and total scatter of the labelled rows, L the Laplacian of the
    nearest-neighbour graph over all rows,

        S_b w = λ (S_t + αXᵀLX + βI) w ,   β = ridge · tr(S_t + αXᵀLX)/d .

    Everything happens in the d directions that the centred rows span: outside of them S_b w = 0.
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        alpha: float = 0.1,
        smooth_neighbors: int = 3,
        ridge: float = 1e-2,
        scaling: str = "unit",
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.smooth_neighbors = smooth_neighbors
        self.ridge = ridge
        self.scaling = scaling

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> DirectionByDirection:
        X, codes, facts = self._begin(X, y)
        p = self.smooth_neighbors if self.alpha > 0 else 0
        rows = X.astype(np.float64)
        axes, Z = span(rows, min(X.shape))
        smooth = graphs.laplacian(graphs.neighbours(rows, p, "smooth_neighbors"))
        apart, within = class_scatters(Z[codes >= 0], codes[codes >= 0])
        together = within + apart.T @ apart + self.alpha * graph_scatter(Z, smooth)
        why = f"{facts.n_classes} classes in {axes.rank} directions"
        return self._directions(X, axes, (apart, together), facts, min(facts.n_classes - 1, axes.rank), why)


ALPHA = Param(
    "alpha",
    "float",
    0.1,
    "How strongly neighbours, labelled or not, are kept together.",
    symbol="α",
    least=0.0,
    low=1e-6,
    high=1e3,
    scale="log",
    paper="0.1",
)

SPEC = SDA.spec = Spec(
    id="sda",
    title="SDA",
    family="subspace",
    summary="LDA on the labelled rows that must also vary little between neighbours among all rows.",
    objective=(
        r"\max_W\ \operatorname{tr}\bigl[(W^\top(S_t+\alpha XLX^\top+\beta I)W)^{-1}\,W^\top S_bW\bigr]"
    ),
    update=(
        r"S_b w=\lambda\,(S_t+\alpha XLX^\top+\beta I)\,w,\quad \lVert w\rVert=1,\quad"
        r"\text{largest }\lambda\text{ first}"
    ),
    references=("D. Cai, X. He and J. Han. Semi-supervised discriminant analysis. ICCV 2007.",),
    params=(
        N_DIRECTIONS,
        ALPHA,
        SMOOTH_NEIGHBORS,
        RIDGE.but(default=1e-2, symbol="β", advanced=False, paper="an absolute β"),
        SCALING,
    ),
    estimator=SDA,
    projects=True,
    needs=frozenset({"labels"}),
    monotone=True,
    signed=True,
    memory=by_storage(copies(dense=6, span=5), sparse_span(6.5)),
    cost=(
        "O(m·N² + min(m, N)³) for the neighbours and the span of all N samples, then O(d³/3 + N·d²) "
        "for d = min(m, N) directions; the between-class scatter costs only its c rows. "
        "Sparse data stay sparse, what is made of the d directions does not."
    ),
    corrections=(
        "β is a share of the mean diagonal of S_t + αXᵀLX, so that the same value means the same for pixels "
        "in [0, 1] and in [0, 255]. Directions have unit length in the space of the input. The curve is "
        "what is missing from the largest possible criterion."
    ),
)
