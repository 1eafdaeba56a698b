"""Non-negative tensor factorization (Shashua and Hazan, ICML 2005)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from methods.coefficients import FEATURES
from methods.incomplete import data_matrix
from methods.memory import copies
from methods.nonnegative.discriminative import TensorFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Facts, Spec
from methods.stepwise import Solver
from methods.tensor_form import NEEDS_A_SHAPE, SAMPLE_SHAPE, flattened_mask


class NTF(TensorFactorization):
    """min ‖A − Σ_j u¹_j ⊗ u²_j ⊗ … ⊗ v_j‖² with non-negative factors: 3D-NDTF without labels (α = 0).

    Samples may be tensors of any order, rows with `sample_shape` or arrays of three and more dimensions.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> A = np.einsum("ak,bk,nk->nab", rng.random((6, 2)), rng.random((5, 2)), rng.random((20, 2)))
    >>> ntf = NTF(n_components=2, solver="accelerated", max_iter=500, tol=0, random_state=0).fit(A)
    >>> float(ntf.objective_curve_[-1]) < 1e-6 * float((A**2).sum())
    True
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        sample_shape: Sequence[int] | None = None,
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.sample_shape = sample_shape
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Any] | None, mask: Any = None) -> Solver:
        data = data_matrix(self._checked(X), flattened_mask(mask))
        return self._solver_for(data, Facts(*data.shape), warm_start)


SPEC = NTF.spec = Spec(
    id="ntf",
    title="NTF",
    family="tensor",
    summary="Takes images apart into parts that are one column times one row; knows nothing of labels.",
    objective=(
        r"\min_{U^b,V\ge 0}\ \Bigl\lVert \mathcal A-\sum_j u^1_j\otimes u^2_j\otimes\cdots\otimes v_j"
        r"\Bigr\rVert_F^2"
    ),
    update=(
        r"U^b \leftarrow U^b\circ\frac{A_{(b)}Z}{U^bZ^\top Z},\qquad"
        r" V \leftarrow V\circ\frac{A_{(n)}Z}{VZ^\top Z}"
    ),
    references=(
        "A. Shashua and T. Hazan. Non-negative tensor factorization with applications to statistics and "
        "computer vision. ICML 2005.",
    ),
    params=(N_COMPONENTS, SAMPLE_SHAPE, SOLVER, INIT, MAX_ITER, TOL, FEATURES, SEED),
    estimator=NTF,
    needs=frozenset({"tensor", "nonnegative"}),
    takes=frozenset({"holes"}),
    monotone=True,
    memory=copies(dense=1.2),
    cost="4·m·N·k per iteration (two products with the data) + O((Σd_b+N)k² + m·k).",
    expected_failed_checks=NEEDS_A_SHAPE,
)
