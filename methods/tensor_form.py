"""Samples that are tensors: their shape, where a run starts, and the published updates.

    X_n ≈ Σ_j W_nj u¹_j ⊗ u²_j ⊗ … ,   graph terms weighted by Π_b ‖u^b_j‖²

Rows of the data matrix are the samples, flattened in row-major order. In a mode's update the data appear
as WᵀX contracted with the other modes' factors one at a time, so one product with the data serves all modes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt, prod
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from methods.checks import check_start
from methods.data_matrix import DataMatrix
from methods.multiplicative import GraphTerm, MultiplicativeSolver
from methods.rank_one import gram_but, lengths, outer, project
from methods.spec import Param
from methods.starts import best_scale, nndsvda
from methods.typing import Array, is_sparse

Shape = tuple[int, ...]

SAMPLE_SHAPE = Param(
    "sample_shape",
    "shape",
    None,
    "Rows and columns of an image, or the sizes of a tensor; empty: a square image.",
    paper="the size of the images",
    unset="a square image",
    advanced=True,
)


def flattened(X: Any) -> tuple[Any, Shape | None]:
    """Return samples as rows, and their shape if they came as tensors."""
    if is_sparse(X) or getattr(X, "ndim", 2) <= 2:
        return X, None
    array = np.asarray(X)
    return array.reshape(len(array), -1), array.shape[1:]


def flattened_mask(mask: Any) -> Any:
    """Return a mask with one row a sample, as the data are seen."""
    return mask if mask is None else flattened(mask)[0]


def shape_of(sample_shape: Sequence[int] | None, input_shape: Shape | None, n_features: int) -> Shape:
    """Return the shape of a sample: `sample_shape`, else that of the input, else a square image."""
    shape = None if sample_shape is None else tuple(int(size) for size in sample_shape)
    if shape is not None:
        if prod(shape) != n_features:
            raise ValueError(
                f"sample_shape={shape} holds {prod(shape)} numbers, but rows of X have {n_features} features."
            )
        if input_shape is not None and input_shape != shape:
            raise ValueError(
                f"sample_shape={shape} differs from the samples of X, which have shape {input_shape}."
            )
        return shape
    if input_shape is not None:
        return input_shape
    side = isqrt(n_features)
    if side * side != n_features:
        raise ValueError(
            f"sample_shape is not given, and {n_features} features are no square image: "
            "say how a row folds, such as sample_shape=(rows, columns)."
        )
    return (side, side)


def start(init: Any, data: DataMatrix, shape: Shape, k: int, random_state: Any) -> tuple[list[Array], Array]:
    """Return private arrays (one factor a mode, k × d_b; embedding) to start from.

    `init` is "random", "nndsvda" (of the flattened samples, each part replaced by the outer product of
    its marginals), or the pair (list of factors d_b × k, embedding).
    """
    if isinstance(init, (tuple, list)):
        if len(init) != 2:
            raise ValueError("init must be a name or the pair (list of factors, embedding).")
        return explicit_start(init[0], init[1], data, shape, k, "init")
    if init == "random":
        rng = check_random_state(random_state)
        factors = [np.ascontiguousarray(rng.uniform(size=(k, d)), dtype=data.dtype) for d in shape]
        W = np.ascontiguousarray(rng.uniform(size=(data.shape[0], k)), dtype=data.dtype)
    else:
        H, W = nndsvda(data, k, random_state)
        parts = H.reshape(k, *shape)
        modes = range(1, len(shape) + 1)
        factors = [parts.mean(axis=tuple(other for other in modes if other != mode)) for mode in modes]
    return factors, W * best_scale(data, outer(factors), W)


def continued(
    warm_start: Mapping[str, Any], data: DataMatrix, shape: Shape, k: int
) -> tuple[list[Array], Array]:
    """Return private copies of the arrays of an earlier run."""
    if "factors" not in warm_start:
        raise ValueError("warm_start has no factors: continue from a run on samples of the same shape.")
    return explicit_start(warm_start["factors"], warm_start["embedding"], data, shape, k, "warm_start")


def explicit_start(
    factors: Any, embedding: Any, data: DataMatrix, shape: Shape, k: int, source: str
) -> tuple[list[Array], Array]:
    """Return private copies of an explicit start, factors turned to one part a row."""
    if not isinstance(factors, (list, tuple)) or len(factors) != len(shape):
        raise ValueError(f"{source}: give one factor for each of the {len(shape)} modes of a sample.")
    checked = [
        check_start(f"factors[{mode}]", factor, (d, k), data.dtype, source=source)
        for mode, (factor, d) in enumerate(zip(factors, shape, strict=True))
    ]
    W = check_start("embedding", embedding, (data.shape[0], k), data.dtype, source=source)
    return [np.ascontiguousarray(factor.T) for factor in checked], W


class MultiplicativeTensorSolver(MultiplicativeSolver):
    """Each mode's factor in turn, then unit factors, then W (eq 15, 24–25 and 28 of Wang et al. 2009)."""

    def __init__(
        self, data: DataMatrix, factors: Sequence[Array], W: Array, graphs: Sequence[GraphTerm] = ()
    ) -> None:
        self.factors = [np.array(factor, order="C") for factor in factors]
        super().__init__(data, outer(self.factors), W, graphs, unit_parts=True)

    def arrays(self) -> dict[str, Array]:
        """Return the parts, the factors they are made of (d_b × k), and the embedding."""
        factors: Any = [factor.T for factor in self.factors]
        return super().arrays() | {"factors": factors}

    def _look_at_parts(self) -> None:
        self._grams = [factor @ factor.T for factor in self.factors]
        self._gram_H = gram_but(self._grams)

    def _update_parts(self) -> None:
        self.data.weighted_rows(self.W, self._numerator)
        apart, pull = self._curvature()
        for mode, factor in enumerate(self.factors):
            others = gram_but(self._grams, mode)
            # On the diagonal `others` holds Π‖u^p_j‖², by which the graph terms of part j are weighted.
            numerator = np.ascontiguousarray(project(self._numerator, self.factors, mode))
            self._apply(factor, numerator, (apart * others) @ factor, pull * np.diagonal(others))
            self._grams[mode] = factor @ factor.T
        self._gram_H = gram_but(self._grams)

    def _normalise(self) -> Array:
        norms = lengths(self._grams)
        for factor, gram, norm in zip(self.factors, self._grams, norms, strict=True):
            factor *= (1 / norm)[:, None]
            gram /= np.multiply.outer(norm, norm)
        self._gram_H = gram_but(self._grams)
        self.H = outer(self.factors)
        grow = norms.prod(axis=0)
        self.W *= grow
        return np.asarray(grow)


# scikit-learn's checks hand over rows of 2, 3, 5 or 10 features, which fold into no square image. All of them
# pass when `sample_shape` is set: the tests of the tensor methods run them so.
_ON_ROWS_OF_ANY_LENGTH = """
    dict_unchanged dont_overwrite_parameters dtype_object estimator_sparse_array
    estimator_sparse_matrix estimator_sparse_tag estimators_dtypes estimators_fit_returns_self
    estimators_nan_inf estimators_overwrite_params estimators_pickle f_contiguous_array_estimator
    fit2d_1sample fit2d_predict1d fit_check_is_fitted fit_idempotent fit_score_takes_y
    methods_sample_order_invariance methods_subset_invariance n_features_in pipeline_consistency
    readonly_memmap_input requires_y_none transformer_data_not_an_array transformer_general
    transformer_n_iter transformer_preserve_dtypes
"""
NEEDS_A_SHAPE = dict.fromkeys(
    (f"check_{name}" for name in _ON_ROWS_OF_ANY_LENGTH.split()),
    "rows of 2, 3, 5 or 10 features are no square images, and no sample_shape is told",
)
