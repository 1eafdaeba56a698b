"""An upload made smaller when asked: fewer samples, pictures of fewer pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PIL import Image

from datasets.dataset import FloatArray
from datasets.reading.documents import text_options
from datasets.reading.draft import Draft
from datasets.reading.images import Size, checked_size, shape_for
from datasets.reading.limits import Limits, UploadError
from datasets.text import text_views


def fewer_samples(draft: Draft, most: int, options: Mapping[str, object]) -> None:
    """Keep so many samples at most, spread evenly from the first to the last; `options` weigh words."""
    of = next(iter(draft.views.values())).shape[0]
    if most >= of:
        return
    rows = np.linspace(0, of - 1, most).round().astype(int)
    if draft.texts:
        draft.texts = {view: tuple(texts[row] for row in rows) for view, texts in draft.texts.items()}
        _weigh_again(draft, options, most)
    else:
        draft.views = {name: view[rows] for name, view in draft.views.items()}
    if draft.labels is not None:
        draft.labels = replace(draft.labels, codes=draft.labels.codes[rows])
    if draft.given is not None:
        draft.given = draft.given[rows]
    if draft.sample_names is not None:
        draft.sample_names = tuple(draft.sample_names[row] for row in rows)
    draft.notes.append(f"{most} of {of} samples are used, as asked, spread evenly over the file.")


def _weigh_again(draft: Draft, options: Mapping[str, object], samples: int) -> None:
    # Which words are rare depends on how many documents there are.
    try:
        made = text_views(draft.texts, text_options(options, samples), languages=draft.languages)
    except ValueError as error:
        raise UploadError(f"The text cannot be used: {error}.") from error
    draft.views, draft.view_features = made["views"], made["view_features"]


def checked_samples(most: object) -> int | None:
    """Return the largest number of samples, None for all; an UploadError says what is accepted."""
    if most is None:
        return None
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise UploadError(f"samples must be a number of samples of at least 1, not {most!r}.")
    return most


def resized_rows(draft: Draft, size: object, limits: Limits) -> None:
    """Bring the pictures of a matrix to a size; those of picture files came in it already."""
    new_size: Size = checked_size(size)
    if new_size is None or "size" in draft.corrections:
        return
    name, pixels = next(iter(draft.views.items()))
    if draft.image_shape is None:
        raise UploadError(
            "size is for pictures, and these rows are not; pass image_shape=(height, width) too."
        )
    before, shape = draft.image_shape, shape_for(new_size, *draft.image_shape)
    if shape == before:
        return
    others = sum(_stored(view) for other, view in draft.views.items() if other != name)
    limits.check_matrix(
        name, pixels.shape[0], shape[0] * shape[1], others + pixels.shape[0] * shape[0] * shape[1]
    )
    draft.views[name] = resized_pictures(np.asarray(pixels), before, shape)
    draft.image_shape = shape
    draft.notes.append(
        f"Pictures of {before[0]} × {before[1]} were resized to {shape[0]} × {shape[1]}, as asked."
    )


def _stored(view: Any) -> int:
    return int(view.nnz if hasattr(view, "nnz") else view.size)


def resized_pictures(rows: FloatArray, before: tuple[int, int], shape: tuple[int, int]) -> FloatArray:
    """Return pictures, one a row, brought from one height and width to another."""
    # The filter overshoots at sharp edges: nothing gets darker than black or brighter than white.
    low, high = min(0.0, float(rows.min())), max(1.0, float(rows.max()))
    made = np.empty((len(rows), shape[0] * shape[1]), dtype=np.float32)
    for row, target in zip(rows, made, strict=True):
        picture = Image.fromarray(row.reshape(before).astype(np.float32))
        resized = picture.resize((shape[1], shape[0]), Image.Resampling.LANCZOS)
        target[:] = np.clip(np.asarray(resized).ravel(), low, high)
    return made
