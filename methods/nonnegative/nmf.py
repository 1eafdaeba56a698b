"""Non-negative matrix factorization with the Frobenius norm (Lee and Seung, 2001)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from methods.checks import is_operator
from methods.coefficients import FEATURES
from methods.incomplete import data_matrix
from methods.memory import copies
from methods.nonnegative.factorization import FrobeniusFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Facts, Param, Spec
from methods.stepwise import Solver
from methods.typing import Array


class NMF(FrobeniusFactorization):
    """min ‖X − WH‖², W, H ≥ 0; with `loss` another measure of misfit.

    Rows of X are samples, rows of H (`components_`) the parts, rows of W (`embedding_`) how much
    of each part a sample uses. Each iteration updates H, then W; neither update can raise the objective.

    `fit(X, mask=…)` weighs entries from 0 (unknown) to 1; `fit(X, fixed=…)` keeps some parts, the first ones,
    as they are given (up to their length), and `fit(X, seeds=…)` starts the next ones from what is given.

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
        loss: str = "frobenius",
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.loss = loss
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _solver(
        self,
        X: Any,
        y: Any,
        warm_start: Mapping[str, Array] | None,
        mask: Any = None,
        fixed: Any = None,
        seeds: Any = None,
    ) -> Solver:
        data = data_matrix(self._checked(X), mask)
        _, H, W = self._begin(data, Facts(*data.shape), warm_start)
        held = self._placed(data, H, W, warm_start, fixed, seeds)
        if self.loss == "frobenius":
            return self._solve(data, H, W, held=held)
        if held:
            raise ValueError(
                f"loss={self.loss!r} moves every part: choose loss='frobenius' with fixed parts."
            )
        if data.incomplete or is_operator(X):
            what = "needs every entry of X" if data.incomplete else "divides X by its model entry by entry"
            raise ValueError(f"loss={self.loss!r} {what}: choose loss='frobenius' for these data.")
        from methods.divergence import AcceleratedDivergence, Misfit, MultiplicativeDivergence  # loads numba

        kind = AcceleratedDivergence if self.solver == "accelerated" else MultiplicativeDivergence
        return kind(Misfit(data.X, self.loss), H, W)


LOSS = Param(
    "loss",
    "choice",
    "frobenius",
    "What counts as a misfit: squares; Kullback–Leibler, for counts; Itakura–Saito, for ratios above zero.",
    choices=("frobenius", "kullback-leibler", "itakura-saito"),
    paper="frobenius and kullback-leibler",
    advanced=True,
    words="Misfit",
)

SPEC = NMF.spec = Spec(
    id="nmf",
    title="NMF",
    family="nonnegative",
    summary="Takes data apart into parts that only add up; knows nothing of labels.",
    objective=r"\min_{U,V\ge 0}\ \lVert X-UV^\top\rVert_F^2\quad\text{or}\quad"
    r"\sum x\log\tfrac xy-x+y\quad\text{or}\quad\sum\tfrac xy-\log\tfrac xy-1,\quad y=(UV^\top)_{ij}",
    update=r"U \leftarrow U\circ\frac{XV}{UV^\top V},\qquad V \leftarrow V\circ\frac{X^\top U}{VU^\top U}",
    references=(
        "D. D. Lee and H. S. Seung. Algorithms for non-negative matrix factorization. NIPS 2000.",
        "C. Févotte and J. Idier. Algorithms for nonnegative matrix factorization with the β-divergence. "
        "Neural Computation 23, 2011.",
    ),
    params=(N_COMPONENTS, LOSS, SOLVER, INIT, MAX_ITER, TOL, FEATURES, SEED),
    estimator=NMF,
    needs=frozenset({"nonnegative"}),
    takes=frozenset({"holes", "parts"}),
    monotone=True,
    memory=copies(2),
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k²).",
    corrections=(
        "Features of rows are published as the pseudo-inverse of the parts. With about as many parts as rows "
        "they were learned from, some parts are nearly alike, and what tells them apart is noise: of 80 "
        "labelled pictures (aligned ORL 32×32) it names 75 % of the others rightly after 500 multiplicative "
        "steps and 61 after as many accelerated ones, which fit better; with a ridge, the default here, it "
        "is 77 after either. features='pinv' is the published way (benchmarks/mended.py)."
    ),
    revision=2,
)
