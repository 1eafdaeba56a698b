"""Refusals: the row is named, the reason is given, and what would be accepted is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning

from methods.checks import UNLABELLED, check_data, check_labels, check_start, is_operator
from methods.stepwise import accuracy_where_labelled


class Method(BaseEstimator):
    """Only a name for the messages."""


def checked(X: Any, *, nonnegative: bool = True, **how: Any) -> Any:
    return check_data(Method(), X, nonnegative=nonnegative, accept_sparse=True, **how)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("form", [np.asarray, np.asfortranarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize(
    ("values", "word"),
    [
        ((np.nan, np.nan), "NaN"),
        ((np.inf, np.inf), "infinity"),
        ((-np.inf, -np.inf), "infinity"),
        ((np.inf, -np.inf), "infinity"),  # their sum is NaN
        ((np.nan, -1.0), "NaN"),
        ((-1.0, -2.0), "Negative"),
    ],
)
def test_rows_are_named(values: tuple[float, float], word: str, form: Any, dtype: Any) -> None:
    X = np.ones((9, 4), dtype)
    X[2, 3], X[6, 0] = values
    with pytest.raises(ValueError, match=rf"{word}.*\(rows? (2, )?(2|6)\)") as refusal:
        checked(form(X))
    assert "Method" in str(refusal.value)


def test_many_rows_are_counted() -> None:
    X = -np.ones((9, 4))
    with pytest.raises(ValueError, match="rows 0, 1, 2, 3, 4 and 4 more"):
        checked(X)


@pytest.mark.parametrize("huge", [1e308, -1e308])
def test_a_sum_beyond_the_range_is_no_reason_to_refuse(huge: float) -> None:
    X = np.full((4, 3), huge)
    assert checked(X, nonnegative=False) is X


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_floats_pass_uncopied_and_other_numbers_become_double(dtype: Any) -> None:
    X = np.ones((4, 3), dtype)
    assert checked(X) is X
    for other in (np.int64, np.uint8, bool, np.float16):
        assert checked(X.astype(other)).dtype in (np.float64, np.float32)
    assert checked(X.tolist()).dtype == np.float64


def test_negative_zero_and_zero_entries_are_not_negative() -> None:
    checked(np.array([[-0.0, 1], [0, 2]]))


def test_operators_are_told_from_matrices() -> None:
    assert not any(is_operator(form(np.eye(3))) for form in (np.asarray, sparse.csr_array, np.ndarray.tolist))
    assert is_operator(sparse.linalg.aslinearoperator(np.eye(3)))


@pytest.mark.parametrize(
    "y",
    [
        np.array([5, -1, 2, 5, -1]),
        np.array([5.0, -1.0, 2.0, 5.0, -1.0]),
        np.array([5, -1, 2, 5, -1], dtype=np.int8),
        np.array([5, -1, 2, 5, -1], dtype=object),
        [5, -1, 2, 5, -1],
    ],
)
def test_minus_one_is_unlabelled_in_whatever_form(y: Any) -> None:
    codes, classes = check_labels("Method", y, 5)
    np.testing.assert_array_equal(codes, [1, UNLABELLED, 0, 1, UNLABELLED])
    np.testing.assert_array_equal(classes, [2, 5])
    assert codes.dtype == np.int64


def test_a_column_of_labels_is_taken_with_a_warning() -> None:
    with pytest.warns(DataConversionWarning, match="ravel"):
        codes, _ = check_labels("Method", np.array([[5], [-1], [2]]), 3)
    np.testing.assert_array_equal(codes, [1, UNLABELLED, 0])


def test_words_are_classes_too() -> None:
    codes, classes = check_labels("Method", np.array(["b", "a", "b"]), 3)
    np.testing.assert_array_equal(codes, [1, 0, 1])
    np.testing.assert_array_equal(classes, ["a", "b"])
    codes, classes = check_labels("Method", np.array(["b", -1, "a"], dtype=object), 3)
    np.testing.assert_array_equal(codes, [1, UNLABELLED, 0])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "Method requires y.*-1"),
        ([0, 1], r"one label for each of the 3 rows.*\(2,\)"),
        ([[0, 1]] * 3, r"\(3, 2\)"),
        ([0, np.nan, 1], "y contains NaN.*-1"),
        ([0, np.inf, 1], "y contains NaN or infinity"),
        ([0.5, 1.0, 2.0], "continuous.*class codes"),
        ([-1, -1, -1], "two classes.*no labelled row"),
        ([4, -1, 4], r"two classes.*only 1 class \(4\)"),
    ],
)
def test_impossible_labels_are_refused(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_labels("Method", y, 3)


def test_labels_given_are_left_alone() -> None:
    y = np.array([3, -1, 7])
    y.flags.writeable = False
    codes, _ = check_labels("Method", y, 3)
    assert not np.shares_memory(codes, y)


def test_a_start_says_which_argument_it_came_with() -> None:
    with pytest.raises(
        ValueError, match=r"^warm_start: W has shape \(2, 2\), but this problem needs \(3, 2\)"
    ):
        check_start("W", np.ones((2, 2)), (3, 2), np.float64, source="warm_start")
    with pytest.raises(ValueError, match=r"^init: W must hold finite numbers that are zero or more"):
        check_start("W", -np.ones((2, 2)), (2, 2), np.float64)


@pytest.mark.parametrize("gap", ["", "-1", None, float("nan"), pd.NA, -1])
@pytest.mark.parametrize("kind", ["list of objects", "pandas"])
def test_every_way_to_leave_a_label_out_means_unknown(gap: Any, kind: str) -> None:
    words = np.array(["ann", gap, "bob", "ann"], dtype=object)
    y = pd.Series(words, dtype=object) if kind == "pandas" else words
    codes, classes = check_labels("N2S2L", y, 4)
    assert codes.tolist() == [0, -1, 1, 0]
    assert classes.tolist() == ["ann", "bob"]
    assert accuracy_where_labelled(np.array(["ann", "ann", "ann", "ann"]), y) == pytest.approx(2 / 3)


def test_words_of_numpy_and_gaps_that_are_refused() -> None:
    assert check_labels("N2S2L", np.array(["b", "", "a", "-1"]), 4)[0].tolist() == [1, -1, 0, -1]
    with pytest.raises(ValueError, match="mark rows of unknown class with -1"):
        check_labels("N2S2L", pd.array([3, None, 5], dtype="Int64"), 3)
    with pytest.raises(ValueError, match="y mixes words and numbers"):
        check_labels("N2S2L", np.array(["a", 2, "b"], dtype=object), 3)
    assert accuracy_where_labelled(np.array([1, 2]), np.array([1.0, np.nan])) == 1.0
