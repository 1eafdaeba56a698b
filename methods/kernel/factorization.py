"""What the kernel factorizations S ≈ BH have in common: the root of the kernel, and features of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.accelerated import AcceleratedSolver
from methods.checks import check_data, check_start
from methods.data_matrix import DataMatrix
from methods.kernel.kernels import (
    Kernel,
    Root,
    least_squares_map,
    printed_map,
    refuse_operator,
    root,
)
from methods.multiplicative import MultiplicativeSolver
from methods.spec import Facts
from methods.starts import start
from methods.stepwise import Solver, StepwiseTransformer
from methods.typing import Array


class KernelFactorization(StepwiseTransformer):
    """NMF of S = max(K^½, 0), K the kernel between training rows.

    Fitted: `root_components_` is Bᵀ (k × training rows), `embedding_` Hᵀ (training rows × k).
    `dual_components_` is Aᵀ = BᵀS⁺, the weights of the training rows in each basis vector Φ(X)A.
    `components_` is AᵀX, the same mixture of the rows themselves: exact for a linear kernel, an
    approximate pre-image, good for looking at, for any other. The last two are worked out when
    asked for, so that no iteration depends on the number of features. An explicit `init` is the
    pair (Bᵀ, Hᵀ).
    """

    root_components_: Array
    _nonnegative = False
    # Whether no eigenvalue of the kernel can be negative.
    _definite = False

    def _kernel(self, X: Any) -> tuple[Kernel, Array]:
        """Return the kernel for these training rows, and its values between them."""
        raise NotImplementedError

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        self._check_params()
        refuse_operator(type(self).__name__, X)
        X = check_data(self, X, nonnegative=self._nonnegative, accept_sparse=True)
        # A copy: features of unseen rows depend on these rows, which the caller may go on to change.
        self.X_fit_ = X.copy()
        self.kernel_, self.kernel_matrix_ = self._kernel(X)
        k = int(self._resolved("n_components", Facts(X.shape[0], X.shape[1])))
        self._root = root(self.kernel_matrix_, k, definite=self._definite)
        data = DataMatrix(self._root.matrix.astype(X.dtype))
        H, W = self._start(data, k, warm_start)
        # Multiplication keeps the parts about as long as they were drawn. Coordinate steps do not, and 1-NN
        # would then hear only the features of the shortest: unit length costs nothing and prevents it.
        nmf = (
            AcceleratedSolver(data, [H], W, unit_parts=True)
            if self.solver == "accelerated"
            else MultiplicativeSolver(data, H, W)
        )
        return _InSampleSpace(nmf, self._root, self.X_fit_)

    def _start(self, data: DataMatrix, k: int, warm_start: Mapping[str, Array] | None) -> tuple[Array, Array]:
        if warm_start is None:
            return start(self.init, data, k, self.random_state)
        n = data.shape[0]
        components, embedding = warm_start["root_components"], warm_start["embedding"]
        return (
            check_start("root_components", components, (k, n), data.dtype, source="warm_start"),
            check_start("embedding", embedding, (n, k), data.dtype, source="warm_start"),
        )

    @property
    def dual_components_(self) -> Array:
        """Aᵀ: how much of each training row is in each basis vector."""
        return _dual(self.root_components_, self._root.inverse)

    @property
    def components_(self) -> Array:  # type: ignore[override]  # worked out on demand, see the class
        """AᵀX: the basis vectors as mixtures of the training rows, for looking at."""
        return _mixture(self.dual_components_, self.X_fit_)

    def transform(self, X: Any) -> Array:
        """Return features of rows, training rows and unseen rows alike.

        `features="lstsq"` gives (AᵀKA)⁺Aᵀk, the coefficients whose mixture of basis vectors is
        closest to φ(x); "printed" gives A⁺K⁻¹k as in the paper.
        """
        check_is_fitted(self, "root_components_")
        refuse_operator(type(self).__name__, X)
        X = check_data(self, X, nonnegative=self._nonnegative, reset=False, accept_sparse=True)
        A = (self.root_components_ @ self._root.inverse).T
        to_features = least_squares_map if self.features == "lstsq" else printed_map
        coefficients = self.kernel_(X, self.X_fit_) @ to_features(self.kernel_matrix_, A)
        return np.asarray(coefficients.astype(np.result_type(X.dtype, self.embedding_.dtype)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self._nonnegative
        tags.input_tags.sparse = True
        return tags


class _InSampleSpace(Solver):
    """NMF of S; arrays over the features are computed only on demand."""

    def __init__(self, nmf: Solver, root: Root, X: Any) -> None:
        self._nmf, self._root, self._rows = nmf, root, X

    def step(self) -> None:
        """Update B, then H."""
        self._nmf.step()

    def terms(self) -> dict[str, float]:
        """Return ‖S − BH‖²."""
        return self._nmf.terms()

    def arrays(self) -> dict[str, Array]:
        """Return Bᵀ and Hᵀ."""
        factors = self._nmf.arrays()
        return {"root_components": factors["components"], "embedding": factors["embedding"]}

    def derived(self) -> dict[str, Callable[[], Array]]:
        """Return functions that compute Aᵀ and AᵀX."""
        return {"dual_components": self._weights, "components": lambda: _mixture(self._weights(), self._rows)}

    def _weights(self) -> Array:
        return _dual(self.arrays()["root_components"], self._root.inverse)


def _dual(components: Array, root_inverse: Array) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray((components @ root_inverse).astype(components.dtype))


def _mixture(dual: Array, X: Any) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray((X.T @ dual.T).T)
