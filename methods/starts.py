"""Where a factorization X ≈ W H starts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from methods.checks import check_start, is_operator
from methods.data_matrix import DataMatrix
from methods.typing import Array

RandomState = Any
_OVERSAMPLED = 10
_POWERS = 7


def start(init: Any, data: DataMatrix, k: int, random_state: RandomState) -> tuple[Array, Array]:
    """Return private arrays (components H, embedding W) to start from.

    `init` is "random", "nndsvda" or the pair (components, embedding) itself.
    """
    n, m = data.shape
    if isinstance(init, (tuple, list)):
        if len(init) != 2:
            raise ValueError("init must be a name or the pair (components, embedding).")
        return (
            check_start("components", init[0], (k, m), data.dtype),
            check_start("embedding", init[1], (n, k), data.dtype),
        )
    if isinstance(init, str) and init == "random":
        return scaled_random(data, k, random_state)
    if isinstance(init, str) and init == "nndsvda":
        return nndsvda(data, k, random_state)
    raise ValueError(
        f"init={init!r} is not known: choose 'random', 'nndsvda' or give (components, embedding)."
    )


def scaled_random(data: DataMatrix, k: int, random_state: RandomState) -> tuple[Array, Array]:
    """Return uniform random factors, scaled so that ⟨X, WH⟩ = ‖WH‖².

    Without the scaling the first objective is a thousand times too big, and many iterations
    go into nothing but shrinking it.
    """
    rng = check_random_state(random_state)
    n, m = data.shape
    H = np.ascontiguousarray(rng.uniform(size=(k, m)), dtype=data.dtype)
    W = np.ascontiguousarray(rng.uniform(size=(n, k)), dtype=data.dtype)
    return H, W * best_scale(data, H, W)


def best_scale(data: DataMatrix, H: Array, W: Array) -> Array:
    """Return the number s that minimises ‖X − s·WH‖ (1 when WH is zero)."""
    overlap = np.multiply(data.scores(H, np.empty_like(W)), W).sum(dtype=np.float64)
    energy = np.multiply(H @ H.T, W.T @ W).sum(dtype=np.float64)
    return np.asarray(overlap / energy if overlap > 0 and energy > 0 else 1.0, dtype=data.dtype)


def nndsvda(data: DataMatrix, k: int, random_state: RandomState) -> tuple[Array, Array]:
    """Return the non-negative halves of the leading singular vectors, zeros filled with the mean.

    Boutsidis and Gallopoulos, 2008. A rank beyond that of the data is filled up with the mean alone.
    """
    rank = min(k, *data.shape)
    left, values, right = _leading_singular(data, rank, random_state)
    n, m = data.shape
    W, H = np.zeros((n, k)), np.zeros((k, m))
    W[:, 0], H[0] = np.sqrt(values[0]) * np.abs(left[:, 0]), np.sqrt(values[0]) * np.abs(right[0])
    for j in range(1, rank):
        W[:, j], H[j] = _heavier_half(left[:, j], right[j], values[j])
    W[W < 1e-6] = H[H < 1e-6] = 0
    W[W == 0] = H[H == 0] = data.mean
    return H.astype(data.dtype), W.astype(data.dtype)


def _leading_singular(data: DataMatrix, rank: int, random_state: RandomState) -> tuple[Array, Array, Array]:
    """Return the leading singular triplets by subspace iteration, which needs products with X alone.

    Halko, Martinsson and Tropp, 2011.
    """
    n, m = data.shape
    width = min(rank + _OVERSAMPLED, n, m)
    left, right = np.empty((n, width), data.dtype), np.empty((width, m), data.dtype)
    right[...] = check_random_state(random_state).standard_normal((width, m))
    for _ in range(_POWERS):
        left = np.linalg.qr(data.scores(right, left))[0]
        right = np.linalg.qr(data.weighted_rows(left, right).T)[0].T
    left = np.linalg.qr(data.scores(right, left))[0]
    turn, values, right = np.linalg.svd(data.weighted_rows(left, right), full_matrices=False)
    return (left @ turn)[:, :rank], values[:rank], right[:rank]


def _heavier_half(left: Array, right: Array, value: float) -> tuple[Array, Array]:
    halves = []
    for sign in (1.0, -1.0):
        a, b = np.maximum(sign * left, 0), np.maximum(sign * right, 0)
        halves.append((np.linalg.norm(a) * np.linalg.norm(b), a, b))
    weight, a, b = max(halves, key=lambda half: half[0])
    if weight == 0:
        return np.zeros_like(left), np.zeros_like(right)
    return np.sqrt(value * weight) * a / np.linalg.norm(a), np.sqrt(value * weight) * b / np.linalg.norm(b)


def blurred_clusters(X: Any, k: int, rng: np.random.RandomState) -> Array:
    """Return k-means membership plus 0.2, the start of Ding, Li and Jordan, 2010."""
    if is_operator(X):
        raise ValueError('init="kmeans" needs the rows of X themselves: choose init="random".')
    if k > X.shape[0]:
        raise ValueError(
            f'init="kmeans" cannot make n_components={k} clusters of {X.shape[0]} samples: '
            'choose fewer, or init="random".'
        )
    from sklearn.cluster import KMeans  # takes a moment to load, and most starts do without

    with warnings.catch_warnings():
        # Fewer distinct samples than clusters leaves some empty, which does no harm here.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = KMeans(k, n_init=1, random_state=rng).fit(X).labels_
    return np.asarray(np.eye(k)[labels] + 0.2)
