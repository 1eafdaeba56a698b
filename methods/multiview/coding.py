"""Coefficients of samples that several views show, weighted as in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import linalg

from methods.coefficients import coefficients, ridge_inverse
from methods.incomplete import codes_of_incomplete, has_holes
from methods.multiview.views import joined
from methods.nnls import from_gram
from methods.typing import Array


def codes_in_views(views: Sequence[Any], parts: Sequence[Array], weights: Array, how: str) -> Array:
    """Return the coefficients of samples on the parts of all views at once.

    `how` is "nnls", "ridge" or "pinv". Entries or whole views of a sample may be unknown.
    """
    if any(has_holes(view) for view in views):
        return _codes_with_holes(views, parts, weights, how)
    k = parts[0].shape[0]
    gram, targets = np.zeros((k, k)), np.zeros((views[0].shape[0], k))
    for weight, view, part in zip(weights, views, parts, strict=True):
        gram += weight * (part.astype(np.float64) @ part.T)
        targets += weight * (view @ part.T)
    dtype = np.result_type(views[0].dtype, parts[0].dtype)
    if how == "nnls":
        return from_gram(gram, targets).astype(dtype, copy=False)
    plain = how == "pinv"
    inverse = linalg.pinvh(gram, rtol=k * float(np.finfo(dtype).eps)) if plain else ridge_inverse(gram)
    return np.asarray(targets @ inverse).astype(dtype, copy=False)


def _codes_with_holes(views: Sequence[Any], parts: Sequence[Array], weights: Array, how: str) -> Array:
    roots = np.sqrt(weights).tolist()
    H = np.hstack([part * root for part, root in zip(parts, roots, strict=True)])
    X = joined([view * root for view, root in zip(views, roots, strict=True)])

    def code(parts: Array, rows: Array) -> Array:
        return coefficients(parts, rows, how)

    return codes_of_incomplete(H, X, None, lambda rows: code(H, rows), code).astype(X.dtype, copy=False)
