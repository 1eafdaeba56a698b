"""One frame of a run for the browser: header, curve, parts, one sample rebuilt, all samples as points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.measures.sparsity import energy, hoyer
from experiments.requests.library import (
    Option,
    card,
    load_dataset,
    method_spec,
    parts_by_view,
    rows_of,
)
from ui.blocks import packed
from ui.live.cloud import cloud
from ui.live.one_sample import one_sample
from ui.palette import terms as term_colours
from ui.pictures import FRAME_BYTES, KEY, Sheet, Theme, compressed, parts_sheet, samples_sheet, table_sheet
from ui.run_state import state_of
from ui.web.checked_request import RefusedError
from ui.word_sheet import word_parts
from ui.words import kind_of

_MOST_POINTS = 240
_POSTER = 80
_MOST_TOPICS, _MOST_WORDS = 24, 6
Arrays = dict[str, NDArray[Any]]


def frame(handle: Handle, theme: Theme, view: str | None = None, sample: int = 0, problem: str = "") -> bytes:
    """Return everything there is to see of a run at this moment, its parts in one view of the data.

    Left open, that is the first view the run is about. `sample` is the place of the training sample
    that is shown rebuilt, `problem` why it does not follow a hand on its sliders.
    """
    # The status comes first: what is read after it is at least as new.
    status, ended, phase, state = handle.status, handle.ended, handle.phase, state_of(handle, "you")
    turned, following = handle.turned, handle.preview_of is not None
    curve = handle.reader.curve() if handle.reader else np.empty((0, 2))
    iteration, arrays = handle.reader.latest() if handle.reader else (-1, {})
    stored = [stored_iteration for stored_iteration, _ in handle.snapshots]
    chosen = thinned(len(curve), stored)
    terms = list(handle.reader.layout.terms) if handle.reader else []
    header: dict[str, Any] = {
        "id": handle.id,
        "status": status,
        "phase": phase,
        "state": state,
        "flags": [problem] if problem else handle.flags[:1],
        "problem": problem,
        "preview_of": handle.preview_of,
        "turned": turned,
        "iteration": max(0, len(curve) - 1),
        "shown": iteration,
        "limit": None if following else handle.request.params.get("max_iter"),
        "closed": method_spec(handle.request.method).is_closed(handle.request.params),
        "scores": handle.scores,
        "terms": term_colours(terms),
        "snapshots": stored,
        "ended": ended,
        "elapsed": handle.ending.get("elapsed"),
    }
    columns = np.column_stack([chosen, curve[chosen, : 2 + len(terms)]]).astype("<f4")
    return _drawn(header, columns, handle, arrays, theme, view, sample, cloud(handle, arrays))


def snapshot_frame(
    handle: Handle, iteration: int, theme: Theme, view: str | None = None, sample: int = 0
) -> bytes:
    """Return the pictures of a stored snapshot."""
    try:
        arrays = handle.snapshot(iteration)
    except KeyError:
        raise RefusedError("This iteration was not kept.", 404) from None
    header = {"shown": iteration, "scores": dict(handle.snapshots)[iteration]}
    no_curve = np.empty((0, 3), "<f4")
    points = cloud(handle, arrays, live=False)
    return _drawn(header, no_curve, handle, arrays, theme, view, sample, points)


def _drawn(
    header: dict[str, Any],
    curve: NDArray[Any],
    handle: Handle,
    arrays: Arrays,
    theme: Theme,
    view: str | None,
    sample: int,
    points: NDArray[np.uint16],
) -> bytes:
    rebuilt = one_sample(handle, arrays, theme, sample, view)
    header["discriminative"] = handle.discriminative
    header["features"] = rebuilt.features if rebuilt else []
    # What adds up after a bend of space is only near the sample when added up as it is drawn.
    header["bent"] = not method_spec(handle.request.method).linear
    picture = _parts(header, handle, arrays, theme, view)
    sheets = {"parts": picture, "sample": rebuilt.sheet if rebuilt else None}
    return packed(header, {"points": curve, "cloud": points}, sheets, budget=FRAME_BYTES)


def _parts(
    header: dict[str, Any], handle: Handle, arrays: Arrays, theme: Theme, view: str | None
) -> Sheet | None:
    """Return the parts as a picture, or else the scores of all samples; what has names goes in the header."""
    request = handle.request
    ds, spec = load_dataset(request.dataset, **request.dataset_options), method_spec(request.method)
    parts_of_views = parts_by_view(arrays, ds, request)
    if not parts_of_views:
        return _scores(handle, arrays) if "embedding" in arrays else None
    displayed_view = view if view in parts_of_views else next(iter(parts_of_views))
    parts = parts_of_views[displayed_view]
    header["tips"] = _tips(parts, arrays.get("embedding"))
    weights = arrays.get("view_weights")
    if weights is not None and np.isfinite(weights).all():
        header["weights"] = list(zip(parts_of_views, weights.round(4).tolist(), strict=True))
    names = ds.view_features.get(displayed_view)
    if kind_of(ds) != "images" and names is not None and len(names) == parts.shape[1]:
        header["words"] = word_parts(parts, names, _MOST_WORDS, _MOST_TOPICS)
        header["topics"] = len(parts)
        return None
    drawable = displayed_view == next(iter(ds.views)) and parts.shape[1] == ds.n_features
    header["key"] = KEY[spec.signed]
    return parts_sheet(parts, ds.image_shape if drawable else None, theme, signed=spec.signed)


def _tips(parts: NDArray[Any], embedding: NDArray[Any] | None) -> list[list[float]]:
    """Return a description of each part: its share of all that is rebuilt in percent, its sparsity."""
    if embedding is None or embedding.ndim != 2 or embedding.shape[1] != len(parts):
        return []
    if not np.isfinite(parts).all() or not np.isfinite(embedding).all():
        return []
    weight = energy(parts, embedding)
    share = 100 * weight / (weight.sum() or 1.0)
    tips: list[list[float]] = np.column_stack([share, hoyer(parts)]).round(2).tolist()
    return tips


def _scores(handle: Handle, arrays: Arrays) -> Sheet:
    """Return what a method thinks of each sample, a row a sample, those of one class together."""
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    train = rows_of(ds, request).train
    order = np.arange(train.size) if ds.y is None else np.argsort(ds.y[train], kind="stable")
    return table_sheet(arrays["embedding"][order])


def samples_picture(dataset: str, options: dict[str, str], theme: Theme) -> bytes:
    """Return a picture of samples from all over a data set; a ValueError says why there is none."""
    ds = load_dataset(dataset, **{option.name: _read(option, options) for option in card(dataset).options})
    if ds.image_shape is None or not isinstance(ds.X, np.ndarray):
        raise ValueError(f"The samples of {ds.title} are not images.")
    spread = np.linspace(0, ds.n_samples - 1, min(_POSTER, ds.n_samples)).astype(int)
    return compressed(samples_sheet(ds.X[spread], ds.image_shape, theme).image, FRAME_BYTES)


def _read(option: Option, options: dict[str, str]) -> Any:
    text = options.get(option.name)
    if text is None:
        return option.default
    readers: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": "True".__eq__}
    try:
        return readers.get(option.kind, str)(text)
    except ValueError:
        raise ValueError(f"{option.name} must be {option.accepts}, not {text[:20]!r}") from None


def thinned(length: int, stored: Sequence[int] = ()) -> NDArray[np.int64]:
    """Return the indices of a few hundred rows at most, dense at the beginning, evenly spread after it.

    Those at which a snapshot was `stored` are among them: whoever goes back there reads their numbers.
    """
    if length <= _MOST_POINTS:
        return np.arange(length)
    early = np.geomspace(1, length, _MOST_POINTS // 2) - 1
    even = np.linspace(0, length - 1, _MOST_POINTS // 2)
    snapshots = [row for row in stored if row < length]
    return np.unique(np.concatenate([early, even, snapshots]).round().astype(np.int64))
