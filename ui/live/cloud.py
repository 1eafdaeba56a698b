"""The samples of a run as points of a plane: what its method makes of them, seen from where they spread most.

Frame after frame the plane is turned to lie as it lay before: a direction of greatest spread has no sign,
and two of like spread change places, so that points would jump about without having moved.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.requests.library import load_dataset, method_spec, rows_of
from ui.words import class_unit

# More points than this are a blot, and would weigh more than the pictures.
_MOST_POINTS = 1000
_MOST_PLANES = 64
_NEARLY_ALL = 0.99
_planes: OrderedDict[str, NDArray[np.float64]] = OrderedDict()
_lock = Lock()


def watched(count: int) -> NDArray[np.int64]:
    """Return which of so many training samples are shown as points, spread evenly."""
    return np.linspace(0, count - 1, min(count, _MOST_POINTS)).round().astype(np.int64)


def cast(handle: Handle) -> dict[str, Any]:
    """Return who the points are: place among the training samples, class, whether it is labelled, names."""
    ds = load_dataset(handle.request.dataset, **handle.request.dataset_options)
    rows = rows_of(ds, handle.request)
    places = watched(rows.train.size)
    plotted_rows = rows.train[places]
    codes = np.full(plotted_rows.size, -1) if ds.y is None else ds.y[plotted_rows]
    codes = np.where(rows.y_partial[plotted_rows] >= 0, rows.y_partial[plotted_rows], codes)
    named = ds.sample_names
    return {
        "places": places.tolist(),
        "codes": codes.tolist(),
        "labelled": (rows.y_partial[plotted_rows] >= 0).astype(int).tolist(),
        "unit": class_unit(ds),
        "classes": [str(name)[:40] for name in ds.target_names],
        "names": [] if named is None else [named[row][:60] for row in plotted_rows],
    }


def cloud(handle: Handle, arrays: dict[str, NDArray[Any]], *, live: bool = True) -> NDArray[np.uint16]:
    """Return the points as pairs of numbers from 0 to 65535; none if the method gives no embedding."""
    if "embedding" not in arrays or arrays["embedding"].shape[1] < 2:
        return np.empty((0, 2), np.uint16)
    points = np.asarray(arrays["embedding"], np.float64)
    first = handle.discriminative
    if method_spec(handle.request.method).recognition == "embedding" and first is not None and first > 1:
        points = points[:, :first]  # These are what samples are recognised by.
    points = points[watched(len(points))]
    points = points - points.mean(axis=0)
    if not np.isfinite(points).all():
        return np.empty((0, 2), np.uint16)
    projected = points @ _plane(handle, points, live=live)
    # A few samples far out must not press all others together: they stay at the rim.
    reach = 1.15 * float(np.quantile(np.abs(projected), _NEARLY_ALL, axis=0).max()) or 1.0
    return np.asarray((np.clip(projected / reach, -1, 1) + 1) * 32767.5, np.uint16)


def _plane(handle: Handle, points: NDArray[np.float64], *, live: bool) -> NDArray[np.float64]:
    """Return the plane of greatest spread, turned to what was shown of this run, or of the one it follows."""
    plane: NDArray[np.float64] = np.linalg.eigh(points.T @ points)[1][:, :-3:-1]
    with _lock:
        before = _planes.get(handle.id, _planes.get(handle.warm_from or ""))
    if before is not None and before.shape == plane.shape:
        left, _, right = np.linalg.svd(plane.T @ before)
        plane = plane @ left @ right
    if live or before is None:
        with _lock:
            _planes[handle.id] = plane
            _planes.move_to_end(handle.id)
            while len(_planes) > _MOST_PLANES:
                _planes.popitem(last=False)
    return plane
