"""Non-negative matrix factorization with the Frobenius norm (Lee and Seung, 2001)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from methods.incomplete import data_matrix
from methods.nonnegative.factorization import FrobeniusFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Facts, Spec
from methods.stepwise import Solver
from methods.typing import Array


class NMF(FrobeniusFactorization):
    """min ‖X − WH‖², W, H ≥ 0.

    Rows of X are samples, rows of H (`components_`) the parts, rows of W (`embedding_`) how much
    of each part a sample uses. Each iteration updates H, then W; neither update can raise the objective.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((20, 3)) @ np.random.default_rng(1).random((3, 8))
    >>> nmf = NMF(n_components=3, max_iter=2000, tol=0, random_state=0).fit(X)
    >>> float(nmf.objective_curve_[-1]) < 1e-3 * float((X**2).sum())
    True
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None, mask: Any = None) -> Solver:
        data = data_matrix(self._checked(X), mask)
        return self._solve(*self._begin(data, Facts(*data.shape), warm_start))


SPEC = NMF.spec = Spec(
    id="nmf",
    title="NMF",
    family="nonnegative",
    summary="Takes data apart into parts that only add up; knows nothing of labels.",
    objective=r"\min_{U,V\ge 0}\ \lVert X-UV^\top\rVert_F^2",
    update=r"U \leftarrow U\circ\frac{XV}{UV^\top V},\qquad V \leftarrow V\circ\frac{X^\top U}{VU^\top U}",
    references=("D. D. Lee and H. S. Seung. Algorithms for non-negative matrix factorization. NIPS 2000.",),
    params=(N_COMPONENTS, SOLVER, INIT, MAX_ITER, TOL, SEED),
    estimator=NMF,
    needs=frozenset({"nonnegative"}),
    takes=frozenset({"holes"}),
    monotone=True,
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k²).",
)
