"""Least squares on the simplex: many small problems, solved exactly and all at once.

min wᵀGw + r‖w‖²   over   w ≥ 0, Σw = 1
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from methods.typing import Array, is_sparse

# Differences between samples and their neighbours that are held at a time.
AT_ONCE = 4_000_000
# Exchanges of whole sets that may fail before single ones, which cannot go round in circles, take over.
_PATIENCE = 3


def reconstruction_weights(X: Any, targets: Any, near: Array, ridge: float) -> Array:
    """Return for each target the weights w ≥ 0, Σw = 1 with which rows X[near] rebuild it best.

    The squared error is measured in units of the mean squared distance to the neighbours, and
    `ridge`·‖w‖² is added to it: among weights that do equally well the most even are taken.
    """
    weights = np.empty(near.shape)
    step = max(1, AT_ONCE // (near.shape[1] * _width(X, targets, near.shape[1])))
    for first in range(0, near.shape[0], step):
        part = slice(first, first + step)
        apart = _differences(X, targets[part], near[part])
        # Scaled before squaring, so that neither tiny nor huge differences leave the range of doubles.
        largest = np.abs(apart).max(axis=(1, 2), keepdims=True)
        apart /= np.where(largest > 0, largest, 1)
        weights[part] = simplex_least_squares(apart @ apart.swapaxes(1, 2), ridge)
    return weights


def _width(X: Any, targets: Any, k: int) -> int:
    """Return how many entries a sample and k neighbours have at most that are not zero in all of them."""
    if not is_sparse(X):
        return int(X.shape[1])
    longest = k * np.diff(X.indptr).max(initial=0) + np.diff(targets.indptr).max(initial=0)
    return int(min(X.shape[1], max(1, longest)))


def _differences(X: Any, targets: Any, near: Array) -> Array:
    """Return x − target for the neighbours x of each target; of sparse rows without the features none has."""
    if not is_sparse(X):
        return np.asarray(X[near] - targets[:, None])
    (count, k), m = near.shape, X.shape[1]
    apart = sparse.csr_array(X[near.ravel()] - targets[np.repeat(np.arange(count), k)])
    rows = np.repeat(np.arange(count * k), np.diff(apart.indptr))
    # Each target numbers the features of its own anew.
    features, own = np.unique(rows // k * m + apart.indices, return_inverse=True)
    firsts = np.searchsorted(features, np.arange(count + 1) * m)
    full = np.zeros((count * k, max(1, int(np.diff(firsts).max(initial=0)))))
    full[rows, own - firsts[rows // k]] = apart.data
    return full.reshape(count, k, -1)


def simplex_least_squares(grams: Array, ridge: float) -> Array:
    """Return the minimisers w (one row a problem) for Gram matrices G, each scaled to mean diagonal 1.

    With λ = wᵀGw the conditions for a minimum say that v = w/λ solves  Gv ≥ 1, v ≥ 0, vᵀ(Gv − 1) = 0.
    Block principal pivoting (Kim and Park 2011, after Júdice and Pires) finds which v are zero.
    """
    size = grams.shape[-1]
    means = np.einsum("nkk->n", grams) / size
    G = grams / np.where(means > 0, means, 1)[:, None, None]
    G += ridge * np.eye(size)
    v = _complementary(G)
    return np.asarray(v / v.sum(axis=1, keepdims=True))


def _complementary(G: Array) -> Array:
    """Return v ≥ 0 with Gv − 1 ≥ 0, one of the two zero in every entry, for positive definite G."""
    n, size = G.shape[:2]
    values, active = np.zeros((n, size)), np.arange(n)
    positive = np.ones((n, size), dtype=bool)
    fewest, patience = np.full(n, size + 1), np.full(n, _PATIENCE)
    while active.size:
        v, wrong = _tried(G[active], positive[active])
        values[active] = v
        open_ = wrong.any(axis=1)
        active, wrong = active[open_], wrong[open_]
        count = wrong.sum(axis=1)
        better = count < fewest[active]
        fewest[active[better]] = count[better]
        patience[active] = np.where(better, _PATIENCE, patience[active] - 1)
        # Murty's rule: only the last wrong entry changes sides. It ends for every positive definite G.
        single = patience[active] < 0
        last = size - 1 - wrong[single][:, ::-1].argmax(axis=1)
        wrong[single] = np.arange(size) == last[:, None]
        positive[active] ^= wrong
    return values


def _tried(G: Array, positive: Any) -> tuple[Array, Any]:
    """Solve with the given entries positive; return the solution and which entries violate optimality."""
    masked = np.where(positive[:, :, None] & positive[:, None, :], G, np.eye(G.shape[-1]))
    v = np.linalg.solve(masked, positive.astype(G.dtype)[..., None])[..., 0]
    slack = np.einsum("nij,nj->ni", G, v) - 1
    # What rounding alone may do to a zero: a sample inside the hull of its neighbours has a large v.
    noise = 64 * np.finfo(G.dtype).eps * (1 + np.einsum("nij,nj->ni", np.abs(G), np.abs(v)))
    wrong = np.where(positive, v < 0, slack < -noise)
    return v, wrong
