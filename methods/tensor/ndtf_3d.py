"""Non-negative discriminative tensor factorization, 3D-NDTF (Wang et al., CVPR 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from methods.coefficients import FEATURES
from methods.graph_params import PENALTY_PAIRS
from methods.memory import copies
from methods.nonnegative.discriminative import N_DISCRIMINATIVE, DiscriminativeFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Spec
from methods.tensor.ndtf_2d import COPIES, NDTF_ALPHA, NDTF_NEIGHBORS, REFERENCE, TWICE
from methods.tensor_form import NEEDS_A_SHAPE, SAMPLE_SHAPE


class NDTF3D(DiscriminativeFactorization):
    """Each image stays a table and each part is one column times one row, some telling classes apart.

        F = ‖A − Σ_j u¹_j ⊗ u²_j ⊗ … ⊗ v_j‖² + α Σ_{j≤q} (Π_b ‖u^b_j‖²) v_jᵀ L v_j
                                              + α Σ_{j>q} (Π_b ‖u^b_j‖²) v_jᵀ Lᵖ v_j

    "3D" counts the modes of images, rows, columns and samples; samples may be tensors of any order, as rows
    with `sample_shape` or as an array of three dimensions or more. y holds class codes, -1 where unknown.

    >>> import numpy as np
    >>> faces = np.random.default_rng(0).random((8, 5, 4))
    >>> ndtf = NDTF3D(n_components=3, max_iter=10, tol=0, random_state=0).fit(faces, [0, 0, 0, 0, 1, 1, 1, 1])
    >>> [factor.shape for factor in ndtf.factors_], ndtf.components_.shape
    ([(5, 3), (4, 3)], (3, 20))
    """

    def __init__(
        self,
        n_components: int | None = None,
        n_discriminative: int | None = None,
        *,
        alpha: float = 100.0,
        intrinsic_neighbors: int | None = 3,
        penalty_pairs: int = 20,
        sample_shape: Sequence[int] | None = None,
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
        self.sample_shape = sample_shape
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state


SPEC = NDTF3D.spec = Spec(
    id="ndtf_3d",
    title="3D-NDTF",
    family="tensor",
    summary="Images stay tables: each part is a column times a row, and the first tell classes apart.",
    objective=(
        r"\Bigl\lVert \mathcal A-\sum_j u^1_j\otimes u^2_j\otimes\cdots\otimes v_j\Bigr\rVert_F^2"
        r"+\alpha\sum_{j\le q}\prod_b\lVert u^b_j\rVert^2\,v_j^\top L v_j"
        r"+\alpha\sum_{j>q}\prod_b\lVert u^b_j\rVert^2\,v_j^\top L^p v_j,\qquad U^b,V\ge 0"
    ),
    update=(
        r"\begin{aligned}"
        r"U^b &\leftarrow U^b\circ\frac{A_{(b)}Z+U^bY^-}{U^bZ^\top Z+U^bY^+},\qquad"
        r" u^b_j\leftarrow u^b_j/\lVert u^b_j\rVert,\quad"
        r" v_j\leftarrow v_j\textstyle\prod_b\lVert u^b_j\rVert\\"
        r"V &\leftarrow V\circ\frac{A_{(n)}Z+\alpha[S V^1,\ S^pV^2]}{VZ^\top Z+\alpha[D V^1,\ D^pV^2]}"
        r"\end{aligned}"
    ),
    references=(REFERENCE,),
    params=(
        N_COMPONENTS,
        N_DISCRIMINATIVE,
        NDTF_ALPHA,
        NDTF_NEIGHBORS,
        PENALTY_PAIRS,
        SAMPLE_SHAPE,
        SOLVER,
        INIT,
        MAX_ITER,
        TOL,
        FEATURES,
        SEED,
    ),
    estimator=NDTF3D,
    needs=frozenset({"labels", "tensor", "nonnegative"}),
    takes=frozenset({"holes"}),
    monotone=True,
    memory=copies(2.5, labelled=2),
    cost="4·m·N·k per iteration (two products with the data) + O((Σd_b+N)k² + m·k + edges·k).",
    corrections=TWICE + COPIES,
    expected_failed_checks=NEEDS_A_SHAPE,
)
