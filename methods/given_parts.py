"""Parts given by the user: fixed, started from (seeds), or removed."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from methods.step import Step
from methods.typing import Array


def place_parts(H: Array, fixed: Any, seeds: Any, *, signed: bool = False) -> int:
    """Write fixed parts over the first rows of H, seeds over the next ones; return how many are fixed.

    Those of `signed` methods may have entries below zero.
    """
    placed, held = 0, 0
    for name, value in (("fixed", fixed), ("seeds", seeds)):
        if value is None:
            continue
        parts = np.asarray(value, dtype=H.dtype)
        parts = parts[None] if parts.ndim == 1 else parts
        if parts.ndim != 2 or parts.shape[1] != H.shape[1]:
            raise ValueError(
                f"{name} has shape {parts.shape}: give one part a row, of {H.shape[1]} features."
            )
        if not np.isfinite(parts).all() or not (signed or (parts >= 0).all()) or not parts.any(axis=1).all():
            least = "" if signed else " of zero or more"
            raise ValueError(f"{name} must hold finite numbers{least}, and no part of zeros alone.")
        if placed + len(parts) > len(H):
            raise ValueError(
                f"{name} makes {placed + len(parts)} given parts, but n_components={len(H)}: ask for more."
            )
        H[placed : placed + len(parts)] = parts
        placed += len(parts)
        held = placed if name == "fixed" else held
    return held


def without(source: Any, parts: Iterable[int]) -> Step:
    """Return a step from which a run goes on without some parts: those of a `Step` or a fitted estimator.

    The run that goes on has as many parts fewer:

    >>> import methods
    >>> X = np.random.default_rng(0).random((20, 8))
    >>> est = methods.create("nmf", n_components=4, tol=0, max_iter=20, random_state=0).fit(X)
    >>> fewer = methods.create("nmf", n_components=3, tol=0, max_iter=20).fit(X, warm_start=without(est, [1]))
    >>> fewer.components_.shape
    (3, 8)
    """
    if isinstance(source, Step):
        components, embedding = source.state["components"], source.state["embedding"]
    else:
        check_is_fitted(source, "components_")
        components, embedding = source.components_, source.embedding_
    gone = sorted(set(parts))
    if any(not 0 <= part < len(components) for part in gone):
        raise ValueError(f"parts={gone} are not all there: count from 0 to {len(components) - 1}.")
    if len(gone) == len(components):
        raise ValueError("All parts would be gone: leave at least one.")
    state = {
        "components": np.delete(components, gone, axis=0),
        "embedding": np.delete(embedding, gone, axis=1),
    }
    return Step(0, float("nan"), MappingProxyType({}), MappingProxyType(state))
