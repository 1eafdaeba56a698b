"""The memory a method says it needs: never less than a fit was seen to take, and seldom twice as much."""

from __future__ import annotations

from typing import Any

import pytest

import methods
from methods import Facts
from methods.memory import copies

# What every fit takes beside its arrays, in MB: work space of BLAS, and what Python holds.
BESIDE = 10.0
LONG_ROWS, MOST_LABELLED = Facts(400, 3000, 100, 10, (60, 50)), Facts(1000, 600, 800, 10, (20, 30))
# Peaks in MB of two fits as `python -m benchmarks.memory` makes them, on data without structure.
MEASURED = {
    "cca": (35.0, 18.4),
    "cnmf": (25.9, 10.1),
    "cons": (29.3, 55.9),
    "convex_nmf": (27.9, 26.3),
    "cotraining": (35.0, 18.5),
    "dpca": (46.0, 38.7),
    "drlsc": (23.1, 49.0),
    "gaussian_nmf": (28.3, 63.2),
    "hgf": (29.2, 55.8),
    "hgf_cmn": (29.3, 55.8),
    "kernel_pca": (31.0, 46.1),
    "lap_rlsc": (24.8, 54.0),
    "lap_svm": (30.9, 77.0),
    "lda": (26.0, 27.2),
    "lnmf": (32.8, 16.6),
    "lnp": (97.4, 70.3),
    "mfa": (31.2, 32.0),
    "minibatch_nmf": (23.6, 13.6),
    "n2s2l": (14.9, 18.2),
    "ndtf_2d": (14.3, 15.7),
    "ndtf_3d": (14.1, 16.1),
    "nearest_neighbour": (21.0, 34.5),
    "nge": (13.8, 15.8),
    "nmf": (18.2, 9.7),
    "ntf": (14.6, 10.1),
    "pca": (45.2, 31.0),
    "pcsc": (30.2, 54.4),
    "poly_kernel_nmf": (28.3, 63.0),
    "poly_nmf": (20.7, 11.2),
    "s_rlsc": (57.6, 73.0),
    "sda": (60.5, 35.2),
    "semi_nmf": (27.8, 14.6),
    "separable_nmf": (14.3, 5.2),
    "sgnmf": (18.9, 13.0),
    "smfa": (60.5, 33.6),
    "sparse_nmf": (15.7, 9.2),
    "src": (58.1, 80.9),
    "sulf": (28.3, 20.6),
}


# Peaks of fits of sparse data: the problems of `benchmarks.memory`, and many texts.
WORDS, MANY_ROWS = Facts(1500, 6000, 150, 10, n_stored=90_000), Facts(3000, 600, 100, 10, n_stored=54_000)
MANY_WORDS = Facts(5000, 20_000, 500, 10, n_stored=366_513)
MEASURED_SPARSE = {
    "dpca": {WORDS: 135.9, MANY_ROWS: 28.4, MANY_WORDS: 1366.0},
    "lnp": {WORDS: 61.8, MANY_ROWS: 135.2},
    "pca": {WORDS: 26.8, MANY_ROWS: 14.2},
    "sda": {WORDS: 105.3, MANY_ROWS: 144.2, MANY_WORDS: 997.0},
    "smfa": {WORDS: 98.8, MANY_ROWS: 144.8, MANY_WORDS: 807.0},
    "src": {WORDS: 35.4, MANY_ROWS: 45.1, MANY_WORDS: 226.0},
}


def estimate(method: str, facts: Facts, **params: Any) -> float:
    spec = methods.spec(method)
    usual = {param.name: param.default for param in spec.params}
    parts = {"n_components": 20} if "n_components" in usual else {}
    return spec.memory(facts, usual | parts | params) / 1e6


@pytest.mark.parametrize("method", methods.names())
def test_no_fit_was_seen_to_take_more_and_few_take_half(method: str) -> None:
    for facts, peak in zip((LONG_ROWS, MOST_LABELLED), MEASURED[method], strict=True):
        assert peak <= max(BESIDE, estimate(method, facts)) <= 2 * peak + BESIDE


@pytest.mark.parametrize("method", list(MEASURED_SPARSE))
def test_nor_does_a_fit_of_sparse_data_take_more(method: str) -> None:
    for facts, peak in MEASURED_SPARSE[method].items():
        assert peak <= max(BESIDE, estimate(method, facts)) <= 2 * peak + BESIDE


def test_arrays_are_counted_in_numbers_of_eight_bytes() -> None:
    facts, parts = Facts(100, 30, 10), {"n_components": 5}
    factors = 6 * (100 + 30) * 5
    assert copies()(facts, parts) == 8 * (100 * 30 + factors)
    assert copies(2, dense=1)(facts, parts) == 8 * (3 * 100 * 30 + factors)
    assert copies(0, pairs=2, labelled=3, span=4)(facts, parts) == 8 * (
        2 * 100**2 + 3 * 10**2 + 4 * 30**2 + factors
    )
    sparse = Facts(100, 30, 10, n_stored=50)
    assert copies(2, dense=1)(sparse, parts) == 12 * 2 * 50 + 8 * (100 * 30 + factors)
    assert copies()(facts, {"n_components": None}) == 8 * (100 * 30 + 6 * (100 + 30) * 30)


def test_what_elimination_fills_grows_with_the_neighbours_up_to_all_pairs() -> None:
    facts = Facts(20_000, 100, 100, 10)
    pairs = 8 * 20_000**2 / 1e6
    few, many, most = (estimate("lnp", facts, n_neighbors=k) for k in (7, 20, 50))
    assert 0.7 * pairs < few < 1.2 * pairs < 2 * pairs < many < most < 3 * pairs
    assert estimate("lnp", facts, solver="iterative") < 0.1 * pairs


def test_labels_that_spread_among_neighbours_round_by_round_need_no_pairs() -> None:
    facts = Facts(20_000, 100, 100, 10)
    for method in ("hgf", "hgf_cmn", "cons"):
        full, core = estimate(method, facts), estimate(method, facts, graph="knn")
        assert estimate(method, facts, graph="knn", solver="iterative") < 0.1 * core < 0.1 * full
