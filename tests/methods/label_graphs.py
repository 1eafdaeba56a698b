"""What the tests of the discriminative factorizations share: small faces, and their graphs by plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
N, SHAPE, K, Q = 22, (4, 3), 5, 3


def faces(dtype: Any = np.float64, shape: tuple[int, ...] = SHAPE) -> tuple[Array, Array]:
    """Rows of three classes, some of them unlabelled."""
    rng = np.random.default_rng(8)
    truth = np.arange(N) % 3
    X = rng.random((3, int(np.prod(shape))))[truth] + 0.5 * rng.random((N, int(np.prod(shape))))
    return X.astype(dtype), np.where(np.arange(N) < 15, truth, -1)


def distance(X: Array, i: int, j: int) -> float:
    return float(np.sqrt(((X[i] - X[j]) ** 2).sum()))


def intrinsic(X: Array, y: Array, nearest: int) -> Array:
    S = np.zeros((N, N))
    for i in range(N):
        mates = [j for j in range(N) if y[i] >= 0 and y[j] == y[i] and j != i]
        for j in sorted(mates, key=lambda j: distance(X, i, j))[:nearest]:
            S[i, j] = S[j, i] = 1
    return S


def penalty(X: Array, y: Array, pairs: int) -> Array:
    S = np.zeros((N, N))
    for c in set(y[y >= 0]):
        across = [(i, j) for i in range(N) for j in range(N) if y[i] == c and y[j] >= 0 and y[j] != c]
        for i, j in sorted(across, key=lambda pair: distance(X, *pair))[:pairs]:
            S[i, j] = S[j, i] = 1
    return S


def by_part(X: Array, y: Array, nearest: int = 3, pairs: int = 6) -> list[Array]:
    """The 0/1 graph that each of the K parts lives on."""
    return [intrinsic(X, y, nearest)] * Q + [penalty(X, y, pairs)] * (K - Q)


def laplacian(S: Array) -> Array:
    return np.asarray(np.diag(S.sum(axis=1)) - S)
