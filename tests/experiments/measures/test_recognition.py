"""Recognition against brute force, at every scale, and at its edges."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from experiments.measures import recognition
from experiments.measures.recognition import Metric, accuracy, nearest_neighbour, nearest_with_margin

METRICS: list[Metric] = ["euclidean", "cosine"]
Floats = npt.NDArray[np.floating[Any]]


def problem(seed: int, dtype: type = np.float64) -> tuple[Floats, npt.NDArray[np.int64], Floats]:
    rng = np.random.default_rng(seed)
    train, queries = rng.normal(size=(9, 4)), rng.normal(size=(7, 4))
    return train.astype(dtype), np.arange(9) % 3, queries.astype(dtype)


@given(
    seed=st.integers(0, 10**6),
    metric=st.sampled_from(METRICS),
    dtype=st.sampled_from([np.float32, np.float64]),
    block=st.integers(1, 100),
)
def test_it_agrees_with_brute_force(seed: int, metric: Metric, dtype: type, block: int) -> None:
    train, labels, queries = problem(seed, dtype)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recognition, "BLOCK_DISTANCES", block)
        found = nearest_with_margin(train, labels, queries, metric)
        predicted = nearest_neighbour(train, labels, queries, metric)
    distances = cdist(queries.astype(np.float64), train.astype(np.float64), metric)
    best = distances.min(axis=1)
    others = labels != labels[found.index][:, np.newaxis]
    rival = np.where(others, distances, np.inf).min(axis=1)
    # Comparing distances, not indices: float32 may rightly take either of two equally near rows.
    assert distances[np.arange(7), found.index] == pytest.approx(best, abs=1e-5)
    assert found.distance == pytest.approx(best, abs=1e-5)
    assert found.margin == pytest.approx(rival - best, abs=1e-5)
    assert np.array_equal(predicted, labels[found.index])
    assert found.distance.dtype == found.margin.dtype == dtype


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("metric", METRICS)
def test_scale_does_not_matter_even_in_float32(scale: float, metric: Metric) -> None:
    train, labels, queries = problem(3)
    expected = nearest_neighbour(train, labels, queries, metric)
    small, few = (train * scale).astype(np.float32), (queries * scale).astype(np.float32)
    assert np.array_equal(nearest_neighbour(small, labels, few, metric), expected)


def test_a_large_common_offset_does_not_blur_float32() -> None:
    train = np.float32(4096) + np.array([[0, 0], [1, 0], [0, 1]], dtype=np.float32)
    found = nearest_with_margin(train, [0, 1, 2], train)
    assert np.array_equal(found.index, [0, 1, 2])
    assert found.margin == pytest.approx([1, 1, 1])


def test_the_two_metrics_differ_where_they_should() -> None:
    train, query = np.array([[10.0, 0.0], [1.0, 1.0]]), np.array([[1.0, 0.0]])
    assert nearest_neighbour(train, [0, 1], query, "euclidean") == [1]
    assert nearest_neighbour(train, [0, 1], query, "cosine") == [0]


def test_exact_distance_and_margin() -> None:
    found = nearest_with_margin([[0, 0], [3, 4], [0, 1]], [0, 1, 0], [[0, 0], [3, 3]])
    assert np.array_equal(found.index, [0, 1])
    assert found.distance == pytest.approx([0, 1])
    assert found.margin == pytest.approx([5, np.sqrt(13) - 1])


@pytest.mark.parametrize("metric", METRICS)
def test_one_class_alone_has_no_rival(metric: Metric) -> None:
    found = nearest_with_margin([[1.0, 0.0], [0.0, 1.0]], [4, 4], [[1.0, 0.1]], metric)
    assert np.array_equal(found.margin, [np.inf])


def test_rows_of_zeros_are_at_cosine_distance_one_from_all() -> None:
    train = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0]], dtype=np.float32)
    found = nearest_with_margin(train, [0, 1, 2], [[0.0, 0.0], [-2.0, 0.1], [0.1, 5.0]], "cosine")
    assert np.array_equal(found.index, [0, 2, 1])
    assert found.distance[0] == 1
    assert found.margin[0] == 0


def test_identical_features_everywhere_are_a_tie() -> None:
    found = nearest_with_margin(np.zeros((3, 2)), [0, 1, 1], np.zeros((1, 2)))
    assert (found.index[0], found.distance[0], found.margin[0]) == (0, 0, 0)


def test_a_tie_up_to_rounding_is_never_a_negative_margin() -> None:
    rng = np.random.default_rng(0)
    one = rng.normal(size=(1, 33)).astype(np.float32)
    train = one * np.array([[1.0], [3.0], [0.7]], dtype=np.float32)  # one direction, rounded three ways
    queries = rng.normal(size=(500, 33)).astype(np.float32)
    margin = nearest_with_margin(train, [0, 1, 2], queries, "cosine").margin
    assert np.all((margin >= 0) & (margin < 1e-5))


def test_accuracy_counts_rows_of_known_class() -> None:
    assert accuracy([0, 1, 2, 0], [0, 1, 1, -1]) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="no known label"):
        accuracy([0], [-1])
    with pytest.raises(ValueError, match="need equal lengths"):
        accuracy([0, 1], [0])


@pytest.mark.parametrize(
    ("train", "labels", "features", "metric", "message"),
    [
        ([[1.0]], [0], [[1.0]], "manhattan", "metric must be one of euclidean, cosine, not 'manhattan'"),
        ([1.0], [0], [[1.0]], "cosine", "train_features must have rows and columns"),
        ([[1.0]], [0], np.ones((0, 1)), "cosine", "features must have rows and columns"),
        ([[1.0]], [0], [[1.0, 2.0]], "cosine", "train_features has 1 columns and features 2"),
        ([[1.0]], [0, 1], [[1.0]], "cosine", "train_labels must be 1 class codes"),
        ([[1.0]], [0.5], [[1.0]], "cosine", "train_labels must be 1 class codes"),
        ([[1.0], [2.0]], [0, -1], [[1.0]], "cosine", "train_labels is -1 at row 1"),
        ([[np.nan]], [0], [[1.0]], "cosine", "train_features holds NaN"),
        ([[1.0]], [0], [[np.inf]], "cosine", "features holds NaN or infinite"),
    ],
)
def test_bad_input_is_refused(train: Any, labels: Any, features: Any, metric: Any, message: str) -> None:
    for function in (nearest_neighbour, nearest_with_margin):
        with pytest.raises(ValueError, match=f"^{message}"):
            function(train, labels, features, metric)
