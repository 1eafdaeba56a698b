"""`Dataset`: read-only, complete, and strict about what fits together."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from datasets import Dataset

VIEW = np.arange(12, dtype=np.float32).reshape(2, 6)


def make(**changes: Any) -> Dataset:
    return Dataset(**{"id": "toy", "title": "Toy", "views": {"a": VIEW}} | changes)


def test_the_first_view_is_x() -> None:
    ds = make(views={"b": VIEW, "a": VIEW[:, :2]}, y=np.array([1, -1]), image_shape=(2, 3))
    assert np.array_equal(ds.X, VIEW)
    assert (ds.n_samples, ds.n_features, ds.n_classes) == (2, 6, 2)
    assert ds.target_names == ("0", "1")
    assert ds.y is not None
    assert ds.y.dtype == np.int64
    assert repr(ds) == "Dataset('toy', views: b 2x6, a 2x2; 2 classes)"


def test_without_labels_there_are_no_classes() -> None:
    assert make().n_classes == 0


def test_arrays_are_read_only_and_the_callers_stay_writeable() -> None:
    mine, codes, parts = VIEW.copy(), np.array([0, 1]), np.ones((1, 6), dtype=np.float32)
    ds = make(views={"a": mine}, y=codes, parts=parts)
    for array in (ds.X, ds.y, ds.parts):
        assert isinstance(array, np.ndarray)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5
    assert np.shares_memory(ds.views["a"], mine)
    assert mine.flags.writeable
    assert codes.flags.writeable
    with pytest.raises(TypeError):
        ds.views["b"] = mine


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_views_are_read_only_and_still_compute(container: Any) -> None:
    # Unsorted, with a duplicate entry: what SciPy would otherwise tidy in place later.
    mine = container((np.ones(4), np.array([3, 1, 1, 0]), np.array([0, 3, 4])), shape=(2, 6))
    expected = mine.toarray()
    X = make(views={"words": mine}).X
    assert type(X) is container
    with pytest.raises(ValueError, match="read-only"):
        X.data[0] = 7
    assert np.array_equal((X @ np.eye(6)), expected)
    assert np.array_equal(X[[1, 0]].toarray(), expected[[1, 0]])
    assert np.array_equal((X.T @ X).toarray(), expected.T @ expected)
    assert mine.nnz == 4
    assert mine.data.flags.writeable


@pytest.mark.parametrize("again", [copy.deepcopy, lambda ds: pickle.loads(pickle.dumps(ds))])
def test_copies_and_pickles_are_whole_and_read_only(again: Any) -> None:
    ds = make(y=np.array([0, -1]), options={"size": 2}, image_shape=(2, 3), feature_names=tuple("abcdef"))
    twin = again(ds)
    assert np.array_equal(twin.X, ds.X)
    assert np.array_equal(twin.y, ds.y)
    assert not twin.X.flags.writeable
    assert (twin.options, twin.feature_names, twin.image_shape) == (
        {"size": 2},
        ds.feature_names,
        ds.image_shape,
    )


def test_names_of_the_first_view_are_found_in_both_places() -> None:
    words, two = tuple("abcdef"), {"a": VIEW, "b": VIEW[:, :2]}
    for ds in (
        make(views=two, feature_names=words, view_features={"b": ("x", "y")}),
        make(views=two, view_features={"a": words, "b": ["x", "y"]}),
    ):
        assert ds.feature_names == words
        assert ds.view_features == {"a": words, "b": ("x", "y")}
    assert make(views=two, view_features={"b": ("x", "y")}).feature_names is None


def test_texts_and_names_of_samples_are_kept_and_survive_pickling() -> None:
    ds = make(texts={"a": ["one", "two"]}, sample_names=["first", "second"], feature_names=tuple("abcdef"))
    for each in (ds, pickle.loads(pickle.dumps(ds))):
        assert each.texts == {"a": ("one", "two")}
        assert each.sample_names == ("first", "second")
        assert each.view_features == {"a": tuple("abcdef")}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"views": {}}, "at least one view"),
        ({"views": {"a": VIEW, "b": VIEW[:1]}}, "same number of rows: a has 2, b has 1"),
        ({"views": {"a": VIEW[0]}}, "view 'a' must have rows and columns"),
        ({"views": {"a": VIEW[:0]}}, "view 'a' must have rows and columns"),
        ({"views": {"a": VIEW.astype(int)}}, "view 'a' must be float32 or float64, not int64"),
        ({"views": {"a": VIEW.tolist()}}, "view 'a' must be a NumPy array or a CSR matrix, not list"),
        ({"views": {"a": sparse.csc_array(VIEW)}}, "view 'a' is a sparse csc matrix; use CSR"),
        ({"y": np.array([0])}, "one class code for each of 2 rows"),
        ({"y": np.array([0.0, 1.0])}, "integer class codes"),
        ({"y": np.array([0, -2])}, "y holds -2"),
        ({"y": np.array([0, 1]), "target_names": ("cat",)}, "1 names, but y holds class code 1"),
        ({"image_shape": (2, 2)}, "2x2 means 4 features; X has 6"),
        ({"feature_names": ("a", "b")}, "2 names; X has 6 features"),
        ({"parts": np.ones((3, 5))}, "parts has shape"),
        ({"parts": np.ones(6)}, "parts has shape"),
        ({"texts": {"b": ("x", "y")}}, "texts names a view 'b'; the views are a"),
        ({"texts": {"a": ("x",)}}, r"texts\['a'\] has 1 entries; there are 2 samples"),
        ({"sample_names": ("x",)}, "sample_names has 1 entries; there are 2 samples"),
        ({"view_features": {"b": ()}}, "view_features names a view 'b'"),
        (
            {"views": {"a": VIEW, "b": VIEW}, "view_features": {"b": ("x",)}},
            "'b'.* has 1 names; the view has 6",
        ),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(**changes)
