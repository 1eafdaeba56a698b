"""What a method needs and whether the data have it: said before anything is run, and true."""

import gc
import re
from weakref import ref

import numpy as np
import pytest
from scipy import sparse

import methods
from datasets import Dataset
from experiments.requests import suitability
from experiments.requests.splits import Split
from experiments.requests.suitability import possible, why_not

NOTHING = np.array([], dtype=np.int64)


def data(X=None, shape=None, **more_views):
    X = np.random.default_rng(0).random((12, 6)) if X is None else X
    return Dataset("toy", "Toy", {"x": X, **more_views}, y=np.arange(12) % 3, image_shape=shape)


def rows(ds, labelled=6):
    y = np.full(ds.n_samples, -1)
    y[:labelled] = ds.y[:labelled]
    return Split(np.arange(labelled), np.arange(labelled, ds.n_samples), NOTHING.copy(), y)


def test_data_with_everything_suit_every_method():
    ds = data(shape=(2, 3), more=np.ones((12, 4)))
    assert possible(ds, rows(ds)) == dict(methods.specs())


@pytest.mark.parametrize(
    ("method", "ds", "labelled", "needs"),
    [
        ("lda", data(), 0, "labelled samples"),
        ("lda", data(), 1, "labelled samples of at least two classes"),
        ("cca", data(), 6, "several views"),
        ("ntf", data(), 6, "samples that are pictures"),
        ("nmf", data(np.eye(12) - 0.1), 6, "numbers that are not negative"),
        ("sulf", data(more=-np.ones((12, 4))), 6, "numbers that are not negative"),
    ],
)
def test_what_is_missing_is_said(method, ds, labelled, needs):

    split = rows(ds, labelled)
    assert re.fullmatch(needs, why_not(methods.spec(method), ds, split))
    assert method not in possible(ds, split)


def test_a_method_that_takes_no_words_is_not_listed_for_them(monkeypatch):
    ds = data(sparse.csr_array(np.eye(12)))
    monkeypatch.setattr(suitability, "_takes_sparse", lambda method: method != "pca")
    assert "not the mostly empty table" in why_not(methods.spec("pca"), ds, rows(ds))
    assert "pca" not in possible(ds, rows(ds))


@pytest.mark.parametrize("method", ["nmf", "n2s2l", "sgnmf", "pca", "dpca", "src"])
def test_words_and_what_only_other_views_lack_are_no_obstacle(method):
    ds = data(sparse.csr_array(np.eye(12)), more=-np.ones((12, 4)))
    assert why_not(methods.spec(method), ds, rows(ds)) == ""


def test_a_method_that_takes_negative_numbers_is_listed_for_them():
    ds = data(np.eye(12) - 0.1)
    assert {"semi_nmf", "pca", "lda", "hgf"} <= set(possible(ds, rows(ds)))


def test_nothing_is_remembered_of_data_that_are_gone():
    ds = data()
    possible(ds, rows(ds))
    gone = ref(ds)
    del ds
    gc.collect()
    assert gone() is None
