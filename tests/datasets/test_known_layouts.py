"""Layouts that researchers pass round: a matrix a class, triplets, names of features and classes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import datasets
from datasets import UploadError
from tests.datasets.upload_files import cell, mat, zipped

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("turned", [False, True])
def test_a_matrix_a_class_with_official_halves(turned: bool) -> None:
    train = {f"train{k}": RNG.random((5 + k, 9)) + k for k in range(4)}
    test = {f"test{k}": RNG.random((2 + k, 9)) + k for k in range(4)}
    stored = {name: (X.T if turned else X) for name, X in (train | test).items()}
    found = datasets.understand(mat(**stored), name="usps.mat")
    ds = found.dataset
    np.testing.assert_allclose(ds.X, np.concatenate([*train.values(), *test.values()]))
    sizes = [5, 6, 7, 8, 2, 3, 4, 5]
    np.testing.assert_array_equal(ds.y, np.repeat([0, 1, 2, 3] * 2, sizes))
    assert ds.given is not None
    assert ds.given.tolist() == [0] * 26 + [2] * 14
    assert "4 matrices, one a class, were put together: 26 samples." in found.summary


def test_triplets_are_a_sparse_matrix_if_the_labels_say_so() -> None:
    X = sparse.random_array((60, 40), density=0.1, rng=RNG, data_sampler=lambda size: np.ones(size))
    X = (X + sparse.eye_array(60, 40)).tocoo()
    X.sum_duplicates()
    rows = sparse.coo_array(([1.0], ([59], [0])), shape=(60, 40))
    X = (X.tocsr() + rows).tocoo()
    triplets = np.column_stack([X.row + 1, X.col + 1, X.data])
    y = np.arange(60) % 3 + 1
    found = datasets.understand(mat(fea=triplets, gnd=y), name="EN_FR_sample.mat")
    assert sparse.issparse(found.dataset.X)
    np.testing.assert_allclose(found.dataset.X.toarray(), X.toarray())
    assert "fea lists rows, columns and values of a matrix of 60 × 40." in found.summary
    table = RNG.integers(1, 9, (60, 3)).astype(float)
    assert datasets.read(mat(fea=table, gnd=y), name="t.mat").n_features == 3, (
        "three columns are three columns"
    )


def test_features_and_classes_have_their_names() -> None:
    X, y = RNG.random((12, 4)), np.arange(12) % 3
    words, meaning = ["ball", "goal", "vote", "law"], ["sport", "politics", "arts"]
    for codes in (y, y + 1):
        file = mat(DAT=X, CleanOrder=codes, class_meaning=cell(*meaning), feas=cell(*words))
        ds = datasets.read(file, name="x.mat", label="CleanOrder")
        assert ds.feature_names == tuple(words)
        assert ds.target_names == tuple(meaning)
        np.testing.assert_array_equal(ds.y, y)
    told = datasets.read(mat(X=X, classes=cell(*[meaning[code] for code in y])), name="x.mat")
    assert set(told.target_names) == set(meaning), "a word a sample is its label"
    few = datasets.understand(mat(X=X, y=y, words=cell("a", "b")), name="x.mat")
    assert few.dataset.feature_names is None
    assert any("2 names of features (there are 4)" in part for part in few.left_out)


def matrix_market(X: sparse.coo_array) -> bytes:
    entries = "\n".join(f"{i + 1} {j + 1} {v:g}" for i, j, v in zip(X.row, X.col, X.data, strict=True))
    sizes = f"{X.shape[0]} {X.shape[1]} {X.nnz}"
    return f"%%MatrixMarket matrix coordinate real general\n{sizes}\n{entries}".encode()


def test_a_matrix_with_its_words_documents_and_classes() -> None:
    X = sparse.coo_array(np.array([[1.0, 0, 2], [0, 3, 0], [1, 1, 0], [0, 0, 5]]))
    beside = {
        "b/b.terms": b"ball\ngoal\nvote\n", "b/b.docs": b"d1\nd2\nd3\nd4\n",
        "b/b.classes": b"%Clusters 2\n0 0\n1 1\n2 0\n3 1\n",
    }  # fmt: skip
    for stored in (X, sparse.coo_array(X.T)):
        ds = datasets.read(zipped({"b/b.mtx": matrix_market(stored), **beside}), "b.zip")
        np.testing.assert_array_equal(ds.X.toarray(), X.toarray())
        assert ds.feature_names == ("ball", "goal", "vote")
        assert ds.sample_names == ("d1", "d2", "d3", "d4")
        assert ds.y is not None
        assert ds.y.tolist() == [0, 1, 0, 1]
    turned = datasets.understand(matrix_market(X), name="x.mtx", transpose=True)
    assert turned.dataset.X.shape == (3, 4)
    assert "transpose" in turned.corrections
    with pytest.raises(UploadError, match="There are 1 lines of classes for 4 samples"):
        datasets.read(zipped({"b.mtx": matrix_market(X), "b.classes": b"0 0"}), "b.zip")
