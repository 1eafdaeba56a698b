"""Recognition: the nearest labelled row decides, and how often that is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from methods.rows import unit_rows

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
Codes: TypeAlias = npt.NDArray[np.int64]
Metric = Literal["euclidean", "cosine"]
METRICS: tuple[Metric, ...] = get_args(Metric)
# Of rows whose class is to be named: in the fit without a label, or never seen by it.
TestSamples = Literal["seen", "unseen"]
TEST_SAMPLES: tuple[TestSamples, ...] = get_args(TestSamples)

# Distances held at once: 4 million are 16 MB in float32.
BLOCK_DISTANCES = 4_000_000


@dataclass(frozen=True, eq=False)
class Nearest:
    """For each row of features: the nearest training row and how clear the choice is.

    Attributes
    ----------
    index : row of the training features; of equally near ones the first.
    distance : distance to it.
    margin : how much farther the nearest row of another class is; 0 is a tie, infinity means
        that there is no other class.
    """

    index: Codes
    distance: FloatArray
    margin: FloatArray


def nearest_neighbour(
    train_features: npt.ArrayLike,
    train_labels: npt.ArrayLike,
    features: npt.ArrayLike,
    metric: Metric = "euclidean",
) -> Codes:
    """Predict for each row of `features` the label of the nearest row of `train_features`."""
    train, labels, queries = _checked(train_features, train_labels, features, metric)
    prepared = _prepared(train, queries, metric)
    index = np.empty(len(queries), dtype=np.int64)
    for block in _blocks(len(queries), len(train)):
        index[block] = prepared.rank(block).argmin(axis=1)
    return labels[index]


def nearest_with_margin(
    train_features: npt.ArrayLike,
    train_labels: npt.ArrayLike,
    features: npt.ArrayLike,
    metric: Metric = "euclidean",
) -> Nearest:
    """Find for each row of `features` its nearest training row, and the margin over other classes.

    Distances are Euclidean, or 1 - cosine. A row of zeros has no direction: its cosine distance
    to every row is 1.
    """
    train, labels, queries = _checked(train_features, train_labels, features, metric)
    prepared = _prepared(train, queries, metric)
    index = np.empty(len(queries), dtype=np.int64)
    rival = np.empty_like(index)
    for block in _blocks(len(queries), len(train)):
        ranks = prepared.rank(block)
        index[block] = ranks.argmin(axis=1)
        ranks[labels == labels[index[block]][:, np.newaxis]] = np.inf
        rival[block] = ranks.argmin(axis=1)
    distance = prepared.distance(index)
    # Ranks are rounded differently from distances, so at a tie the difference may be a hair below 0.
    margin = np.maximum(prepared.distance(rival) - distance, 0)
    margin[labels[rival] == labels[index]] = np.inf
    return Nearest(index, distance, margin)


def accuracy(predicted: npt.ArrayLike, truth: npt.ArrayLike) -> float:
    """Return the share of rows predicted right, among those whose true label is known (not -1)."""
    guesses, codes = np.asarray(predicted), np.asarray(truth)
    if guesses.shape != codes.shape or codes.ndim != 1:
        raise ValueError(f"predicted has shape {guesses.shape} and truth {codes.shape}; need equal lengths")
    labelled = codes != -1
    if not labelled.any():
        raise ValueError("truth holds no known label, so there is nothing to be right about")
    return float(np.mean(guesses[labelled] == codes[labelled]))


@dataclass(frozen=True)
class _Prepared:
    """Distances in two forms: a cheap one that ranks training rows, an exact one for chosen pairs."""

    rank: Callable[[slice], FloatArray]
    distance: Callable[[Codes], FloatArray]


def _prepared(train: FloatArray, queries: FloatArray, metric: Metric) -> _Prepared:
    if metric == "cosine":
        train, queries = unit_rows(train), unit_rows(queries)
        return _Prepared(
            rank=lambda block: -(queries[block] @ train.T),
            distance=lambda index: np.clip(1 - np.einsum("ij,ij->i", queries, train[index]), 0, 2),
        )
    # |q - t|^2 = |q|^2 - 2 q.t + |t|^2, where |q|^2 does not change the ranking. Moving the origin
    # to the mean and the largest entry to 1 changes no ranking either, and spares float32 the
    # cancellation of large offsets and squares too large or too small to hold.
    centre = train.mean(axis=0)
    train, queries = train - centre, queries - centre
    scale = max(np.abs(train).max(), np.abs(queries).max()) or train.dtype.type(1)
    train, queries = train / scale, queries / scale
    squares = np.einsum("ij,ij->i", train, train)
    return _Prepared(
        rank=lambda block: squares - 2 * (queries[block] @ train.T),
        distance=lambda index: scale * np.linalg.norm(queries - train[index], axis=1),
    )


def _blocks(n_queries: int, n_train: int) -> list[slice]:
    step = max(1, BLOCK_DISTANCES // n_train)
    return [slice(start, start + step) for start in range(0, n_queries, step)]


def _checked(
    train_features: npt.ArrayLike, train_labels: npt.ArrayLike, features: npt.ArrayLike, metric: Metric
) -> tuple[FloatArray, Codes, FloatArray]:
    if metric not in get_args(Metric):
        raise ValueError(f"metric must be one of {', '.join(get_args(Metric))}, not {metric!r}")
    train, queries = _matrix("train_features", train_features), _matrix("features", features)
    if train.shape[1] != queries.shape[1]:
        raise ValueError(
            f"train_features has {train.shape[1]} columns and features {queries.shape[1]}; they must agree"
        )
    labels = np.asarray(train_labels)
    if labels.shape != (len(train),) or not np.issubdtype(labels.dtype, np.integer):
        raise ValueError(f"train_labels must be {len(train)} class codes, one for each training row")
    if labels.min() < 0:
        raise ValueError(f"train_labels is {labels.min()} at row {labels.argmin()}; pass labelled rows only")
    return train, labels.astype(np.int64), queries


def _matrix(name: str, values: npt.ArrayLike) -> FloatArray:
    matrix = np.asarray(values)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"{name} must have rows and columns; its shape is {matrix.shape}")
    if matrix.dtype not in (np.float32, np.float64):
        matrix = matrix.astype(np.float64)
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} holds NaN or infinite values, so there is no nearest row")
    return matrix
