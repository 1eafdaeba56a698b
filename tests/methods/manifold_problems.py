"""Small semi-supervised problems, and the pieces of their criterion worked out sample by sample."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

import datasets
from experiments.requests import splits

SIGMA, C_A, C_I = 0.5, 0.005, 0.01


def clouds(seed: int = 0, n: int = 36, features: int = 8, labelled: int = 4) -> tuple[Any, Any, Any]:
    """Return X, all labels, and labels of which only a few a class are kept, the classes mixed in order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 3)
    X = rng.random((3, features))[y] + 0.25 * rng.random((n, features))
    partial = np.full(n, -1)
    for c in range(3):
        members = np.flatnonzero(y == c)[:labelled]
        partial[members] = c
    return X, y, partial


def unit(X: Any) -> Any:
    return np.array([row / np.sqrt(sum(value * value for value in row)) for row in np.asarray(X, float)])


def kernel(X: Any, Z: Any, sigma: float = SIGMA) -> Any:
    """k(x, z) = exp(−‖x − z‖²/σ²)."""
    return np.array([[exp(-sum((x - z) ** 2) / sigma**2) for z in Z] for x in X])


def label_columns(partial: Any, classes: int = 3) -> tuple[Any, Any]:
    """Return the paper's Y (classes × samples) and J."""
    Y, J = np.zeros((classes, len(partial))), np.zeros((len(partial), len(partial)))
    for i, label in enumerate(partial):
        if label >= 0:
            Y[label, i] = J[i, i] = 1
    return Y, J


def nearest_laplacian(U: Any, p: int) -> Any:
    """L = D − W, W joining i and j when either is among the other's p nearest."""
    n = len(U)
    W = np.zeros((n, n))
    for i in range(n):
        by_distance = sorted((float(((U[i] - U[j]) ** 2).sum()), j) for j in range(n) if j != i)
        for _, j in by_distance[:p]:
            W[i, j] = W[j, i] = 1
    return np.diag(W.sum(axis=1)) - W


def squares_criterion(B: Any, K: Any, P: Any, partial: Any, c_a: float = C_A, c_i: float = C_I) -> Any:
    """Return the three terms of the criterion for B (samples × classes), label by label."""
    F = K @ B
    known = [i for i, label in enumerate(partial) if label >= 0]
    loss = sum(float(((np.eye(B.shape[1])[partial[i]] - F[i]) ** 2).sum()) for i in known)
    complexity = c_a * sum(float(b @ K @ b) for b in B.T)
    smoothness = c_i * sum(float(f @ P @ f) for f in F.T)
    return np.array([loss, complexity, smoothness]) / len(known)


def accuracy(estimator: Any, name: str, labelled: int, seed: int = 0, rows: int | None = None) -> float:
    """Return the share of unlabelled rows named rightly, on (the first) digits or 32×32 faces."""
    ds = datasets.load(name, size=32) if name == "orl" else datasets.load(name)
    X, y = ds.X[:rows], ds.y[:rows]
    split = splits.split(y, labelled_per_class=labelled, seed=seed)
    estimator.fit(X, split.y_partial)
    named = estimator.classes_[estimator.embedding_.argmax(axis=1)]
    return float((named == y)[split.unlabelled].mean())
