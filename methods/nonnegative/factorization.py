"""What the matrix factorizations X ≈ W H, W, H ≥ 0, have in common around their updates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils import Tags

from methods.accelerated import AcceleratedSolver
from methods.checks import check_data, check_start
from methods.data_matrix import DataMatrix
from methods.incomplete import codes_of_incomplete
from methods.multiplicative import GraphTerm, MultiplicativeSolver
from methods.nnls import least_squares
from methods.robust_coding import robust_codes
from methods.spec import Facts
from methods.starts import start
from methods.stepwise import Solver, StepwiseTransformer
from methods.typing import Array


class NonnegativeFactorization(StepwiseTransformer):
    """Input checks, the start, and features of unseen rows by pseudo-inverse.

    Singular values below `_negligible` times the largest are left out; None is the precision of the dtype.
    """

    _negligible: float | None = None

    def transform(self, X: Any) -> Array:
        """Return X·H⁺, the least-squares coefficients of unseen rows (Li et al. 2001)."""
        return self._by_least_squares(X, None)

    def _by_least_squares(self, X: Any, mask: Any) -> Array:
        X = self._unseen(X, nonnegative=False, accept_sparse=True, holes=self._takes_holes())
        return self._codes(X, mask, lambda X: np.asarray(X @ self.feature_map(X.dtype)), self._by_inverse)

    def _codes(
        self, X: Any, mask: Any, whole: Callable[[Any], Array], apart: Callable[[Array, Array], Array]
    ) -> Array:
        """Return the codes of rows: complete ones all at once, others by the parts as each row sees them."""
        if not self._takes_holes():
            return whole(X)
        return codes_of_incomplete(self._parts_for(X.dtype), X, mask, whole, apart)

    def _by_inverse(self, H: Array, X: Array) -> Array:
        return np.asarray(X @ linalg.pinv(H, rtol=self._negligible))

    def feature_map(self, dtype: Any) -> Array:
        """Return H⁺, by which `transform` multiplies rows of this dtype; made anew at every call.

        Whoever has rows to come one by one makes it once and multiplies by it.
        """
        # SciPy's cuts singular values at the precision of the dtype, so that equal parts share their weight;
        # NumPy's would keep them at 1e-15 even in float32.
        return np.asarray(linalg.pinv(self._parts_for(dtype), rtol=self._negligible))

    def _parts_for(self, dtype: Any) -> Array:
        return self.components_.astype(np.result_type(dtype, self.components_.dtype), copy=False)

    def _begin(
        self, X: Any, facts: Facts, warm_start: Mapping[str, Array] | None
    ) -> tuple[DataMatrix, Array, Array]:
        data = X if isinstance(X, DataMatrix) else DataMatrix(X)
        k = int(self._resolved("n_components", facts))
        if warm_start is None:
            return data, *start(self.init, data, k, self.random_state)
        n, m = data.shape
        return (
            data,
            check_start("components", warm_start["components"], (k, m), data.dtype, source="warm_start"),
            check_start("embedding", warm_start["embedding"], (n, k), data.dtype, source="warm_start"),
        )

    def _checked(self, X: Any) -> Any:
        self._check_params()
        return check_data(self, X, nonnegative=True, accept_sparse=True, holes=self._takes_holes())

    def _takes_holes(self) -> bool:
        return "holes" in self.spec.takes

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._takes_holes()
        return tags


class FrobeniusFactorization(NonnegativeFactorization):
    """min ‖X − WH‖² + graph terms: solved by either solver, and unseen rows by either least squares."""

    solver: str

    def transform(self, X: Any, how: str = "pinv", *, mask: Any = None) -> Array:
        """Return the coefficients of unseen rows in terms of the parts H.

        "pinv" is X·H⁺, least squares of any sign (Li et al. 2001); "nnls" is least squares with
        coefficients that are zero or more, exactly; "robust" is the same but for entries that fit badly,
        which count less (Huber), and needs dense rows. Entries that are unknown (NaN) or count less (`mask`)
        do so in all three.
        """
        if how == "pinv":
            return self._by_least_squares(X, mask)
        if how not in ("nnls", "robust"):
            raise ValueError(f"how={how!r} is not known: choose 'pinv', 'nnls' or 'robust'.")
        X = self._unseen(X, nonnegative=False, accept_sparse=how == "nnls", holes=self._takes_holes())
        H, code = self._parts_for(X.dtype), least_squares if how == "nnls" else robust_codes
        return self._codes(X, mask, lambda X: code(H, X), code).astype(H.dtype, copy=False)

    def _solve(
        self, data: DataMatrix, H: Array, W: Array, graphs: Sequence[GraphTerm] = (), unit_parts: bool = False
    ) -> Solver:
        if self.solver == "accelerated":
            # Exact steps let the lengths of parts drift a thousandfold apart, and then the shortest decide
            # which rows look alike in `transform`. Parts of unit length leave the objective as it is.
            return AcceleratedSolver(data, [H], W, graphs, unit_parts=True)
        return MultiplicativeSolver(data, H, W, graphs, unit_parts=unit_parts)
