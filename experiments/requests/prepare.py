"""From a request to everything its run needs: rows, labels, estimator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

import datasets
import methods
from datasets import Dataset
from experiments.requests import memory
from experiments.requests.by_hand import class_names, pairs_among, with_labels
from experiments.requests.corruption import spoil
from experiments.requests.request import RunRequest
from experiments.requests.splits import Split, split
from experiments.requests.suitability import why_not
from experiments.requests.views import select_rows, side_by_side, view_names, wants_views
from methods import Facts, Spec
from methods.l1_cache import hash_once

# Weak keys: entries go when an upload goes.
_splits: WeakKeyDictionary[Dataset, dict[Any, Split]] = WeakKeyDictionary()
_MOST_SPLITS = 32


@dataclass(frozen=True)
class Prepared:
    """The data of a run as its method sees them.

    `X` and `y_partial` are the training rows, `unseen` the held-out ones; for methods for several views
    both are mappings, a matrix a view. `ds` is the data set they come from: its labels are for
    scoring alone and never reach the estimator.
    `fit_params` are further arguments of `fit`: pairs that belong together or apart.
    """

    ds: Dataset
    rows: Split
    X: Any
    unseen: Any
    y_partial: NDArray[np.int64]
    spec: Spec
    estimator: Any
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    target_names: tuple[str, ...] = ()


def prepare(request: RunRequest) -> Prepared:
    """Load, split and spoil the data of a request and make its estimator."""
    request.canonical()  # Refuses what is unknown before anything is loaded.
    spec = methods.spec(request.method)
    ds = datasets.load(request.dataset, **request.dataset_options)
    rows = rows_of(ds, request)
    X = seen_rows(ds, request, rows)
    params = request.every_param()
    if any(param.kind == "seed" for param in spec.params):
        params["random_state"] = request.seed
    if "tensor" in spec.needs and params.get("sample_shape") is None:
        params["sample_shape"] = ds.image_shape
    if missing := why_not(spec, ds, rows):
        raise ValueError(f"{spec.title} cannot work on {ds.title}: it needs {missing}.")
    if too_much := memory.refusal(spec, facts(ds, rows), params):
        raise ValueError(too_much)
    seen, unseen = select_rows(X, rows.train), select_rows(X, rows.held_out)
    if isinstance(seen, np.ndarray):
        hash_once(seen)
    return Prepared(
        ds, rows, seen, unseen, rows.y_partial[rows.train], spec, spec.estimator(**params),
        fit_params=pairs_among(ds, rows, request.pairs) if "pairs" in spec.needs | spec.takes else {},
        target_names=class_names(ds, request.labels),
    )  # fmt: skip


def rows_of(ds: Dataset, request: RunRequest) -> Split:
    """Return the split of a request with the labels given by hand; without classes there are no others.

    The last ones are kept: a page asks for the same split a dozen times.
    """
    settings = {} if ds.y is None else request.split_settings()
    key = (*settings.items(), request.seed, request.labels)
    cached = _splits.setdefault(ds, {})
    rows = cached.get(key)
    if rows is None:
        rows = _split_of(ds, request)
        if len(cached) >= _MOST_SPLITS:
            cached.clear()
        cached[key] = rows
    return rows


def _split_of(ds: Dataset, request: RunRequest) -> Split:
    if ds.y is None:
        all_rows, no_rows = np.arange(ds.n_samples), np.arange(0)
        rows = Split(no_rows, all_rows, no_rows.copy(), np.full(ds.n_samples, -1))
    else:
        rows = split(ds, **request.split_settings(), seed=request.seed)
    return with_labels(ds, rows, request.labels)


def seen_rows(ds: Dataset, request: RunRequest, rows: Split) -> Any:
    """Return all rows of the views of a request, corrupted where unlabelled if it has a corruption."""
    views = {name: ds.views[name] for name in view_names(ds, request)}
    X = views if wants_views(request.method) else side_by_side(views)
    corruption = request.corruption_settings()
    if corruption is None:
        return X
    if ds.image_shape is None or not isinstance(X, np.ndarray) or X.shape[1] != np.prod(ds.image_shape):
        what = "images" if ds.image_shape is None else "images alone in what this run is about"
        raise ValueError(f"{ds.title} does not hold {what}: nothing can be covered.")
    # All rows are spoiled and the labelled ones restored, so that a row's patch does not depend on the split.
    spoiled = spoil(X, ds.image_shape, **corruption, seed=request.seed)
    spoiled[rows.labelled] = X[rows.labelled]
    return spoiled


def facts(ds: Dataset, rows: Split) -> Facts:
    """Return the sizes from which automatic parameter values follow."""
    return Facts(
        n_samples=rows.train.size,
        n_features=ds.n_features,
        n_labelled=rows.labelled.size,
        n_classes=ds.n_classes,
        sample_shape=ds.image_shape,
        n_parts=0 if ds.parts is None else len(ds.parts),
        n_stored=int(ds.X.nnz * rows.train.size / max(1, ds.n_samples)) if issparse(ds.X) else None,
    )
