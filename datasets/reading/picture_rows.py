"""Rows that are pictures: recognised in every view, stored upright and row by row, on a scale from 0 to 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets.preparation import SMALL
from datasets.reading.draft import Draft, plain
from datasets.reading.limits import UploadError
from datasets.reading.orientation import PIXELS, PixelLayout, layout

_GUESS = " (a guess: if they lie on their side, flip them)"
_NEGATIVE = "The pictures have negative values, which were kept; not every method accepts them."


def picture_rows(
    draft: Draft, *, columns_usual: bool, flip: bool, image_shape: object, pixels: str | None = None
) -> None:
    """Find out which views are pictures, and store them upright, row by row.

    Views of the size of the first are judged together with it, and others by themselves. `pixels` says what
    the pictures may not: "rows" or "columns".
    """
    name, X = next(iter(draft.views.items()))
    if draft.image_shape is not None:
        if flip and isinstance(X, np.ndarray):
            height, width = draft.image_shape
            draft.views[name] = _turned(X, height, width)
            draft.image_shape, draft.orientation = (width, height), "turned as asked"
        return
    if image_shape is False or not isinstance(X, np.ndarray):
        _refuse_flip(flip)
        return
    shape = _checked_shape(image_shape, X.shape[1])
    alike = {
        other: view
        for other, view in draft.views.items()
        if isinstance(view, np.ndarray) and view.shape[1] == X.shape[1]
    }
    stack = draft.stack_shape if shape is None else None
    pixel_layout = layout(
        list(alike.values()), columns_usual=columns_usual, shape=shape, pixels=pixels, stack=stack
    )
    if pixel_layout is None and len(alike) > 1:
        alike = {name: X}
        pixel_layout = layout([X], columns_usual=columns_usual, shape=shape, pixels=pixels)
    if pixel_layout is None:
        _refuse_flip(flip)
        return
    if flip:
        turned = pixel_layout.shape if shape is not None else pixel_layout.shape[::-1]
        pixel_layout = PixelLayout(turned, not pixel_layout.by_columns, True)
    _describe(draft, pixel_layout, requested=flip or pixels is not None)
    for other, pictures in alike.items():
        draft.views[other] = _upright(draft, other, pictures, pixel_layout)
    for other, view in draft.views.items():
        if other not in alike and isinstance(view, np.ndarray):
            _other_size(draft, other, view, columns_usual=pixel_layout.by_columns)
    draft.image_shape, draft.kind, draft.feature_names = pixel_layout.shape, "images", None


def checked_pixels(pixels: object) -> str | None:
    """Return how pixels are said to be stored; an UploadError says what is accepted."""
    if pixels is not None and pixels not in PIXELS:
        raise UploadError(f"pixels must be 'rows' or 'columns', not {pixels!r}.")
    return None if pixels is None else str(pixels)


def _describe(draft: Draft, pixel_layout: PixelLayout, *, requested: bool) -> None:
    draft.pixels = "columns" if pixel_layout.by_columns else "rows"
    stored = "column by column" if pixel_layout.by_columns else "row by row"
    draft.unsure = not pixel_layout.certain
    draft.orientation = f"stored {stored}{', as asked' if requested else _GUESS if draft.unsure else ''}"


def _other_size(draft: Draft, name: str, view: Any, *, columns_usual: bool) -> None:
    """Turn the pictures of a view whose size is another, if they are any and lie on their side."""
    pixel_layout = layout([view], columns_usual=columns_usual)
    if pixel_layout is not None:
        draft.views[name] = _upright(draft, name, view, pixel_layout)
        if pixel_layout.by_columns:
            height, width = pixel_layout.shape
            draft.notes.append(
                f"{plain(name)} holds pictures of {height} × {width}, which were turned as well."
            )


def _upright(draft: Draft, name: str, view: Any, pixel_layout: PixelLayout) -> Any:
    height, width = pixel_layout.shape
    return _grey(_turned(view, width, height) if pixel_layout.by_columns else view, draft, name)


def _refuse_flip(flip: bool) -> None:
    if flip:
        raise UploadError(
            "flip is for pictures, and these rows are not; pass image_shape=(height, width) too."
        )


def _checked_shape(image_shape: object, features: int) -> tuple[int, int] | None:
    if image_shape is None:
        return None
    sides = image_shape if isinstance(image_shape, tuple | list) else ()
    if (
        len(sides) != 2
        or not all(isinstance(s, int) and s > 1 for s in sides)
        or sides[0] * sides[1] != features
    ):
        raise UploadError(
            f"image_shape must be (height, width) with height × width = {features}, "
            f"or False for no pictures, not {image_shape!r}."
        )
    return int(sides[0]), int(sides[1])


def _turned(X: Any, lines: int, along: int) -> Any:
    """Return rows that hold `lines` lines of `along` pixels with lines and columns exchanged."""
    return np.ascontiguousarray(X.reshape(-1, lines, along).transpose(0, 2, 1)).reshape(len(X), -1)


def _grey(X: Any, draft: Draft, name: str) -> Any:
    """Return the pictures of a view on a scale from 0 to 1, which each view is judged for by itself."""
    low, high = float(X.min()), float(X.max())
    if low < 0:
        if _NEGATIVE not in draft.notes:
            draft.notes.append(_NEGATIVE)
        # Rounding and ringing do not change the scale; what is centred has another one.
        if -low > SMALL * high:
            return X
    if high <= 1:
        return X.astype(np.float32)
    top = 255.0 if high <= 255 and high > 16 else high
    which = f" of {plain(name)}" if len(draft.views) > 1 else ""
    draft.notes.append(f"Grey values{which} were divided by {top:g}, so that 1 is white.")
    return (X / X.dtype.type(top)).astype(np.float32)
