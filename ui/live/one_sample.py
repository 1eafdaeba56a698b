"""One sample of a run and what its parts make of it: two pictures, or the numbers that matter most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.requests.library import load_dataset, parts_by_view, rows_of, sample_scale, seen_rows
from ui.pictures import Sheet, Theme, samples_sheet

# Terms of objectives that ask for the samples to be rebuilt from the parts.
_ERRORS = {"reconstruction", "divergence"}
_MOST_FEATURES = 8


@dataclass(frozen=True)
class RebuiltSample:
    """A sample beside the sum of its parts: as a picture, or as (feature, value, value rebuilt)."""

    sheet: Sheet | None
    features: list[list[Any]]


def one_sample(
    handle: Handle, arrays: dict[str, NDArray[Any]], theme: Theme, place: int = 0, view: str | None = None
) -> RebuiltSample | None:
    """Return a training sample (by its place) rebuilt; None if the method does not add up to samples."""
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    parts_of_views = parts_by_view(arrays, ds, request)
    # Discriminating directions do not add up to a face.
    rebuilds = handle.reader is not None and _ERRORS & set(handle.reader.layout.terms)
    if not parts_of_views or not rebuilds or not 0 <= place < len(arrays.get("embedding", ())):
        return None
    shown = view if view in parts_of_views else next(iter(parts_of_views))
    parts, embedding = parts_of_views[shown], arrays["embedding"]
    row = int(rows_of(ds, request).train[place])
    if embedding.shape[1] != parts.shape[0] or parts.shape[1] != ds.views[shown].shape[1]:
        return None
    mean = parts_by_view(arrays, ds, request, "mean").get(shown, 0)
    rebuilt = (embedding[place] @ parts + mean) * sample_scale(ds, request, shown, row)
    original = _original(handle, shown, row)
    if ds.image_shape is not None and shown == next(iter(ds.views)):
        return RebuiltSample(
            samples_sheet(np.stack([original, rebuilt]), ds.image_shape, theme, columns=2), []
        )
    names = ds.view_features.get(shown) or (ds.feature_names if shown == next(iter(ds.views)) else None)
    return RebuiltSample(None, [] if names is None else _most(original, rebuilt, names))


def _original(handle: Handle, view: str, row: int) -> NDArray[Any]:
    """Return a sample as the method was shown it, behind its patch if it has one."""
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    rows: Any = ds.views[view] if request.corruption is None else seen_rows(ds, request, rows_of(ds, request))
    sample = rows[[row]]
    dense: NDArray[Any] = np.asarray(sample.toarray() if hasattr(sample, "toarray") else sample)
    return np.asarray(dense[0])


def _most(original: NDArray[Any], rebuilt: NDArray[Any], names: Any) -> list[list[Any]]:
    order = np.argsort(-np.abs(original), kind="stable")[:_MOST_FEATURES]
    return [
        [str(names[i])[:40], float(f"{original[i]:.3g}"), float(f"{rebuilt[i]:.3g}")]
        for i in order
        if original[i] != 0
    ]
