"""One frame of a run for the browser: a header in JSON, the curve, the parts, one sample rebuilt."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.library import Option, card, load_dataset, method_spec, rows_of, seen_rows
from experiments.service import Handle
from ui.pictures import FRAME_BYTES, Sheet, Theme, parts_sheet, samples_sheet, table_sheet, webp

_MOST_POINTS = 240
_POSTER = 80
# Terms of objectives that ask for the samples to be rebuilt from the parts.
_ERRORS = {"reconstruction", "divergence"}


def frame(handle: Handle, theme: Theme) -> bytes:
    """Return everything there is to see of a run at this moment."""
    curve = handle.reader.curve() if handle.reader else np.empty((0, 2))
    iteration, arrays = handle.reader.latest() if handle.reader else (-1, {})
    chosen = thinned(len(curve))
    header: dict[str, Any] = {
        "id": handle.id,
        "status": handle.status,
        "message": handle.message,
        "iteration": max(0, len(curve) - 1),
        "shown": iteration,
        "limit": handle.request.params.get("max_iter"),
        "scores": handle.scores,
        "terms": list(handle.reader.layout.terms) if handle.reader else [],
        "snapshots": [kept for kept, _ in handle.snapshots],
        "ended": handle.ended,
        "elapsed": handle.ending.get("elapsed"),
    }
    points = (
        np.column_stack([chosen, curve[chosen]]).astype("<f4") if len(chosen) else np.empty((0, 3), "<f4")
    )
    return packed(header, points, *pictures(handle, arrays, theme))


def snapshot_frame(handle: Handle, iteration: int, theme: Theme) -> bytes:
    """Return the pictures of an iteration that was kept."""
    scores = dict(handle.snapshots)[iteration]
    header = {"shown": iteration, "scores": scores}
    return packed(header, np.empty((0, 3), "<f4"), *pictures(handle, handle.snapshot(iteration), theme))


def pictures(
    handle: Handle, arrays: dict[str, NDArray[Any]], theme: Theme
) -> tuple[Sheet | None, Sheet | None]:
    """Return the parts and one sample beside what they make of it, or else the scores of all samples."""
    request = handle.request
    ds, spec = load_dataset(request.dataset, **request.dataset_options), method_spec(request.method)
    if "components" not in arrays:
        return _scores(handle, arrays, theme) if "embedding" in arrays else None, None
    shape = ds.image_shape if arrays["components"].shape[1] == ds.n_features else None
    parts = parts_sheet(arrays["components"], shape, theme, signed=spec.signed)
    # Discriminating directions do not add up to a face.
    rebuilds = handle.reader is not None and _ERRORS & set(handle.reader.layout.terms)
    if shape is None or "embedding" not in arrays or not rebuilds:
        return parts, None
    rows = rows_of(ds, request)
    original = seen_rows(ds, request, rows)[rows.train[0]]
    rebuilt = arrays["embedding"][0] @ arrays["components"] + arrays.get("mean", 0)
    return parts, samples_sheet(np.stack([original, rebuilt]), shape, theme, columns=2)


def _scores(handle: Handle, arrays: dict[str, NDArray[Any]], theme: Theme) -> Sheet:
    """Return what a method thinks of each sample, a row a sample, those of one class together."""
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    train = rows_of(ds, request).train
    order = np.arange(train.size) if ds.y is None else np.argsort(ds.y[train], kind="stable")
    return table_sheet(arrays["embedding"][order], theme)


def samples_picture(dataset: str, options: dict[str, str], theme: Theme) -> bytes:
    """Return a picture of samples from all over a data set; a ValueError says why there is none."""
    ds = load_dataset(dataset, **{option.name: _read(option, options) for option in card(dataset).options})
    if ds.image_shape is None or not isinstance(ds.X, np.ndarray):
        raise ValueError(f"The samples of {ds.title} are not images.")
    spread = np.linspace(0, ds.n_samples - 1, min(_POSTER, ds.n_samples)).astype(int)
    return webp(samples_sheet(ds.X[spread], ds.image_shape, theme).image, FRAME_BYTES)


def _read(option: Option, options: dict[str, str]) -> Any:
    text = options.get(option.name)
    if text is None:
        return option.default
    try:
        return {"int": int, "float": float, "bool": lambda word: word == "True"}.get(option.kind, str)(text)
    except ValueError:
        raise ValueError(f"{option.name} must be {option.accepts}, not {text!r}") from None


def packed(
    header: dict[str, Any],
    points: NDArray[Any],
    parts: Sheet | None,
    sample: Sheet | None,
    *,
    budget: int | None = FRAME_BYTES,
) -> bytes:
    """Return header length, header, points and pictures (within a budget each) as one block of bytes."""
    blocks = [points.tobytes()]
    header["points"] = list(points.shape)
    for name, sheet in (("parts", parts), ("sample", sample)):
        picture = webp(sheet.image, budget) if sheet else b""
        header[name] = {"bytes": len(picture), **(sheet.grid() if sheet else {})}
        blocks.append(picture)
    # The points are read in place as float32, which must start at a multiple of four.
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 4) % 4)
    return b"".join([struct.pack("<I", len(text)), text, *blocks])


def thinned(length: int) -> NDArray[np.int64]:
    """Return the indices of at most a few hundred rows, dense at the beginning, evenly spread after it."""
    if length <= _MOST_POINTS:
        return np.arange(length)
    early = np.geomspace(1, length, _MOST_POINTS // 2) - 1
    even = np.linspace(0, length - 1, _MOST_POINTS // 2)
    return np.unique(np.concatenate([early, even]).round().astype(np.int64))
