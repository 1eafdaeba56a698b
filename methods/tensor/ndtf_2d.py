"""Non-negative discriminative factorization of images as vectors, 2D-NDTF (Wang et al., CVPR 2009)."""

from __future__ import annotations

from typing import Any

from methods.coefficients import FEATURES
from methods.graph_params import INTRINSIC_NEIGHBORS, PENALTY_PAIRS
from methods.memory import copies
from methods.nonnegative.discriminative import (
    ALPHA,
    N_DISCRIMINATIVE,
    DiscriminativeFactorization,
)
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Spec
from methods.tensor_form import Shape


class NDTF2D(DiscriminativeFactorization):
    """NMF whose first q parts tell classes apart: N²S²L with β = 0 and at most three neighbours a sample.

        F = ‖X − UVᵀ‖² + α Σ_{j≤q} ‖u_j‖² v_jᵀ L v_j + α Σ_{j>q} ‖u_j‖² v_jᵀ Lᵖ v_j

    "2D" counts the modes of the data: features and samples. y holds class codes, -1 where unknown.
    """

    def __init__(
        self,
        n_components: int | None = None,
        n_discriminative: int | None = None,
        *,
        alpha: float = 100.0,
        intrinsic_neighbors: int | None = 3,
        penalty_pairs: int = 20,
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_discriminative = n_discriminative
        self.alpha = alpha
        self.intrinsic_neighbors = intrinsic_neighbors
        self.penalty_pairs = penalty_pairs
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _folded(self, input_shape: Shape | None, n_features: int) -> Shape | None:
        return None


NDTF_ALPHA = ALPHA.but(default=100.0, paper="best of 10, 100, 1000")
NDTF_NEIGHBORS = INTRINSIC_NEIGHBORS.but(default=3, paper="min(n_c − 1, 3)")
REFERENCE = (
    "C. Wang, Z. Song, S. Yan, L. Zhang and H.-J. Zhang. Multiplicative nonnegative graph embedding. "
    "CVPR 2009."
)
COPIES = (
    " Close to the optimum Lᵖ leaves the columns of V² nearly constant and some parts of U² almost copies of "
    "each other. The published features, by pseudo-inverse, blow up what tells copies apart, which is noise; "
    "by default they are held back by a small ridge."
)
TWICE = "The sums over pairs in equations 5 and 6 are twice the traces in equation 7; α takes the factor in."

SPEC = NDTF2D.spec = Spec(
    id="ndtf_2d",
    title="2D-NDTF",
    family="tensor",
    summary="NMF whose first parts tell classes apart; images are vectors and only labels guide it.",
    objective=(
        r"\lVert X-UV^\top\rVert_F^2"
        r"+\alpha\sum_{j\le q}\lVert u_j\rVert^2\,v_j^\top L v_j"
        r"+\alpha\sum_{j>q}\lVert u_j\rVert^2\,v_j^\top L^p v_j,\qquad U,V\ge 0"
    ),
    update=(
        r"\begin{aligned}"
        r"U &\leftarrow U\circ\frac{XV+UY^-}{UV^\top V+UY^+},\qquad"
        r" u_j\leftarrow u_j/\lVert u_j\rVert,\quad v_j\leftarrow v_j\lVert u_j\rVert\\"
        r"V &\leftarrow V\circ\frac{X^\top U+\alpha[S V^1,\ S^pV^2]}{VU^\top U+\alpha[D V^1,\ D^pV^2]}"
        r"\end{aligned}"
    ),
    references=(REFERENCE,),
    params=(
        N_COMPONENTS,
        N_DISCRIMINATIVE,
        NDTF_ALPHA,
        NDTF_NEIGHBORS,
        PENALTY_PAIRS,
        SOLVER,
        INIT,
        MAX_ITER,
        TOL,
        FEATURES,
        SEED,
    ),
    estimator=NDTF2D,
    needs=frozenset({"labels", "nonnegative"}),
    takes=frozenset({"holes"}),
    monotone=True,
    memory=copies(2.5, labelled=2),
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k² + edges·k).",
    corrections=TWICE + COPIES,
    revision=2,
)
