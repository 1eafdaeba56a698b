"""Preparation: which rows an estimator gets, what it is told, and what is covered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import datasets
from datasets import Dataset
from experiments import RunRequest, occlude, split
from experiments.requests.prepare import datasets as catalogue
from experiments.requests.prepare import facts, prepare, rows_of
from methods import l1_cache

SPLIT = {"labelled_per_class": 3, "held_out_per_class": 5}


def test_the_estimator_gets_training_rows_and_the_labels_of_some() -> None:
    ds = datasets.load("swimmer")
    rows = split(ds, **SPLIT, seed=4)
    now = prepare(RunRequest("swimmer", "n2s2l", split=SPLIT, seed=4))
    assert np.array_equal(now.rows.labelled, rows.labelled)
    assert np.array_equal(now.X, ds.X[rows.train])
    assert np.array_equal(now.unseen, ds.X[rows.held_out])
    assert np.array_equal(now.y_partial, rows.y_partial[rows.train])
    assert (now.y_partial >= 0).sum() == rows.labelled.size
    assert now.estimator.random_state == 4


def test_facts_count_what_the_estimator_gets() -> None:
    now = prepare(RunRequest("swimmer", "nmf", split=SPLIT))
    found = facts(now.ds, now.rows)
    assert (found.n_samples, found.n_features) == now.X.shape
    assert (found.n_labelled, found.n_classes, found.sample_shape) == (12, 4, (32, 32))


def test_rows_that_nothing_writes_to_are_hashed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    request = RunRequest("orl", "n2s2l", dataset_options={"size": 24})
    hashed: list[tuple[int, ...]] = []
    plain = l1_cache._hash
    monkeypatch.setattr(l1_cache, "_hash", lambda array: (hashed.append(array.shape), plain(array))[1])
    for alpha in (1.0, 2.0):
        now = prepare(replace(request, params={"alpha": alpha}))
        next(now.estimator.iterate(now.X, now.y_partial))
    assert hashed.count(now.X.shape) == 1, "a slider that is moved asks for the same neighbours again"


def test_only_rows_without_a_label_are_covered() -> None:
    ds = datasets.load("swimmer")
    patch: dict[str, Any] = {"size": 9, "kind": "white"}
    now = prepare(RunRequest("swimmer", "nmf", split=SPLIT, corruption=patch, seed=2))
    covered = occlude(ds.X, (32, 32), **patch, seed=2)
    known = now.y_partial >= 0
    assert np.array_equal(now.X[known], ds.X[now.rows.labelled])
    assert np.array_equal(now.X[~known], covered[now.rows.unlabelled])
    assert np.array_equal(now.unseen, covered[now.rows.held_out])
    assert not ds.X.flags.writeable


def test_a_view_is_asked_for_by_name() -> None:
    assert np.array_equal(
        prepare(RunRequest("swimmer", "nmf", view="pixels")).X, prepare(RunRequest("swimmer", "nmf")).X
    )
    with pytest.raises(ValueError, match="Swimmer has no view 'words'; it has pixels"):
        prepare(RunRequest("swimmer", "nmf", view="words"))


@pytest.fixture
def unlabelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every data set one without labels, and without images."""
    X = np.random.default_rng(0).random((12, 5))
    monkeypatch.setattr(catalogue, "load", lambda id, **options: Dataset(id, "Table", {"table": X}))


@pytest.mark.usefixtures("unlabelled")
def test_without_classes_every_row_is_unlabelled() -> None:
    now = prepare(RunRequest("digits", "nmf"))
    assert now.X.shape == (12, 5)
    assert (now.y_partial == -1).all()
    assert now.rows.labelled.size == now.rows.held_out.size == now.unseen.shape[0] == 0


@pytest.mark.usefixtures("unlabelled")
def test_what_the_data_cannot_give_is_refused() -> None:
    with pytest.raises(ValueError, match=r"N²S²L cannot work on Table: it needs labelled samples"):
        prepare(RunRequest("digits", "n2s2l"))
    with pytest.raises(ValueError, match="Table does not hold images"):
        prepare(RunRequest("digits", "nmf", corruption={"size": 2}))


def test_a_split_is_drawn_once_and_told_from_others_by_all_that_decides_it() -> None:
    ds = datasets.load("iris")
    asked = RunRequest("iris", "pca", seed=3)
    first = rows_of(ds, asked)
    assert rows_of(ds, RunRequest("iris", "lda", seed=np.int64(3))) is first
    row = int(first.unlabelled[0])
    others = (
        RunRequest("iris", "pca", seed=4),
        RunRequest("iris", "pca", split={"labelled_per_class": 5}, seed=3),
        RunRequest("iris", "pca", seed=3, labels=((row, ds.target_names[0]),)),
    )
    assert all(not np.array_equal(rows_of(ds, other).labelled, first.labelled) for other in others)
