"""Differences over splits: against SciPy where nothing is corrected, against figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from experiments.measures.significance import LEAST_SPLITS, against_leader, difference

OURS = np.array([0.80, 0.82, 0.79, 0.85, 0.81])
THEIRS = np.array([0.71, 0.74, 0.72, 0.73, 0.72])


def test_without_shared_samples_it_is_the_paired_t_test() -> None:
    found = difference(OURS, THEIRS, test_to_train=0)
    assert found.p == pytest.approx(stats.ttest_rel(OURS, THEIRS).pvalue)
    assert found.mean == pytest.approx(np.mean(OURS - THEIRS))
    assert found.spread == pytest.approx(np.std(OURS - THEIRS, ddof=1))
    assert (found.wins, found.ties, found.losses) == (5, 0, 0)


def test_shared_samples_make_it_more_careful() -> None:
    # Worked out from the formula: t = 0.09 / sqrt((0.2 + 4) * var), 4 degrees of freedom.
    found = difference(OURS, THEIRS, test_to_train=4)
    t = 0.09 / np.sqrt(4.2 * np.var(OURS - THEIRS, ddof=1))
    assert found.p == pytest.approx(2 * stats.t.sf(t, 4))
    assert found.p > difference(OURS, THEIRS, test_to_train=1).p


def test_a_plain_test_finds_differences_where_there_are_none_and_this_one_does_not() -> None:
    # 300 samples, tested on 240 of them in every split: two methods that are equally good on average.
    rng = np.random.default_rng(0)
    plain = careful = 0
    for _ in range(300):
        right = rng.random((2, 300)) < 0.7
        shares = np.array([right[:, rng.permutation(300)[:240]].mean(axis=1) for _ in range(5)])
        plain += difference(shares[:, 0], shares[:, 1], 0).p < 0.05
        careful += difference(shares[:, 0], shares[:, 1], 240 / 60).p < 0.05
    assert plain > 100, "the plain test is fooled most of the time"
    assert careful <= 300 * 0.1


def test_unfinished_splits_do_not_count_and_few_cannot_tell() -> None:
    ours, theirs = OURS.copy(), THEIRS.copy()
    ours[0] = theirs[1] = np.nan
    found = difference(ours, theirs, 1)
    assert found.splits == 3 < LEAST_SPLITS
    assert found.p is None
    nothing = difference([np.nan], [0.5], 1)
    assert (nothing.splits, nothing.p) == (0, None)


def test_ties_are_ties_whatever_the_rounding() -> None:
    found = difference([0.1 + 0.2, 0.5, 0.5, 0.5], [0.3, 0.5, 0.5, 0.5], 1)
    assert (found.wins, found.ties, found.losses) == (0, 4, 0)
    assert found.p == 1.0


def test_several_comparisons_are_corrected_as_holm_does() -> None:
    shares = {
        "best": OURS, "near": OURS - [0.01, 0.02, -0.01, 0.01, 0.02], "far": THEIRS, "off": [np.nan] * 5,
    }  # fmt: skip
    leader, found = against_leader(shares, 0.5)
    assert leader == "best"
    assert set(found) == {"near", "far"}
    single = {name: difference(OURS, shares[name], 0.5).p for name in found}
    assert found["far"].p == pytest.approx(2 * single["far"])
    assert found["near"].p == pytest.approx(max(2 * single["far"], single["near"]))


def test_nobody_has_finished() -> None:
    assert against_leader({"a": [np.nan], "b": [np.nan]}, 1) == ("", {})
