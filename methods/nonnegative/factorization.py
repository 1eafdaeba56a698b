"""What the matrix factorizations X ≈ W H, W, H ≥ 0, have in common around their updates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils import Tags

from methods.checks import check_data, check_start
from methods.data_matrix import DataMatrix
from methods.spec import Facts
from methods.starts import start
from methods.stepwise import StepwiseTransformer
from methods.typing import Array


class NonnegativeFactorization(StepwiseTransformer):
    """Input checks, the start, and features of unseen rows by pseudo-inverse."""

    def transform(self, X: Any) -> Array:
        """Return X·H⁺, the least-squares coefficients of unseen rows (Li et al. 2001)."""
        X = self._unseen(X, nonnegative=False, accept_sparse=True)
        dtype = np.result_type(X.dtype, self.components_.dtype)
        # SciPy's cuts singular values at the precision of the dtype, so that equal parts share their weight;
        # NumPy's would keep them at 1e-15 even in float32.
        return np.asarray(X @ linalg.pinv(self.components_.astype(dtype, copy=False)))

    def _begin(
        self, X: Any, facts: Facts, warm_start: Mapping[str, Array] | None
    ) -> tuple[DataMatrix, Array, Array]:
        data = DataMatrix(X)
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
        return check_data(self, X, nonnegative=True, accept_sparse=True)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags
