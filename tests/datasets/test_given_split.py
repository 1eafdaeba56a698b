"""A split that comes with the data: read from two halves or a column, kept, and used as it is."""

from __future__ import annotations

import numpy as np
import pytest

import datasets
from experiments import RunRequest, run, split
from tests.datasets.upload_files import mat

RNG = np.random.default_rng(0)
TRAIN, TEST = RNG.random((30, 6)), RNG.random((12, 6))
Y_TRAIN, Y_TEST = np.arange(30) % 3, np.arange(12) % 3


def test_official_halves_are_kept_as_the_split() -> None:
    data = mat(Train_DAT=TRAIN.T, Test_DAT=TEST.T, trainlabels=Y_TRAIN + 1, testlabels=Y_TEST + 1)
    found = datasets.understand(data, name="AR.mat")
    ds = found.dataset
    np.testing.assert_array_equal(ds.X, np.concatenate([TRAIN, TEST]))
    np.testing.assert_array_equal(ds.y, np.concatenate([Y_TRAIN, Y_TEST]))
    assert "The file comes with a split: 30 labelled, 12 held out." in found.summary
    rows = split(ds, given=True)
    assert rows.labelled.tolist() == list(range(30))
    assert rows.held_out.tolist() == list(range(30, 42))
    id = datasets.keep(ds)
    np.testing.assert_array_equal(datasets.load(id).given, ds.given)
    request = RunRequest(id, "nmf", {"max_iter": 2}, split={"given": True})
    assert '"split": {"given": true}' in request.canonical()
    assert "held_out_euclidean" in run(request).scores


def test_a_column_says_which_rows_are_for_what() -> None:
    parts = ["train", "test", "unlabelled"]
    lines = [f"{i / 7},{i % 5},{'ab'[i % 2]},{parts[i % 3]}" for i in range(24)]
    ds = datasets.read("\n".join(["x,z,class,split", *lines]).encode(), "t.csv")
    assert ds.feature_names == ("x", "z")
    rows = split(ds, given=True)
    assert [rows.labelled[0], rows.held_out[0], rows.unlabelled[0]] == [0, 1, 2]
    assert {len(part) for part in (rows.labelled, rows.unlabelled, rows.held_out)} == {8}
    fewer = datasets.read("\n".join(["x,z,class,split", *lines]).encode(), "t.csv", samples=12)
    assert fewer.given is not None
    assert fewer.given.shape == (12,)


def test_without_one_it_is_a_sentence_and_keys_stay() -> None:
    iris = datasets.load("iris")
    with pytest.raises(ValueError, match="these data came without a split"):
        split(iris, given=True)
    plain = RunRequest("iris", "nmf")
    assert "given" not in plain.canonical()
    assert RunRequest("iris", "nmf", split={"given": False}).key == plain.key
