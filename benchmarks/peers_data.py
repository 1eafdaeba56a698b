"""The data that solvers race on: faces, digits, documents, and planted parts, tall and wide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

import datasets
from methods.typing import Array

# The documents and words of TDT2, the collection that papers on sparse NMF measure with.
_DOCUMENTS, _WORDS = 8741, 36_771


def faces() -> tuple[Array, int]:
    """ORL, 400 × 4096."""
    return datasets.load("orl", size=64).X, 40


def digits() -> tuple[Array, int]:
    """20 000 × 784: MNIST-5000, each digit also a pixel lower, to the right, and up and to the left."""
    datasets.fetch("mnist5000")
    ink = datasets.load("mnist5000").X.reshape(-1, 28, 28)
    moves = ((0, 0), (1, 0), (0, 1), (-1, -1))
    return np.concatenate([np.roll(ink, move, (1, 2)) for move in moves]).reshape(-1, 784), 49


def documents() -> tuple[Any, int]:
    """As many of 20 Newsgroups, and of their words, as TDT2 has: sparse."""
    datasets.fetch("newsgroups")
    words = datasets.load("newsgroups", vocabulary=_WORDS, min_df=2)
    return sparse.csr_array(words.X[:_DOCUMENTS]), 20


def texts() -> tuple[Any, int]:
    """Documentation of Python libraries: sparse and small."""
    return datasets.load("docstrings").X, 20


def planted(n: int, m: int, k: int, noise: float) -> Array:
    """Return sums of k parts that are zero in three of five places, and noise of a share of their mean."""
    rng = np.random.default_rng(0)
    W, H = (rng.random(s, np.float32) * (rng.random(s, np.float32) < 0.4) for s in ((n, k), (k, m)))
    X = W @ H
    X += np.float32(noise) * X.mean() * rng.random(X.shape, np.float32)
    return np.asarray(X)


DATA: dict[str, Callable[[], tuple[Any, int]]] = {
    "faces": faces,
    "digits": digits,
    "documents": documents,
    "texts": texts,
    "tall": lambda: (planted(20_000, 400, 20, 0.5), 20),
    "wide": lambda: (planted(400, 20_000, 20, 0.5), 20),
}
