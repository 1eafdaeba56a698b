"""Useful values along an axis of a comparison, for given data."""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets import Dataset
from experiments.requests.splits import Split

_DIMENSIONS = (2, 5, 10, 20, 40, 80, 120)
_MOST_LABELS = 32
_FEW = 6


def held_out(ds: Dataset, split: dict[str, Any]) -> dict[str, Any]:
    """Return the split with a quarter of each class held out, where classes are large enough."""
    if "labelled_fraction" in split:
        return {**split, "held_out_fraction": 0.25}
    smallest, labelled = _smallest(ds), int(split.get("labelled_per_class", 1))
    # One at least stays that is seen without its label.
    room = smallest - labelled - 1
    return {**split, "held_out_per_class": min(max(1, smallest // 4), room)} if room > 0 else dict(split)


def label_counts(ds: Dataset, split: dict[str, Any]) -> list[int]:
    """Return how many labels a class are worth trying: each number where there are few, else doublings.

    One sample of each class at least stays unlabelled.
    """
    smallest = _smallest(ds)
    held = int(split.get("held_out_per_class") or smallest * split.get("held_out_fraction", 0.0))
    most = min(_MOST_LABELS, smallest - held - 1)
    if most <= _FEW:
        return list(range(1, most + 1))
    return [count for count in (1, 2, 3, 4, 6, 8, 16, 32) if count <= most]


def dimensions(ds: Dataset, rows: Split) -> list[int]:
    """Return how many parts or directions are worth trying, at most as many as the data can have."""
    most = min(rows.train.size - 1, ds.n_features)
    counts = [count for count in _DIMENSIONS if count <= most]
    return counts if len(counts) > 2 else list(range(2, most + 1))[:_FEW]


def _smallest(ds: Dataset) -> int:
    assert ds.y is not None
    sizes = np.bincount(ds.y[ds.y >= 0])
    return int(sizes[sizes > 0].min())
