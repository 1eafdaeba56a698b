"""How many parts: each criterion against its definition, and on data whose number of parts is known."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import cophenet, linkage

from experiments.measures import rank
from experiments.measures.rank.curve import Curve, factorized
from experiments.measures.rank.effective import median_of_noise
from methods.typing import Array

TRUE = 4


def planted(seed: int = 0, noise: float = 0.02, parts: int = TRUE) -> Array:
    """Samples that are mostly one of some patches with a little of the others."""
    rng = np.random.default_rng(seed)
    H = np.kron(np.eye(parts), np.ones(6)) + 0.2 * rng.random((parts, 6 * parts))
    W = 0.3 * rng.random((60, parts)) * (rng.random((60, parts)) < 0.5)
    W[np.arange(60), np.arange(60) % parts] = rng.uniform(0.75, 1, 60)
    return np.maximum(W @ H + noise * rng.standard_normal((60, 6 * parts)), 0)


CRITERIA: dict[str, Any] = {
    "hidden": lambda X, ks: rank.hidden_entries(X, ks, seeds=3, max_iter=100),
    "blocks": lambda X, ks: rank.bi_cross_validation(X, ks, seeds=3, max_iter=100),
    "consensus": lambda X, ks: rank.consensus(X, ks, max_iter=100),
    "stability": lambda X, ks: rank.stability(X, ks, runs=4, max_iter=100),
}


@pytest.mark.parametrize("name", CRITERIA)
def test_finds_the_number_of_planted_parts_in_any_range(name: str) -> None:
    X = planted()
    narrow, wide = CRITERIA[name](X, range(3, 8)), CRITERIA[name](X, range(2, 11))
    if name == "consensus":
        # Parts that are no sample's main one leave the groups as they are: it does not notice them.
        assert wide.means[wide.ks.index(TRUE)] > wide.level
    else:
        assert abs(narrow.advice - TRUE) <= 1
        assert wide.advice == narrow.advice
    # What is measured at a number of parts does not depend on which others are.
    np.testing.assert_array_equal(wide.values[1:6], narrow.values)
    assert narrow.rewards.startswith("Rewards")


def test_effective_rank_finds_the_number_of_planted_parts() -> None:
    assert [rank.effective_rank(planted(parts=parts)) for parts in (3, 5, 8)] == [3, 5, 8]
    assert rank.effective_rank(np.random.default_rng(0).standard_normal((90, 40))) == 0
    with pytest.raises(ValueError, match="sparse"):
        rank.effective_rank(sparse.csr_array(planted()))


@pytest.mark.parametrize("ratio", [0.2, 0.6, 1.0])
def test_the_median_of_noise_is_that_of_random_matrices(ratio: float) -> None:
    m = 800
    noise = np.random.default_rng(0).standard_normal((round(ratio * m), m))
    squares = np.linalg.svd(noise, compute_uv=False) ** 2 / m
    assert np.isclose(median_of_noise(ratio), np.median(squares), rtol=0.02)


def test_hidden_entries_are_measured_where_they_were_hidden() -> None:
    X = planted(noise=0.0)
    curve = rank.hidden_entries(X, [TRUE], seeds=2, max_iter=300)
    assert curve.values.shape == (1, 2)
    assert (curve.values < 0.05).all()
    # One part for everything leaves most of what is hidden unexplained.
    assert (rank.hidden_entries(X, [1], seeds=2).values > 0.4).all()


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array])
def test_sparse_data_say_the_same(form: Any) -> None:
    X = planted(3) * (np.random.default_rng(0).random((60, 24)) < 0.5)
    for criterion in (rank.hidden_entries, rank.bi_cross_validation):
        dense, other = (criterion(data, [2, 5], seeds=2, max_iter=20) for data in (X, form(X)))
        np.testing.assert_allclose(dense.values, other.values, rtol=1e-4)


def test_blocks_are_predicted_from_the_other_three() -> None:
    # Of exact low rank, a block follows from the others (Owen and Perry, 2009).
    rng = np.random.default_rng(2)
    X = rng.random((30, 3)) ** 4 @ rng.random((3, 20)) ** 4
    curve = rank.bi_cross_validation(X, [2, 3], seeds=2, folds=3, max_iter=2000)
    assert curve.means[1] < 0.05 < curve.means[0]
    with pytest.raises(ValueError, match="folds=1"):
        rank.bi_cross_validation(X, [2], folds=1)


def test_consensus_counts_shared_groups() -> None:
    rng = np.random.default_rng(0)
    embeddings = [rng.random((9, 3)) for _ in range(5)]
    found = rank.consensus_matrix(embeddings)
    groups = [W.argmax(axis=1) for W in embeddings]
    for i, j in permutations(range(9), 2):
        assert found.matrix[i, j] == np.mean([group[i] == group[j] for group in groups])
    pairs = [found.matrix[i, j] for i, j in combinations(range(9), 2)]
    assert np.isclose(found.undecided, np.mean([0.1 < c < 0.9 for c in pairs]))
    assert np.isclose(found.agreement, sum(c * c for c in pairs) / sum(pairs))
    assert np.isclose(found.dispersion, np.mean([4 * (c - 0.5) ** 2 for c in found.matrix.ravel()]))
    apart = np.array([1 - c for c in pairs])
    heights = cophenet(linkage(apart, "average"))
    assert np.isclose(found.cophenetic, np.corrcoef(heights, apart)[0, 1])


def test_the_same_groups_every_time_are_perfect_consensus() -> None:
    W = np.eye(3)[np.arange(12) % 3]
    found = rank.consensus_matrix([W, W[:, [2, 0, 1]], 5 * W])
    assert (found.agreement, found.dispersion, found.cophenetic, found.undecided) == (1, 1, 1, 0)


def test_parts_are_matched_one_to_one() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.random((4, 9)), rng.random((4, 9))
    cosines = (one / np.linalg.norm(one, axis=1)[:, None]) @ (
        other / np.linalg.norm(other, axis=1)[:, None]
    ).T
    best = max(permutations(range(4)), key=lambda order: sum(cosines[i, j] for i, j in enumerate(order)))
    found = rank.matched_cosines(one, 3 * other)
    np.testing.assert_allclose(found, [cosines[i, j] for i, j in enumerate(best)])
    assert rank.matched_cosines(np.vstack([one, np.zeros((1, 9))]), one)[-1] == 0


def test_recurrence_says_which_parts_come_back() -> None:
    same, lone = np.eye(5)[:2], [np.eye(5)[[2]], np.eye(5)[[3]], np.eye(5)[[4]]]
    found = rank.recurrence(
        [np.vstack([same[::step], other]) for step, other in zip((1, -1, 1), lone, strict=True)]
    )
    for shares in found:
        assert shares.tolist() == [1, 1, 0]
    with pytest.raises(ValueError, match="at least two runs"):
        rank.recurrence([same])


def test_advice_waits_until_it_is_sure() -> None:
    falling = Curve("e", "", (2, 3, 4), np.array([[1.0, 1.1], [0.8, 0.9], [0.6, 0.7]]), "error")
    assert falling.advice is None
    floor = Curve("e", "", (2, 3, 4, 5), np.array([[1.0], [0.5], [0.499], [0.5]]), "error")
    assert floor.advice == 3
    steady = Curve("s", "", (2, 3, 4), np.array([[1.0], [1.0], [0.5]]), "stable", 0.9)
    assert steady.advice is None
    dropped = Curve("s", "", (2, 3, 4, 5), np.array([[1.0], [1.0], [0.5], [0.6]]), "stable", 0.9)
    assert dropped.advice == 3


def test_impossible_questions_are_refused() -> None:
    X = planted()
    with pytest.raises(ValueError, match="ks"):
        rank.hidden_entries(X, [])
    with pytest.raises(ValueError, match="share=1"):
        rank.hidden_entries(X, [2], share=1.0)
    with pytest.raises(ValueError, match="seeds=0"):
        rank.stability(X, [2], seeds=0)
    with pytest.raises(ValueError, match="measure='x'"):
        rank.consensus(X, [2], measure="x")
    assert factorized(X, 2, 0, max_iter=3).n_iter_ == 3
