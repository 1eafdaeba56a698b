"""Layouts that researchers pass round: a matrix a class, triplets, names of features and classes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

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


def three_sources(**changed: bytes) -> bytes:
    """Three papers that report some stories in common, as the collection 3sources is published."""
    X = np.arange(1.0, 21).reshape(4, 5)
    papers = {"bbc": ("1", "2", "4", "7"), "guardian": ("7", "2", "9"), "reuters": ("2", "3", "7", "8", "4")}
    files = {"3sources/readme.txt": b"Stories of three papers."}
    for name, docs in papers.items():
        stem = f"3sources/3sources_{name}"
        files[f"{stem}.mtx"] = matrix_market(sparse.coo_array(X[:, : len(docs)]))
        files[f"{stem}.docs"] = "\n".join(docs).encode()
        files[f"{stem}.terms"] = "\n".join(f"{name}{number}" for number in range(4)).encode()
    files["3sources/3sources.disjoint.clist"] = b"business: 1,2\nsport: 7,8,9\n"
    files["3sources/3sources.overlap.clist"] = b"business: 1,2,7\nsport: 7,8,9\n"
    return zipped(files | {f"3sources/{name.replace('__', '.')}": data for name, data in changed.items()})


def test_several_matrices_are_views_of_the_documents_they_share() -> None:
    understood = datasets.understand(three_sources(), "3sources.zip")
    ds = understood.dataset
    assert list(ds.views) == ["bbc", "guardian", "reuters"]
    assert ds.sample_names == ("2", "7"), "in the order of the first list"
    X = np.arange(1.0, 21).reshape(4, 5)
    for name, columns in {"bbc": [1, 3], "guardian": [1, 0], "reuters": [0, 2]}.items():
        np.testing.assert_array_equal(ds.views[name].toarray(), X[:, columns].T)
        assert ds.view_features[name] == tuple(f"{name}{number}" for number in range(4))
    assert ds.target_names == ("business", "sport"), "the list that puts no story in two classes"
    assert ds.y is not None
    assert ds.y.tolist() == [0, 1]
    assert "the 2 documents that are in every view (4 of bbc" in understood.summary
    assert "3sources 3sources.overlap.clist (another list says the classes)" in understood.left_out
    one = datasets.understand(three_sources(), "3sources.zip", views=["guardian"])
    assert list(one.dataset.views) == ["guardian"]
    assert one.dataset.sample_names == ("7", "2", "9"), "what the others lack is no loss now"
    assert one.view_choices == ("bbc", "guardian", "reuters")
    with pytest.raises(UploadError, match="views names sun"):
        datasets.read(three_sources(), "3sources.zip", views=["sun"])


def repacked(names: Callable[[str], str]) -> bytes:
    """The same archive with other names, and without what gets none."""
    with zipfile.ZipFile(io.BytesIO(three_sources())) as packed:
        return zipped({names(name): packed.read(name) for name in packed.namelist() if names(name)})


def test_of_a_collection_packed_twice_each_matrix_is_a_view_once() -> None:
    with zipfile.ZipFile(io.BytesIO(three_sources())) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    twice = zipped(files | {f"backup/{name}": data for name, data in files.items()})
    understood = datasets.understand(twice, "twice.zip")
    assert list(understood.dataset.views) == ["bbc", "guardian", "reuters"]
    copies = [left for left in understood.left_out if "a copy of" in left]
    assert len(copies) == 3
    assert not any(".docs" in left or ".terms" in left for left in understood.left_out)


def test_a_list_of_classes_that_is_not_used_says_why() -> None:
    lists = {
        "3sources.disjoint__clist": b"business: 1,2,7\nsport: 7,8,9\n",
        "3sources.overlap__clist": b"business: 41\nsport: 42\n",
    }
    understood = datasets.understand(three_sources(**lists), "3sources.zip")
    assert understood.dataset.y is None
    assert "3sources 3sources.disjoint.clist (puts a document in two classes)" in understood.left_out
    assert "3sources 3sources.overlap.clist (names none of these documents)" in understood.left_out


def test_old_letters_and_large_endings_are_read() -> None:
    terms = {"3sources_bbc__terms": "fianc\xe9e\r\na\r\nb\r\nc\r\n".encode("latin-1")}
    ds = datasets.read(three_sources(**terms), "3sources.zip")
    assert ds.view_features["bbc"] == ("fianc\xe9e", "a", "b", "c")
    upper = datasets.read(repacked(lambda name: name.replace(".mtx", ".MTX")), "3sources.zip")
    assert list(upper.views) == ["bbc", "guardian", "reuters"]


def test_a_matrix_without_its_list_is_not_passed_over_for_the_readme() -> None:
    without = repacked(lambda name: "" if name.endswith("bbc.docs") else name)
    with pytest.raises(UploadError, match=r"3sources_bbc\.mtx has no list of its documents"):
        datasets.read(without, "3sources.zip")


def test_lists_that_contradict_their_matrices_are_refused() -> None:
    with pytest.raises(UploadError, match="its list names 2 documents"):
        datasets.read(three_sources(**{"3sources_bbc__docs": b"1\n2"}), "3sources.zip")
    with pytest.raises(UploadError, match="names a document twice"):
        datasets.read(three_sources(**{"3sources_bbc__docs": b"1\n2\n2\n7"}), "3sources.zip")
    with pytest.raises(UploadError, match="No document is in all"):
        datasets.read(three_sources(**{"3sources_bbc__docs": b"31\n32\n34\n37"}), "3sources.zip")


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
