"""Where factorizations of several views with one embedding start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from methods.checks import check_start
from methods.data_matrix import DataMatrix
from methods.multiview.views import joined
from methods.starts import best_scale, nndsvda
from methods.typing import Array

Start = tuple[list[Array], Array]


def start(
    init: Any,
    warm_start: Mapping[str, Any] | None,
    views: Mapping[str, DataMatrix],
    k: int,
    random_state: Any,
) -> Start:
    """Return private arrays: the parts of each view, and the embedding.

    Those of `warm_start` if there is one, those given as `init`, or new ones with columns of the embedding of
    length 1 and parts on the scale that suits each view best.
    """
    if warm_start is not None:
        return _checked_start(warm_start["components"], warm_start["embedding"], views, k, "warm_start")
    if not isinstance(init, str):
        if not isinstance(init, (tuple, list)) or len(init) != 2:
            raise ValueError("init must be a name or the pair (components of each view, embedding).")
        return _checked_start(init[0], init[1], views, k, "init")
    matrices = list(views.values())
    if init == "nndsvda":
        whole, V = nndsvda(DataMatrix(joined([view.X for view in matrices])), k, random_state)
        ends = np.cumsum([view.shape[1] for view in matrices])[:-1]
        H = [np.ascontiguousarray(part) for part in np.split(whole, ends, axis=1)]
    else:
        rng, dtype = check_random_state(random_state), matrices[0].dtype
        V = np.ascontiguousarray(rng.uniform(size=(matrices[0].shape[0], k)), dtype=dtype)
        H = [np.ascontiguousarray(rng.uniform(size=(k, view.shape[1])), dtype=dtype) for view in matrices]
    lengths = np.sqrt(np.square(V).sum(axis=0))
    V /= np.where(lengths > 0, lengths, 1)
    return [part * best_scale(view, part, V) for view, part in zip(matrices, H, strict=True)], V


def _checked_start(H: Any, V: Any, views: Mapping[str, DataMatrix], k: int, source: str) -> Start:
    parts = list(H) if isinstance(H, (list, tuple)) else [H]
    if len(parts) != len(views):
        raise ValueError(f"{source}: components are of {len(parts)} view(s), but X has {len(views)}.")
    first = next(iter(views.values()))
    checked = [
        check_start(f"components of view {name!r}", part, (k, view.shape[1]), first.dtype, source=source)
        for part, (name, view) in zip(parts, views.items(), strict=True)
    ]
    return checked, check_start("embedding", V, (first.shape[0], k), first.dtype, source=source)


def resumed(
    warm_start: Mapping[str, Any], weights: Array, shape: tuple[int, int], learns_weights: bool
) -> tuple[Array, Array | None]:
    """Return weights of views and classifier of an earlier run where they still fit this problem."""
    if learns_weights and "view_weights" in warm_start:
        weights = check_start(
            "view_weights", warm_start["view_weights"], weights.shape, np.float64, source="warm_start"
        )
    W = warm_start.get("classifier")
    if W is None or np.shape(W) != shape or not np.isfinite(W).all():
        return weights, None
    return weights, np.array(W, dtype=np.float64)
