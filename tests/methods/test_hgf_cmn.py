"""HGF-CMN: harmonic scores with every class brought to its due mass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import datasets
from experiments import split
from methods.propagation.hgf import HGF
from methods.propagation.hgf_cmn import HGFCMN

Array = NDArray[Any]


def uneven(seed: int = 0) -> tuple[Array, Array]:
    """Three overlapping classes, labelled 6, 3 and 1 times."""
    rng = np.random.default_rng(seed)
    truth = np.arange(90) % 3
    X = rng.standard_normal((3, 4))[truth] * 1.5 + rng.standard_normal((90, 4))
    y = np.full(90, -1)
    for code, count in enumerate((6, 3, 1)):
        y[np.flatnonzero(truth == code)[:count]] = code
    return X, y


def by_hand(scores: Array, y: Array) -> Array:
    """The rule of the paper, row by row."""
    n_classes = scores.shape[1]
    prior = [np.sum(y == c) / np.sum(y >= 0) for c in range(n_classes)]
    mass = [sum(scores[i, c] for i in range(len(y)) if y[i] < 0) for c in range(n_classes)]
    out = np.array(scores)
    for i in range(len(y)):
        if y[i] < 0:
            out[i] = [prior[c] * scores[i, c] / mass[c] for c in range(n_classes)]
            out[i] /= out[i].sum()
    return out


@pytest.mark.parametrize("sigma", [0.05, 0.3, 3.0])
def test_masses_are_put_right(sigma: float) -> None:
    X, y = uneven()
    plain, est = HGF(sigma).fit(X, y), HGFCMN(sigma).fit(X, y)
    np.testing.assert_array_equal(est.label_scores_, plain.label_scores_)
    np.testing.assert_allclose(est.label_distributions_, by_hand(plain.label_scores_, y), rtol=1e-10)
    if sigma == 0.3:
        assert not np.array_equal(est.transduction_, plain.transduction_)


def test_stages_are_labels_then_harmonic_then_masses() -> None:
    X, y = uneven()
    steps = [step.copy() for step in HGFCMN(0.3).iterate(X, y)]
    assert len(steps) == 3
    np.testing.assert_array_equal(steps[0].state["label_distributions"], np.eye(4)[y][:, :3])
    np.testing.assert_allclose(steps[1].state["label_distributions"], HGF(0.3).fit(X, y).label_distributions_)
    np.testing.assert_allclose(
        steps[2].state["label_distributions"], by_hand(steps[1].state["label_scores"], y)
    )
    assert steps[1].objective == steps[2].objective < steps[0].objective


def test_rounds_approach_the_solution() -> None:
    X, y = uneven()
    exact = HGFCMN(0.5).fit(X, y)
    rounds = HGFCMN(0.5, solver="iterative", max_iter=3000, tol=0).fit(X, y)
    np.testing.assert_allclose(rounds.label_distributions_, exact.label_distributions_, atol=1e-9)
    few = HGFCMN(0.5, solver="iterative", max_iter=3, tol=0).fit(X, y)
    np.testing.assert_allclose(few.label_distributions_, by_hand(few.label_scores_, y), rtol=1e-10)


def test_order_of_samples_does_not_matter() -> None:
    X, y = uneven()
    order = np.random.default_rng(1).permutation(len(y))
    np.testing.assert_allclose(
        HGFCMN().fit(X[order], y[order]).label_distributions_,
        HGFCMN().fit(X, y).label_distributions_[order],
        rtol=1e-8,
    )


def test_all_rows_labelled_is_no_trouble() -> None:
    X, y = uneven()
    X, y = X[y >= 0], y[y >= 0]
    np.testing.assert_array_equal(HGFCMN().fit(X, y).transduction_, y)


def test_one_class_is_refused() -> None:
    X, y = uneven()
    with pytest.raises(ValueError, match="only 1 class"):
        HGFCMN().fit(X, np.where(y == 0, 0, -1))


def test_recognises_faces() -> None:
    ds = datasets.load("orl", size=64)
    rates = []
    for seed in range(5):
        rows = split(ds, labelled_per_class=2, seed=seed)
        est = HGFCMN(0.15).fit(ds.X, rows.y_partial)
        rates.append(np.mean(est.transduction_[rows.unlabelled] == ds.y[rows.unlabelled]))
    assert np.mean(rates) >= 0.87
