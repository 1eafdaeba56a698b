"""Small pictures of the parts of cells, with their curves: parts in the same order in all of them.

So that one sees what a parameter does to a part, the parts of each cell are brought into the order of
those of one reference cell, each beside the one it is most like.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from experiments.requests.library import load_dataset, method_spec
from experiments.trials.keepsake import Keepsake
from experiments.tuning import Sweep
from ui.blocks import packed
from ui.pictures import Sheet, Theme, parts_sheet
from ui.service import tables
from ui.tune import recurring
from ui.words import counted

MOST_CELLS = 24
_BYTES = 22_000
_WORDS = 5


def cells(sweep: Sweep, keys: Sequence[str], places: Sequence[int], theme: Theme) -> bytes:
    """Return pictures and curves of the cells at some places, as far as they are kept, as one block.

    `keys` are, of each cell, that of the trial whose fit is shown.
    """
    if len(places) > MOST_CELLS or any(place >= len(keys) for place in places):
        raise ValueError(f"At most {MOST_CELLS} cells at a time, each of those there are.")
    entries: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    sheets: dict[str, Sheet | None] = {}
    for place in places:
        keepsake = tables().keepsake(keys[place], sweep.dataset) if keys[place] else None
        if keepsake is None:
            continue
        picture, curve = f"picture{place}", f"curve{place}"
        order = _order(keepsake, _reference(keys, sweep.dataset))
        entries.append(_described(sweep, place, keepsake, order) | {"picture": picture, "curve": curve})
        if keepsake.parts.size and not keepsake.features.size:
            shape = (keepsake.shape[0], keepsake.shape[1]) if len(keepsake.shape) == 2 else None
            signed = bool((keepsake.parts < 0).any())
            sheets[picture] = parts_sheet(keepsake.parts[order] / 127, shape, theme, signed=signed)
        arrays[curve] = np.where(np.isfinite(keepsake.curve), keepsake.curve, np.nan).astype("<f4").ravel()
    return packed({"cells": entries}, arrays, sheets, budget=_BYTES)


def _described(sweep: Sweep, place: int, keepsake: Keepsake, order: NDArray[np.int64]) -> dict[str, Any]:
    label = f"{counted(keepsake.count, 'part')} found by {method_spec(sweep.method).title}"
    words = _words(sweep, keepsake.parts[order], keepsake.features[order]) if keepsake.features.size else []
    return {"cell": place, "label": label, "words": words, **recurring.described(keepsake, order)}


def pairs(sweep: Sweep, key: str, theme: Theme) -> bytes:
    """Return how often two samples belong together in the starts of one cell's fit, as a picture."""
    return recurring.pairs_picture(tables().keepsake(key, sweep.dataset) if key else None, theme)


def _words(sweep: Sweep, parts: NDArray[np.int8], features: NDArray[np.int32]) -> list[list[Any]]:
    """Return the heaviest words of each part with their weights, the heaviest as 1."""
    ds = load_dataset(sweep.dataset, **dict(sweep.request.dataset_options))
    view = next(iter(ds.views))
    names = ds.view_features.get(view)
    return [
        [
            [names[column] if names else f"feature {column + 1}", round(int(weight) / 127, 3)]
            for weight, column in zip(weights[:_WORDS], columns[:_WORDS], strict=True)
            if weight
        ]
        for weights, columns in zip(parts, features, strict=True)
    ]


def _reference(keys: Sequence[str], dataset: str) -> Keepsake | None:
    """Return the first cell that is kept: it is tried first, and stays the first."""
    keepsakes = (_keepsake(key, dataset) for key in keys[:3] if key)
    return next((keepsake for keepsake in keepsakes if keepsake is not None), None)


@lru_cache(maxsize=32)
def _keepsake(key: str, dataset: str) -> Keepsake | None:
    return tables().keepsake(key, dataset)


def _order(keepsake: Keepsake, reference: Keepsake | None) -> NDArray[np.int64]:
    """Return in which order the parts stand beside those of a reference that they are most like.

    Parts that tell classes apart stay the first ones. As they are where there is nothing to compare.
    """
    count, q = len(keepsake.parts), min(keepsake.discriminative, len(keepsake.parts))
    if reference is None or keepsake.features.size or reference.parts.shape != keepsake.parts.shape:
        return np.arange(count)
    order = np.arange(count)
    for low, high in ((0, q), (q, count)):
        ours, theirs = (_unit(one.parts[low:high]) for one in (keepsake, reference))
        order[low:high] = low + linear_sum_assignment(-(theirs @ ours.T))[1]
    return order


def _unit(parts: NDArray[np.int8]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(parts.astype(np.float32), axis=1, keepdims=True)
    return np.asarray(parts / np.where(lengths > 0, lengths, 1), dtype=np.float32)
