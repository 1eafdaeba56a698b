"""A criterion that rewards parts which come back, each by itself, from every start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from experiments.measures.rank.curve import Curve, measured, restarts
from methods.typing import Array

RESTARTS = 6
_SAME = 0.9
_LEVEL = 0.9


def matched_cosines(parts: Array, other: Array) -> Array:
    """Return for each part in `parts` the cosine with its partner in `other`, in the pairing of largest sum.

    Both have one part a row. A part without a partner, or of zeros, has 0.
    """
    cosines = _unit(parts) @ _unit(other).T
    rows, columns = linear_sum_assignment(-cosines)
    partner_cosines = np.zeros(len(parts))
    partner_cosines[rows] = cosines[rows, columns]
    return partner_cosines


def recurrence(components: Sequence[Array], *, same: float = _SAME) -> list[Array]:
    """Return for each part of each run the share of the other runs in which it comes back.

    It comes back where its partner's cosine is at least `same`.
    """
    if len(components) < 2:
        raise ValueError("components must hold the parts of at least two runs.")
    return [
        np.mean(
            [matched_cosines(parts, other) >= same for j, other in enumerate(components) if j != i],
            axis=0,
        )
        for i, parts in enumerate(components)
    ]


def stability(
    X: Any, ks: Iterable[int], *, seeds: int = 1, runs: int = RESTARTS, same: float = _SAME, **params: Any
) -> Curve:
    """Fit from `runs` starts and measure the mean recurrence of single parts."""

    def mean_recurrence(k: int, seed: int) -> float:
        fits = restarts(X, k, range(seed * runs, (seed + 1) * runs), **params)
        return float(np.mean(recurrence([est.components_ for est in fits], same=same)))

    ordered, values = measured(ks, seeds, mean_recurrence)
    return Curve(
        "stability of parts",
        "Rewards parts that come back from every start: the most parts of which nine in ten do.",
        ordered,
        values,
        "stable",
        _LEVEL,
    )


def _unit(parts: Array) -> Array:
    lengths = np.linalg.norm(parts, axis=1, keepdims=True)
    return np.asarray(np.divide(parts, lengths, out=np.zeros(parts.shape), where=lengths > 0))
