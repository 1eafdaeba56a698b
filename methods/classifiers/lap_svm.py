"""Laplacian support vector machine, LapSVM (Belkin, Niyogi and Sindhwani, 2006), one against the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods import graphs
from methods.classifiers._box_newton import newton_step
from methods.classifiers._kernels import C_AMBIENT, C_INTRINSIC, FAILED_CHECKS, KERNEL, NEIGHBOURS, SIGMA
from methods.classifiers._manifold import KernelProblem, ManifoldClassifier
from methods.memory import copies
from methods.spec import MAX_ITER, Param, Spec
from methods.stepwise import Solver
from methods.typing import Array, Codes, Graph


class LapSVM(ManifoldClassifier):
    """Class scores with a margin that change little between neighbours.

    With z_ic = 1 for members of class c and −1 for the others, the scores F = KB of unit-length samples
    minimise the sum over classes of

        (1/l) Σ_labelled max(0, 1 − z_ic f_c(x_i)) + γ_A ‖f_c‖²_K + (γ_I/(l+u)²) f_cᵀLf_c

    There is no offset. Each class is a quadratic program over its labelled samples, 0 ≤ β ≤ 1, solved
    by projected Newton steps until the duality gap is at most `gap` of the objective.
    """

    dual_coef_: Array

    def __init__(
        self,
        *,
        kernel: str = "gaussian",
        sigma: float = 0.5,
        c_ambient: float = 0.005,
        c_intrinsic: float = 0.01,
        n_neighbors: int = 7,
        gap: float = 1e-6,
        max_iter: int = 200,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.c_ambient = c_ambient
        self.c_intrinsic = c_intrinsic
        self.n_neighbors = n_neighbors
        self.gap = gap
        self.max_iter = max_iter

    def _penalty(self, rows: Array, codes: Codes) -> Graph:
        return graphs.laplacian(graphs.neighbours(rows, int(self.n_neighbors), "n_neighbors").astype(float))

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        return _MarginSolver(self._problem(X, y), float(self.gap), warm_start or {})


class _MarginSolver(Solver):
    """One Newton step for every class that has not converged yet; β starts at 0, where F is zero."""

    def __init__(self, problem: KernelProblem, gap: float, warm_start: Mapping[str, Array]) -> None:
        self.problem, self.gap = problem, gap
        labelled = problem.labelled
        self.signs = 2 * problem.targets[labelled] - 1
        # f = ½ K (C_A I + C_I L K)⁻¹ Jᵀ (z∘β): the kernel that the graph has bent.
        unit = np.zeros((problem.codes.size, labelled.size))
        unit[labelled, np.arange(labelled.size)] = 0.5
        self.lift = problem.solve(unit, loss=0.0)
        self.bent = problem.K @ self.lift
        gram = self.bent[labelled]
        self.gram = (gram + gram.T) / 2
        beta = warm_start.get("dual_coef")
        same = beta is not None and beta.shape == self.signs.shape
        self.beta = np.clip(np.array(beta, float), 0, 1) if same else np.zeros_like(self.signs)
        self._look()

    def _look(self) -> None:
        weights = self.signs * self.beta
        self.B, self.F = self.lift @ weights, self.bent @ weights
        self._output = self.problem.in_data_type(coef=self.B, embedding=self.F, dual_coef=self.beta.copy())
        margins = self.signs * (self.gram @ weights)
        energy = np.multiply(self.beta, margins).sum(axis=0) / 2
        primal = np.maximum(1 - margins, 0).sum(axis=0) + energy
        dual = self.beta.sum(axis=0) - energy
        self.settled = primal - dual <= self.gap * primal
        self.done = bool(self.settled.all())

    def step(self) -> None:
        """Take one projected Newton step in every class whose gap is still too wide."""
        for c in np.flatnonzero(~self.settled):
            z = self.signs[:, c]
            self.beta[:, c] = newton_step(self.gram * np.outer(z, z), self.beta[:, c])
        self._look()

    def terms(self) -> dict[str, float]:
        """Return the mean hinge loss of the labelled rows, summed over classes, and both penalties."""
        labelled = self.problem.labelled
        loss = float(np.maximum(1 - self.signs * self.F[labelled], 0).sum())
        complexity, smoothness = self.problem.regularisers(self.B, self.F)
        return {
            "loss": loss / labelled.size,
            "complexity": complexity / labelled.size,
            "smoothness": smoothness / labelled.size,
        }

    def arrays(self) -> dict[str, Array]:
        """Return coefficients, scores of the training rows, and β (labelled rows × classes)."""
        return self._output


SPEC = LapSVM.spec = Spec(
    id="lap_svm",
    title="LapSVM",
    family="classifiers",
    summary="A support vector machine whose answers change little between near neighbours.",
    objective=(
        r"\sum_c\ \frac1l\sum_{i\le l}\max\bigl(0,1-z_{ic}f_c(x_i)\bigr)+\gamma_A\lVert f_c\rVert_K^2"
        r"+\frac{\gamma_I}{(l+u)^2}\,f_c^\top Lf_c"
    ),
    update=(
        r"\max_{0\le\beta\le 1}\ \mathbf 1^\top\beta-\tfrac12\beta^\top Z\,GZ\beta,\qquad"
        r" G=\tfrac12\,JK(C_AI+C_ILK)^{-1}J^\top"
    ),
    references=(
        "M. Belkin, P. Niyogi and V. Sindhwani. Manifold regularization: a geometric framework for learning "
        "from labeled and unlabeled examples. Journal of Machine Learning Research 7, 2006.",
        "D. P. Bertsekas. Projected Newton methods for optimization problems with simple constraints. "
        "SIAM Journal on Control and Optimization 20, 1982.",
    ),
    params=(
        SIGMA,
        C_AMBIENT.but(least=1e-8),
        C_INTRINSIC,
        NEIGHBOURS,
        KERNEL,
        Param(
            "gap",
            "float",
            1e-6,
            "The run ends when the objective is proven to be within this fraction of the smallest possible.",
            least=0.0,
            low=1e-9,
            high=1e-2,
            scale="log",
            advanced=True,
        ),
        MAX_ITER.but(default=200, high=1000),
    ),
    estimator=LapSVM,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    signed=True,
    recognition="predict",
    expected_failed_checks=FAILED_CHECKS,
    memory=copies(3, pairs=4.5, labelled=6.5),
    instead="hgf",
    cost="One N × N system, O(N³); then for each class and Newton step an l × l system, O(l³).",
    corrections=(
        "The paper on S-RLSC prints the hinge loss with a wrong condition: it is 1 − zf where zf < 1, "
        "otherwise 0. What falls at every step is the dual; the objective shown may rise on the way."
    ),
)
