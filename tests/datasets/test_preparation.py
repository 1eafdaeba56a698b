"""Preparation: the mathematics by an oracle, dense and sparse alike; refusals; part of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import minmax_scale, normalize

import datasets
from datasets import Dataset
from datasets.preparation import looks_like_counts, numbers_of, prepared, small_negatives
from experiments import RunRequest, run

RNG = np.random.default_rng(0)
COUNTS = np.where(RNG.random((40, 60)) < 0.15, RNG.integers(1, 9, (40, 60)), 0).astype(float)
COUNTS[:, 3], COUNTS[7] = 0, 0
SIGNED = RNG.random((30, 5)) - 0.01


def made(X: Any) -> Dataset:
    return Dataset("x", "x", {"a": X})


ORACLES: dict[str, Callable[[Any], Any]] = {
    "tfidf": lambda X: TfidfTransformer().fit_transform(X).toarray(),
    "unit": normalize,
    "by_feature": lambda X: minmax_scale(X),
    "by_view": lambda X: (X - X.min()) / (X.max() - X.min()),
    "clip": lambda X: np.maximum(X, 0),
    "shift": lambda X: X,
    "none": lambda X: X,
}


@pytest.mark.parametrize("how", ORACLES)
def test_numbers_are_prepared_as_the_oracle_says(how: str) -> None:
    wanted = ORACLES[how](COUNTS)
    dense, stored = prepared(made(COUNTS), how), prepared(made(sparse.csr_array(COUNTS)), how)
    np.testing.assert_allclose(dense.X, wanted, atol=1e-12)
    assert sparse.issparse(stored.X)
    np.testing.assert_allclose(stored.X.toarray(), wanted, atol=1e-12)
    single = prepared(made(COUNTS.astype(np.float32)), how)
    assert single.X.dtype == np.float32


def test_negative_numbers_are_moved_or_cut() -> None:
    np.testing.assert_allclose(prepared(made(SIGNED), "shift").X, SIGNED - SIGNED.min())
    assert prepared(made(SIGNED), "clip").X.min() == 0
    assert small_negatives(made(SIGNED)) == SIGNED.min()
    assert small_negatives(made(SIGNED - 0.5)) == 0, "that is no rounding"
    assert small_negatives(made(COUNTS)) == 0


@pytest.mark.parametrize(
    ("X", "how", "says"),
    [
        (SIGNED, "tfidf", "'tfidf' is for counts; a has negative numbers"),
        (sparse.csr_array(SIGNED), "shift", "would fill the zeros of a; 'clip' leaves them"),
        (COUNTS, "magic", "preparation must be one of none, tfidf"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(X: Any, how: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        prepared(made(X), how)


def test_counts_are_known_by_their_looks() -> None:
    assert looks_like_counts(made(COUNTS))
    assert looks_like_counts(made(sparse.csr_array(COUNTS)))
    for other in (COUNTS / 2, COUNTS[:, :20], np.minimum(COUNTS, 1), COUNTS + 1):
        assert not looks_like_counts(made(other))
    numbers = numbers_of(prepared(made(COUNTS), "unit").X)
    assert (numbers["shortest row"], round(numbers["longest row"], 6)) == (0, 1)


def test_a_preparation_is_part_of_the_request_and_of_its_key() -> None:
    rows = "\n".join(",".join(map(str, [*row.astype(int), i % 3])) for i, row in enumerate(COUNTS + 1))
    head = ",".join([f"w{i}" for i in range(60)] + ["label"])
    id = datasets.keep(datasets.read(f"{head}\n{rows}".encode(), "counts.csv"))
    params = {"n_components": 3, "max_iter": 3}
    plain, weighed = (
        RunRequest(id, "nmf", params, dataset_options=options) for options in ({}, {"preparation": "tfidf"})
    )
    assert plain.key != weighed.key
    assert '"preparation": "tfidf"' in weighed.canonical()
    wanted = prepared(datasets.load(id), "tfidf")
    np.testing.assert_array_equal(datasets.load(id, preparation="tfidf").X, wanted.X)
    assert run(plain).objective[0] != run(weighed).objective[0]


def test_a_data_set_made_in_python_is_kept_and_then_run_on() -> None:
    mine = Dataset("mine", "Mine", {"a": COUNTS + 1.0}, y=np.arange(40) % 2)
    with pytest.raises(ValueError, match=r"RunRequest\(datasets\.keep\(data\)"):
        RunRequest(mine, "nmf")  # type: ignore[arg-type]  # what somebody would write
    assert run(RunRequest(datasets.keep(mine), "nmf", {"max_iter": 2})).iterations == 2
