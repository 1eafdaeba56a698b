"""Which methods can work on which data, and why the others cannot, in words."""

from __future__ import annotations

from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

import methods
from datasets import Dataset
from experiments.requests.splits import Split
from methods import Spec

# Weak keys: entries go when the upload goes.
_negative: WeakKeyDictionary[Dataset, dict[str, bool]] = WeakKeyDictionary()


def possible(ds: Dataset, rows: Split) -> dict[str, Spec]:
    """Return the methods that can work on these data with these labels, by id."""
    return {name: spec for name, spec in methods.specs().items() if not why_not(spec, ds, rows)}


def why_not(spec: Spec, ds: Dataset, rows: Split) -> str:
    """Return what a method lacks here, to follow "it needs"; nothing if it can work.

    >>> import datasets
    >>> from experiments import split
    >>> iris = datasets.load("iris")
    >>> why_not(methods.spec("ntf"), iris, split(iris))
    'samples that are pictures'
    """
    if "labels" in spec.needs and not rows.labelled.size:
        return "labelled samples"
    if "labels" in spec.needs and np.unique(rows.y_partial[rows.labelled]).size < 2:
        return "labelled samples of at least two classes"
    if "views" in spec.needs and len(ds.views) < 2:
        return "several views"
    if "tensor" in spec.needs and ds.image_shape is None:
        return "samples that are pictures"
    if "nonnegative" in spec.needs and any(_has_negatives(ds, name) for name in _seen(spec, ds)):
        return "numbers that are not negative"
    if not _takes_sparse(spec.id) and any(sparse.issparse(ds.views[name]) for name in _seen(spec, ds)):
        return "a table or pictures, not the mostly empty table that words make"
    return ""


def _seen(spec: Spec, ds: Dataset) -> list[str]:
    names = list(ds.views)
    return names if "views" in spec.needs else names[:1]


def _has_negatives(ds: Dataset, view: str) -> bool:
    cached = _negative.setdefault(ds, {})
    if view not in cached:
        cached[view] = bool(ds.views[view].min() < 0)
    return cached[view]


@lru_cache(maxsize=256)
def _takes_sparse(method: str) -> bool:
    from sklearn.utils import get_tags  # Takes half a second to load: not before the first page.

    return bool(get_tags(methods.create(method)).input_tags.sparse)
