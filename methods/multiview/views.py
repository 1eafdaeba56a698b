"""Several views as input: a list or mapping of matrices over the same rows, or one matrix, the only view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from methods.checks import check_data, is_operator
from methods.data_matrix import DataMatrix
from methods.incomplete import data_matrix, has_holes
from methods.spec import Param
from methods.typing import Array, is_sparse

UNIT_SAMPLES = Param(
    "unit_samples",
    "flag",
    True,
    "Scale every sample to length 1 in each view, so that views of larger numbers do not count for more.",
    paper="not stated",
    advanced=True,
)


def check_views(
    estimator: Any, X: Any, *, nonnegative: bool, reset: bool = True, holes: bool = False
) -> list[Any]:
    """Return X as a list of matrices in one precision, or say which view is wrong and why.

    A fitted estimator (`reset=False`) is given the views it was fitted on; a mapping is put into their order.
    With `holes`, NaN is an entry that nobody knows, and stays.
    """
    named = _named(X)
    if named is None:
        if not reset and len(estimator.view_names_) > 1:
            _refuse_count(estimator, 1)
        view = check_data(estimator, X, nonnegative=nonnegative, reset=reset, accept_sparse=True, holes=holes)
        if reset:
            estimator.view_names_, estimator.view_features_ = ("0",), (int(view.shape[1]),)
        return [view]
    if not reset:
        named = _in_fitted_order(estimator, named, by_name=isinstance(X, Mapping))
    views = [_checked(estimator, name, view, nonnegative, holes) for name, view in named.items()]
    _check_rows(list(named), views)
    if reset:
        estimator.view_names_ = tuple(named)
        estimator.view_features_ = tuple(int(view.shape[1]) for view in views)
        estimator.n_features_in_ = sum(estimator.view_features_)
    else:
        _check_columns(estimator, views)
    dtype = np.result_type(*(view.dtype for view in views))
    return [view if is_operator(view) else view.astype(dtype, copy=False) for view in views]


def incomplete_views(
    names: Sequence[str], views: list[Any], mask: Any, scaled: Callable[[list[Any]], list[Any]]
) -> list[DataMatrix]:
    """Return checked views as solvers see them; a sample may lack whole views, but not all of them.

    `mask` is None or has one entry a view, as X does: None or an array of the view's shape. Views are
    `scaled` without what is unknown of them.
    """
    if mask is None:
        masks: list[Any] = [None] * len(views)
    elif isinstance(mask, Mapping):
        masks = [mask.get(name) for name in names]
    else:
        masks = list(mask) if isinstance(mask, (list, tuple)) else [mask]
    if len(masks) != len(views):
        raise ValueError(
            f"mask has {len(masks)} view(s), but X has {len(views)}: give None where all is known."
        )
    hidden = [_hidden(view, view_mask) for view, view_mask in zip(views, masks, strict=True)]
    data = [
        data_matrix(view, view_mask, name=f"view {name!r}", empty_rows=len(views) > 1)
        for name, view, view_mask in zip(names, scaled(hidden), masks, strict=True)
    ]
    n_views_with_row = np.sum([view.observed_rows() for view in data], axis=0)
    if (n_views_with_row == 0).any():
        row = int(np.flatnonzero(n_views_with_row == 0)[0])
        raise ValueError(
            f"Nothing is known of row {row} in any view: leave it out, or give at least one entry."
        )
    return data


def _hidden(view: Any, mask: Any) -> Any:
    """Return the view with NaN wherever the mask says that an entry is unknown."""
    if mask is None or np.shape(mask) != view.shape:
        return view  # what does not fit is refused where the mask is read
    return np.where(np.asarray(mask) == 0, view.dtype.type(np.nan), view)


def joined(views: list[Any]) -> Any:
    """Return the views side by side as one matrix, sparse if any of them is."""
    if len(views) == 1:
        return views[0]
    return sparse.hstack(views, format="csr") if any(map(is_sparse, views)) else np.hstack(views)


def is_multiview(X: Any) -> bool:
    """Say whether X is a list or mapping of views and not one matrix."""
    return _named(X) is not None


def unit_rows(view: Any) -> Any:
    """Return the view with rows of length 1; rows of zeros stay zero."""
    if is_operator(view):
        raise ValueError(
            "unit_samples=True scales the rows of X, which products with X alone do not give: "
            "pass a dense or sparse matrix, or set unit_samples=False."
        )
    filled, lacking = _without_holes(view)
    # Dividing by the largest entry first keeps squares within range.
    largest = abs(filled).max(axis=1)
    largest = np.asarray(largest.toarray() if is_sparse(largest) else largest).reshape(-1)
    scaled = _rows_times(filled, _inverse(largest))
    squares = scaled.multiply(scaled).sum(axis=1) if is_sparse(scaled) else np.square(scaled).sum(axis=1)
    lengths = np.sqrt(np.asarray(squares).reshape(-1))
    if lacking is None:
        return _rows_times(scaled, _inverse(lengths))
    # What is unknown of a sample is taken to be as long as the rest of it.
    share = 1 - lacking / view.shape[1]
    lengths /= np.sqrt(np.where(share > 0, share, 1)).astype(lengths.dtype)
    return _rows_times(_rows_times(view, _inverse(largest)), _inverse(lengths))


def _without_holes(view: Any) -> tuple[Any, Array | None]:
    """Return the view with 0 for what is unknown, and how many entries each row lacks; None: no row does."""
    if not has_holes(view):
        return view, None
    if not is_sparse(view):
        unknown = np.isnan(view)
        return np.where(unknown, view.dtype.type(0), view), unknown.sum(axis=1)
    filled, unknown = view.tocsr(copy=True), view.tocsr(copy=True)
    filled.data[np.isnan(filled.data)] = 0
    unknown.data = np.isnan(unknown.data).astype(np.float64)
    return filled, np.ravel(unknown.sum(axis=1))


def _inverse(lengths: Array) -> Array:
    # The smallest normal number: the inverse of anything smaller could not be held.
    floor = np.finfo(lengths.dtype).tiny
    return np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > floor)


def _rows_times(view: Any, factors: Array) -> Any:
    if is_sparse(view):
        return sparse.csr_array(sparse.diags_array(factors) @ view)
    return view * factors[:, None]


def _named(X: Any) -> dict[str, Any] | None:
    """Return views by name, or None if X is one matrix."""
    # One of SciPy's sparse formats is a dictionary of entries.
    if isinstance(X, Mapping) and not is_sparse(X):
        views = {str(name): view for name, view in X.items()}
    # A list of rows is a matrix; a list that holds a matrix is a list of views.
    elif isinstance(X, (list, tuple)) and (not X or any(_is_matrix(view) for view in X)):
        views = {str(index): view for index, view in enumerate(X)}
    else:
        return None
    if not views:
        raise ValueError("X holds no view at all: give a list or mapping of at least one matrix.")
    return views


def _is_matrix(view: Any) -> bool:
    return len(getattr(view, "shape", ())) == 2


def _checked(estimator: Any, name: str, view: Any, nonnegative: bool, holes: bool) -> Any:
    # Each view is a matrix of its own: the check keeps its notes about columns on an estimator made for it.
    probe = type(estimator)()
    try:
        return check_data(probe, view, nonnegative=nonnegative, accept_sparse=True, holes=holes)
    except (ValueError, TypeError) as refusal:
        raise ValueError(f"View {name!r}: {refusal}") from None


def _check_rows(names: list[str], views: list[Any]) -> None:
    for name, view in zip(names, views, strict=True):
        if view.shape[0] != views[0].shape[0]:
            raise ValueError(
                f"View {name!r} has {view.shape[0]} rows, but view {names[0]!r} has {views[0].shape[0]}: "
                "every view must describe the same samples, one a row."
            )


def _in_fitted_order(estimator: Any, named: dict[str, Any], *, by_name: bool) -> dict[str, Any]:
    fitted = estimator.view_names_
    if len(named) != len(fitted):
        _refuse_count(estimator, len(named))
    if not by_name:
        return dict(zip(fitted, named.values(), strict=True))
    missing = [name for name in fitted if name not in named]
    if missing:
        raise ValueError(f"View {missing[0]!r} is missing: this was fitted on {', '.join(fitted)}.")
    return {name: named[name] for name in fitted}


def _refuse_count(estimator: Any, n_views: int) -> None:
    names = estimator.view_names_
    raise ValueError(f"X has {n_views} view(s), but this was fitted on {len(names)}: {', '.join(names)}.")


def _check_columns(estimator: Any, views: list[Any]) -> None:
    for name, view, columns in zip(estimator.view_names_, views, estimator.view_features_, strict=True):
        if view.shape[1] != columns:
            raise ValueError(
                f"View {name!r} has {view.shape[1]} features, but this was fitted on {columns} of them."
            )
