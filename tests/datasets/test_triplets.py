"""Entries of a matrix in three columns: understood where that is sure, said to be a guess where it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import datasets
from datasets import UploadError
from datasets.reading.limits import Limits
from datasets.reading.triplets import Entries, entries_in
from tests.datasets.upload_files import cell, mat, saved, tarred, zipped

RNG = np.random.default_rng(0)


def documents(count: int, words: int, *, start: int = 1, whole: bool = True) -> tuple[Any, Any]:
    """A sparse matrix with something in every row, and its entries in order."""
    X = np.where(RNG.random((count, words)) < 0.05, RNG.integers(1, 9, (count, words)), 0).astype(float)
    X[np.arange(count), np.arange(count) % words] = 3
    X[0, 1] = 0 if start == 0 else 2  # "0 1 2" in the first line would be a heading.
    X[-1, -1] = X[0, -1] = 1
    X = X if whole else X / 7
    entries = sparse.csr_array(X).tocoo()
    return X, np.column_stack([entries.row + start, entries.col + start, entries.data])


def text(table: Any, separator: str = " ") -> bytes:
    return "\n".join(separator.join(f"{number:.12g}" for number in line) for line in table).encode() + b"\n"


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize(("ending", "separator"), [("txt", " "), ("dat", "\t"), ("csv", ",")])
def test_entries_alone_are_read_as_a_matrix_and_said_to_be_a_guess(
    start: int, ending: str, separator: str
) -> None:
    X, entries = documents(600, 80, start=start, whole=ending != "dat")
    data, name = text(entries, separator), f"EN_FR_sample.{ending}"
    found = datasets.understand(data, name)
    assert sparse.issparse(found.dataset.X)
    np.testing.assert_allclose(found.dataset.X.toarray(), X)
    assert "a matrix of 600 × 80 and was read so (a guess" in found.summary
    assert "triplets" in found.corrections
    told = datasets.understand(data, name, triplets=True)
    assert "a guess" not in told.summary
    np.testing.assert_allclose(told.dataset.X.toarray(), X)
    assert datasets.read(data, name, triplets=False).X.shape == (len(entries), 3)
    assert datasets.read(data, name, transpose=True).X.shape == (80, 600)


@pytest.mark.parametrize(
    "before", [b"doc word count\n", b"600 80 %d\n", b"600\n80\n%d\n"], ids=["heading", "sizes", "UCI"]
)
def test_a_heading_or_sizes_make_it_sure(before: bytes) -> None:
    X, entries = documents(600, 80)
    data = (before % len(entries) if b"%" in before else before) + text(entries)
    found = datasets.understand(data, "docword.txt")
    np.testing.assert_allclose(found.dataset.X.toarray(), X)
    assert "The table lists rows, columns and values of a matrix of 600 × 80." in found.summary


def test_matrices_without_labels_and_cells_of_several_views() -> None:
    (X, first), (Y, second) = documents(60, 40), documents(60, 30)
    for file, name in ((saved(first), "x.npy"), (mat(X=first), "x.mat")):
        found = datasets.understand(file, name)
        np.testing.assert_allclose(found.dataset.X.toarray(), X)
        assert "a guess" in found.summary
    two = datasets.read(mat(X=cell(first, second), gnd=np.arange(60) % 3), "x.mat")
    for view, wanted in zip(two.views.values(), (X, Y), strict=True):
        np.testing.assert_allclose(view.toarray(), wanted)
    with pytest.raises(UploadError, match="for matrices of three columns, and there is none"):
        datasets.read(mat(X=X), "x.mat", triplets=True)


def judged(table: Any, **known: Any) -> Entries | None:
    return entries_in(np.asarray(table, dtype=float), Limits(), **known)


def test_other_tables_of_three_columns_are_left_alone() -> None:
    numbers = np.arange(400)
    age, where = RNG.integers(18, 80, 400), RNG.integers(0, 20, (400, 2))
    assert judged(np.column_stack([numbers, age, RNG.normal(50, 5, 400)])) is None, "one line a person"
    assert judged(RNG.integers(0, 256, (5000, 3))) is None, "colours"
    assert judged(np.column_stack([where, RNG.random(400)])) is None, "places that come again"
    assert judged(RNG.random((400, 3))) is None
    seconds = [(user, 1.6e9 + 3600 * visit, 1) for user in range(50) for visit in range(0, 90, 3)]
    assert judged(seconds) is None, "seconds since 1970 are no columns"
    small = np.column_stack([np.arange(1, 61), RNG.integers(1, 9, 60), RNG.random(60)])
    table = datasets.read(mat(X=small, y=np.arange(60) % 3), "t.mat")
    assert table.X.shape == (60, 3), "a label a line"


def test_what_may_be_either_is_a_table_until_somebody_says() -> None:
    grid = [(y, x, (y * x) % 7 / 3) for y in range(20) for x in range(30)]
    _, entries = documents(600, 80)
    for table in (grid, RNG.permutation(entries)):
        found = judged(table)
        assert found is not None
        assert found.sureness == "possible"
    asked = datasets.understand(text(grid, ","), "grid.csv")
    assert asked.dataset.X.shape == (600, 3)
    assert "a matrix of 20 × 30, say that they are triplets" in asked.summary
    assert datasets.read(text(grid, ","), "grid.csv", triplets=True).X.shape == (20, 30)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (b"1,2,3,4\n5,6,7,8\n", "there are others here"),
        (b"0.5,1,2\n1,2,3\n", "whole numbers from 0 or 1"),
        (b"-1,1,2\n1,2,3\n", "whole numbers from 0 or 1"),
        (b"5,,2\n1,2,3\n", "some of these are missing"),
        (b"0,0,1\n2000000000,0,3\n", "at most 1000000 rows"),
        (b"0,0,1\n1,99999999999999999999,3\n", "whole numbers"),
    ],
)
def test_what_cannot_be_a_matrix_is_refused(lines: bytes, words: str) -> None:
    with pytest.raises(UploadError, match=words):
        datasets.read(lines, "x.csv", triplets=True)


def column(values: Any) -> bytes:
    return "\n".join(map(str, values)).encode()


def test_views_and_labels_in_files_of_their_own() -> None:
    (X, english), (Y, french) = documents(60, 40), documents(60, 30)
    y = np.arange(60) % 6 + 1
    files = {"a/EN.txt": text(english), "a/FR.txt": text(french), "a/labels.txt": column(y)}
    found = datasets.understand(zipped(files), "EN_FR_sample.zip")
    assert list(found.dataset.views) == ["EN", "FR"]
    np.testing.assert_allclose(found.dataset.X.toarray(), X)
    np.testing.assert_allclose(found.dataset.views["FR"].toarray(), Y)
    np.testing.assert_array_equal(found.dataset.y, y - 1)
    assert "a guess" not in found.summary


def test_official_halves_in_files_of_their_own_as_20_newsgroups_comes() -> None:
    (_, train), (_, test) = documents(300, 80), documents(100, 90)
    files = {
        "m/train.data": text(train), "m/train.label": column(np.arange(300) % 4 + 1),
        "m/train.map": b"alt.atheism 1\n", "m/test.data": text(test),
        "m/test.label": column(np.arange(100) % 4 + 1),
    }  # fmt: skip
    ds = datasets.read(tarred(files, "gz"), "20news-bydate-matlab.tgz")
    assert ds.X.shape == (400, 90)
    assert ds.n_classes == 4
    assert ds.given is not None
    np.testing.assert_array_equal(np.bincount(ds.given), [300, 0, 100])


def test_tables_with_their_labels_beside_them() -> None:
    train, test = RNG.random((30, 5)), RNG.random((12, 5))
    files = {
        "h/README.txt": b"What this is, at some length.", "h/train/subject_train.txt": column(range(30)),
        "h/train/X_train.txt": text(train), "h/train/y_train.txt": column(np.arange(30) % 3),
        "h/test/X_test.txt": text(test), "h/test/y_test.txt": column(np.arange(12) % 3),
    }  # fmt: skip
    found = datasets.understand(zipped(files), "har.zip")
    np.testing.assert_allclose(found.dataset.X, np.concatenate([train, test]))
    assert found.dataset.n_classes == 3
    assert "h README.txt (not used)" in found.left_out
    pair = {"X.csv": b"a,b\n" + text(train[:, :2], ","), "y.csv": b"kind\n" + column(["cat", "dog"] * 15)}
    assert datasets.read(zipped(pair), "pair.zip").target_names == ("cat", "dog")
    prose = {f"{'ab'[i % 2]}/{i}.txt": b"A fox, %d years old.\nAnd a hen." % i for i in range(9)}
    assert datasets.understand(zipped(prose), "t.zip").dataset.texts, "documents stay documents"
