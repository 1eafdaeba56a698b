"""What the matrix factorizations X ≈ W H, W, H ≥ 0, have in common around their updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted

from methods.accelerated import AcceleratedSolver
from methods.checks import check_data, check_start
from methods.coefficients import ALIKE, coefficients, condition
from methods.data_matrix import DataMatrix, dense_rows
from methods.given_parts import place_parts
from methods.incomplete import codes_of_incomplete
from methods.multiplicative import GraphTerm, MultiplicativeSolver
from methods.spec import Facts
from methods.starts import best_scale, start
from methods.step import State
from methods.stepwise import Solver, StepwiseTransformer
from methods.typing import Array

_ROWS_AT_ONCE = 256


class NonnegativeFactorization(StepwiseTransformer):
    """Input checks and the start."""

    features: str

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

    def _placed(
        self,
        data: DataMatrix,
        H: Array,
        W: Array,
        warm_start: Mapping[str, Array] | None,
        fixed: Any,
        seeds: Any,
    ) -> int:
        """Place given parts among those to begin with, in place; return how many of them are fixed."""
        held = place_parts(H, fixed, seeds)
        if not (fixed is None and seeds is None) and warm_start is None and isinstance(self.init, str):
            W *= best_scale(data, H, W)
        return held

    def restore(self, X: Any, y: Any, arrays: State, **fit_params: Any) -> Self:
        """Restore the fitted state of an earlier run; features of new rows depend on the parts alone."""
        for name in arrays:
            setattr(self, f"{name}_", arrays[name])
        self.n_features_in_ = self.components_.shape[1]
        return self

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


class AdditiveFactorization(NonnegativeFactorization):
    """Rows are sums of parts, X ≈ WH: features of rows, the way back, and how much of them is explained."""

    def fit_transform(self, X: Any, y: Any = None, *, mask: Any = None, **fit_params: Any) -> Array:
        """Return the features of the rows learned from: `fit`, then `transform`, and not `embedding_`.

        A pipeline compares new rows with those it learned from, so that both must be coded in the same way.
        The W of the fit itself, zero or more, is `embedding_`; with features="nnls" the two agree once the
        fit has settled.
        """
        weights = {} if mask is None else {"mask": mask}
        return np.asarray(self.fit(X, y, **fit_params, **weights).transform(X, **weights))

    def transform(self, X: Any, *, mask: Any = None) -> Array:
        """Return the coefficients of rows in terms of the parts H, found as `features` says.

        Entries that are unknown (0 in `mask`, or NaN where a fit takes that) or count less do so here too.
        """
        self._check_features()
        how, holes = self.features, mask is not None or self._takes_holes()
        X = self._unseen(X, nonnegative=False, accept_sparse=how != "robust", holes=holes)
        H = self._parts_for(X.dtype)
        if not holes:
            return coefficients(H, X, how)

        def code(parts: Array, rows: Any) -> Array:
            return coefficients(parts, rows, how)

        return codes_of_incomplete(H, X, mask, lambda rows: code(H, rows), code)

    def inverse_transform(self, X: Any) -> Array:
        """Return the rows that features stand for: the sum of the parts, weighted by them."""
        check_is_fitted(self, "components_")
        features = check_array(X, dtype=[np.float64, np.float32])
        if features.shape[1] != len(self.components_):
            raise ValueError(
                f"X has {features.shape[1]} columns, but there are {len(self.components_)} parts to weigh."
            )
        return np.asarray(features @ self._parts_for(features.dtype))

    def score(self, X: Any, y: Any = None) -> float:
        """Return which share of ‖X‖², where X is known, the features of rows explain; 1 is all of it."""
        Z, H = self.transform(X), self.components_
        X = self._unseen(X, nonnegative=False, accept_sparse=True, holes=self._takes_holes())
        missed = size = 0.0
        for first in range(0, X.shape[0], _ROWS_AT_ONCE):
            rows = slice(first, first + _ROWS_AT_ONCE)
            block = dense_rows(X, rows)
            missed += float(np.nansum(np.square(block - Z[rows] @ H), dtype=np.float64))
            size += float(np.nansum(np.square(block), dtype=np.float64))
        return 1 - missed / size if size > 0 else 1.0

    @property
    def condition_(self) -> float:
        """How much alike the parts are: largest over smallest singular value of the parts at length 1."""
        check_is_fitted(self, "components_")
        return condition(self.components_)

    @property
    def remark_(self) -> str:
        """A sentence if features other than "ridge" are found from parts that are nearly alike."""
        if self.features == "ridge" or (alike := self.condition_) < ALIKE:
            return ""
        return (
            f"Some parts are nearly alike (condition {alike:.3g}): features={self.features!r} then blow up "
            "small differences between samples. With features='ridge' they do not."
        )

    def _check_features(self) -> None:
        self.spec.param("features").check(self.features)

    def _parts_for(self, dtype: Any) -> Array:
        return self.components_.astype(np.result_type(dtype, self.components_.dtype), copy=False)


class FrobeniusFactorization(AdditiveFactorization):
    """min ‖X − WH‖² + graph terms, by either solver."""

    solver: str

    def _solve(
        self,
        data: DataMatrix,
        H: Array,
        W: Array,
        graphs: Sequence[GraphTerm] = (),
        unit_parts: bool = False,
        held: int = 0,
    ) -> Solver:
        if self.solver == "accelerated":
            # Exact steps let the lengths of parts drift a thousandfold apart, and then the shortest decide
            # which rows look alike in `transform`. Parts of unit length leave the objective as it is.
            return AcceleratedSolver(data, [H], W, graphs, unit_parts=True, held=held)
        return MultiplicativeSolver(data, H, W, graphs, unit_parts=unit_parts, held=held)
