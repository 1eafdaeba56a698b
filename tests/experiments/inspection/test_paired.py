"""Pairs: what must go together comes nearer, what cannot is driven apart, counts against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest

from experiments import RunRequest
from experiments.inspection.paired import paired

BARE = RunRequest("iris", "dpca", {"n_components": 2}, split={"labelled_per_class": 0})


def told(*pairs) -> RunRequest:
    return RunRequest("iris", "dpca", {"n_components": 2}, split={"labelled_per_class": 0}, pairs=pairs)


def test_must_draws_together_and_cannot_drives_apart() -> None:
    # The length of a petal tells these two apart most; then they are said to be one kind.
    before = paired(BARE)
    together = paired(told((0, 118, "must")))
    assert together.distance(0, 118) < before.distance(0, 118)
    apart = paired(told((70, 138, "cannot")))
    assert apart.distance(70, 138) > before.distance(70, 138)


def test_without_pairs_it_is_pca() -> None:
    X = paired(BARE).features
    pca = paired(RunRequest("iris", "pca", {"n_components": 2}, split={"labelled_per_class": 0})).features
    assert np.allclose(np.abs(X), np.abs(pca), atol=1e-5)


def test_the_nearest_is_counted_as_a_plain_loop_counts() -> None:
    fit = paired(BARE)
    y = np.repeat(np.arange(3), 50)
    right = 0
    for row in range(150):
        distance = np.square(fit.features - fit.features[row]).sum(axis=1)
        distance[row] = np.inf
        right += y[distance.argmin()] == y[row]
    assert fit.same == pytest.approx(right / 150, abs=0.011), "ties may fall either way"


def test_points_are_the_first_two_directions() -> None:
    fit = paired(BARE)
    assert fit.points.shape == (150, 2)
    assert np.corrcoef(fit.points[:, 0], fit.features[:, 0])[0, 1] == pytest.approx(1)
    one = paired(RunRequest("iris", "dpca", {"n_components": 1}, split={"labelled_per_class": 0}))
    assert not one.points[:, 1].any()
