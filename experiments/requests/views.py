"""Which views of a data set a run uses, and several matrices over the same rows handled as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import methods
from datasets import Dataset
from experiments.requests.request import RunRequest
from methods.typing import is_sparse


def view_names(ds: Dataset, request: RunRequest) -> tuple[str, ...]:
    """Return the names of the views a run uses; a ValueError names one that the data set lacks.

    Left open, a method for several views gets all of them, any other the first one.
    """
    requested = request.view_settings()
    if requested is None:
        return tuple(ds.views) if wants_views(request.method) else (next(iter(ds.views)),)
    names = (requested,) if isinstance(requested, str) else tuple(requested)
    for name in names:
        if name not in ds.views:
            raise ValueError(f"{ds.title} has no view {name!r}; it has {', '.join(ds.views)}.")
    return names


def wants_views(method: str) -> bool:
    """Return whether a method is given views one by one rather than one matrix."""
    return "views" in methods.spec(method).needs


def side_by_side(views: Mapping[str, Any]) -> Any:
    """Return one matrix made of several views, every sample of length 1 in each of them.

    So no view counts for more because it has more columns or larger numbers, and a method for one matrix
    works with the very numbers that SULF and the other methods for several views start from. Being
    done row by row, it tells nothing of one sample to another. One view alone stays as it is.
    """
    if len(views) == 1:
        return next(iter(views.values()))
    from methods.multiview.views import joined, unit_rows  # With scikit-learn: not before the first page.

    return joined([unit_rows(view) for view in views.values()])


def select_rows(X: Any, rows: Any) -> Any:
    """Return some rows of a matrix, or of each of several views; all rows in order are the matrix itself.

    So runs on the same data share memory: nothing writes into the matrices it gets.
    """
    if isinstance(X, Mapping):
        return {name: select_rows(view, rows) for name, view in X.items()}
    return X if np.array_equal(rows, np.arange(X.shape[0])) else X[rows]


def parts_by_view(
    arrays: Mapping[str, NDArray[Any]], ds: Dataset, request: RunRequest, what: str = "components"
) -> dict[str, NDArray[Any]]:
    """Return the parts of a run, view by view; empty if it has none.

    `arrays` are those of a run's channel or snapshot, where parts of several views are numbered. Parts
    of views put side by side are cut where one view ends and the next begins, and so is any other array
    (`what`) with an entry a feature.
    """
    names = view_names(ds, request)
    if what not in arrays:
        numbered = (arrays.get(f"{what}_{index}") for index in range(len(names)))
        return {name: parts for name, parts in zip(names, numbered, strict=True) if parts is not None}
    if len(names) == 1:
        return {names[0]: arrays[what]}
    ends = np.cumsum([ds.views[name].shape[1] for name in names])[:-1]
    return dict(zip(names, np.split(arrays[what], ends, axis=-1), strict=True))


def sample_scale(ds: Dataset, request: RunRequest, view: str, row: int) -> float:
    """Return the factor from a method's numbers for a sample to those of the data.

    It is 1 unless the method saw samples scaled to length 1.
    """
    scaled = len(view_names(ds, request)) > 1
    if wants_views(request.method):
        scaled = bool(request.every_param().get("unit_samples"))
    return float(np.sqrt(squared_length(ds.views[view][[row]])[0])) if scaled else 1.0


def squared_length(view: Any) -> NDArray[np.float64]:
    """Return the squared length of each row of a matrix."""
    squares = view.multiply(view) if is_sparse(view) else np.square(view)
    return np.asarray(squares.sum(axis=1), dtype=np.float64).reshape(-1)
