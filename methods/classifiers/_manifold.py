"""Kernel classifiers with a penalty on the graph of all samples (Belkin, Niyogi and Sindhwani, 2006).

    (1/l) Σ_labelled loss(y_i, F(x_i)) + γ_A ‖F‖²_K + (γ_I/(l+u)²) tr(Fᵀ P F),   F(x) = Σ_i b_i k(x_i, x)

Only the penalty matrix P and the loss differ between the methods. The code weighs with
C_A = γ_A·l and C_I = γ_I·l/(l+u)², which is l times the criterion; the objective it reports is divided by l.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_data, check_labels
from methods.classifiers._kernels import kernel_matrix
from methods.rows import indicator, unit_rows
from methods.step import State
from methods.stepwise import Solver, StepwiseClassifier
from methods.typing import Array, Codes, Graph

# A penalty matrix of so many samples that is filled to this share is multiplied as a dense one.
_MANY, _FILLED = 2500, 0.1
# Below this reciprocal condition number not one digit of a solution is right.
_SINGULAR = 1e-15


class ManifoldClassifier(StepwiseClassifier):
    """F(x) = Σ b_i k(x_i, x) over training rows of unit length; a method gives `_penalty`."""

    kernel: str
    sigma: float
    c_ambient: float
    c_intrinsic: float
    rows_: Array
    coef_: Array
    # Whether P may have negative eigenvalues, so that the criterion may have no minimum.
    _indefinite: ClassVar[bool] = False

    def _penalty(self, rows: Array, codes: Codes) -> Graph:
        """Return P, the matrix of the graph penalty, in double precision."""
        raise NotImplementedError

    def _problem(self, X: Any, y: Any) -> KernelProblem:
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        self.rows_ = unit_rows(X)
        return KernelProblem(
            kernel_matrix(self.rows_, self.rows_, self.kernel, self.sigma),
            self._penalty(self.rows_, codes),
            codes,
            self.classes_.size,
            float(self.c_ambient),
            float(self.c_intrinsic),
            X.dtype,
        )

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        problem = self._problem(X, y)
        if self._indefinite:
            problem.refuse_unbounded()
        return LeastSquaresSolver(problem)

    def restore(self, X: Any, y: Any, arrays: State, **fit_params: Any) -> Self:
        """Restore the fitted state of an earlier run from its coefficients; the graph is not needed again."""
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        self.classes_ = check_labels(type(self).__name__, y, X.shape[0])[1]
        self.rows_, self.coef_ = unit_rows(X), arrays["coef"]
        return self

    def _class_scores(self, X: Any) -> Array:
        check_is_fitted(self, "coef_")
        X = check_data(self, X, nonnegative=False, reset=False, accept_sparse=True, entries=True)
        kernel = kernel_matrix(unit_rows(X), self.rows_, self.kernel, self.sigma)
        return np.asarray(kernel @ self.coef_, dtype=X.dtype)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


@dataclass(frozen=True)
class KernelProblem:
    """Kernel, penalty and labels of one training set, and what follows from them."""

    K: Array
    P: Graph
    codes: Codes
    n_classes: int
    c_ambient: float
    c_intrinsic: float
    dtype: Any

    @property
    def labelled(self) -> Codes:
        """The labelled rows."""
        return np.flatnonzero(self.codes >= 0)

    @property
    def targets(self) -> Array:
        """The 0/1 label matrix; rows of unlabelled samples are zero."""
        return indicator(self.codes, self.n_classes)

    def in_data_type(self, **arrays: Array) -> dict[str, Array]:
        """Return arrays in the type of the data; all work is done in double precision."""
        return {name: array.astype(self.dtype, copy=False) for name, array in arrays.items()}

    def regularisers(self, B: Array, F: Array) -> tuple[float, float]:
        """Return C_A tr(BᵀKB) and C_I tr(FᵀPF) for F = KB."""
        return (
            self.c_ambient * float(np.multiply(B, F).sum()),
            self.c_intrinsic * float(np.multiply(F, self.P @ F).sum()),
        )

    def solve(self, right: Array, *, loss: float) -> Array:
        """Return Z with (loss·J K + C_A I + C_I P K) Z = right; J picks the labelled rows."""
        # Rows on which neither labels nor penalty act have zero coefficients: leave them out.
        touched = (np.diff(self.P.indptr) > 0) | (self.codes >= 0)
        rows = np.flatnonzero(touched)
        K = self.K if touched.all() else self.K[np.ix_(rows, rows)]
        P = self.P if touched.all() else sparse.csr_array(self.P[rows][:, rows])
        filled = rows.size >= _MANY and P.nnz > _FILLED * rows.size**2
        system = self.c_intrinsic * ((P.toarray() if filled else P) @ K)
        is_labelled = self.codes[rows] >= 0
        system[is_labelled] += loss * K[is_labelled]
        system[np.diag_indices_from(system)] += self.c_ambient
        Z = np.zeros_like(right)
        Z[rows] = self._solved(system, right[rows])
        return Z

    def solve_labels_alone(self) -> Array:
        """Return the coefficients without the graph, scaled to be as good as they can be with it."""
        B, labelled = np.zeros_like(self.targets), self.labelled
        system = self.K[np.ix_(labelled, labelled)]
        system[np.diag_indices_from(system)] += self.c_ambient
        B[labelled] = self._solved(system, self.targets[labelled])
        F = self.K @ B
        energy = np.square(F[labelled]).sum() + sum(self.regularisers(B, F))
        return np.asarray(B * (np.multiply(F, self.targets).sum() / energy if energy > 0 else 0.0))

    def refuse_unbounded(self) -> None:
        """Raise a ValueError unless the least-squares criterion has a minimum."""
        labelled = self.labelled
        K = self.K[np.ix_(labelled, labelled)]
        K[np.diag_indices_from(K)] += 1e-10
        R = linalg.cholesky(K, lower=True)
        curvature = R.T @ (R + self.c_intrinsic * (self.P[labelled][:, labelled] @ R))
        curvature[np.diag_indices_from(curvature)] += self.c_ambient
        if linalg.lapack.dpotrf(curvature)[1] != 0:
            raise ValueError(
                f"c_intrinsic={self.c_intrinsic:g} lets the push between classes outweigh everything else, "
                "so that the criterion has no minimum: lower it, or raise eta or c_ambient."
            )

    def _solved(self, system: Array, right: Array) -> Array:
        norm = float(np.abs(system).sum(axis=0).max())
        factors, pivots, failed = linalg.lapack.dgetrf(system)
        condition = 0.0 if failed else float(linalg.lapack.dgecon(factors, norm)[0])
        if not condition > _SINGULAR:
            raise ValueError(
                "The kernel matrix is singular to working precision and "
                f"c_ambient={self.c_ambient:g} does not make up for it: "
                "raise c_ambient, lower sigma, or leave out samples that occur twice."
            )
        return np.asarray(linalg.lapack.dgetrs(factors, pivots, right)[0])


class LeastSquaresSolver(Solver):
    """Three stages: zero coefficients, the fit to the labels alone, the minimum of the whole criterion."""

    def __init__(self, problem: KernelProblem) -> None:
        self.problem = problem
        self._take(np.zeros_like(problem.targets))
        self._stages = iter((problem.solve_labels_alone, self._solve))
        self._left = 2

    def _solve(self) -> Array:
        return self.problem.solve(self.problem.targets, loss=1.0)

    def _take(self, B: Array) -> None:
        self.B, self.F = B, self.problem.K @ B
        self._output = self.problem.in_data_type(coef=self.B, embedding=self.F)

    def step(self) -> None:
        """Go on to the next stage."""
        self._take(next(self._stages)())
        self._left -= 1
        self.done = self._left == 0

    def terms(self) -> dict[str, float]:
        """Return the mean squared loss on the labelled rows and both penalties."""
        labelled = self.problem.labelled
        loss = float(np.square(self.problem.targets[labelled] - self.F[labelled]).sum())
        complexity, smoothness = self.problem.regularisers(self.B, self.F)
        return {
            "loss": loss / labelled.size,
            "complexity": complexity / labelled.size,
            "smoothness": smoothness / labelled.size,
        }

    def arrays(self) -> dict[str, Array]:
        """Return the coefficients, and the scores of the training rows as embedding."""
        return self._output
