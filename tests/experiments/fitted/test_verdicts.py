"""Verdicts: the same as the scores a run ended with, for every kind of method, and what follows from them."""

from __future__ import annotations

import numpy as np
import pytest

from experiments import RunRequest
from experiments.engine.run import Run
from experiments.fitted.verdicts import Examined, Verdicts

SPLIT = {"labelled_per_class": 2, "held_out_per_class": 10}
# One of each way to recognise: by features, by the run's own V¹, by scores passed on, by a classifier,
# by a method that also takes several views.
METHODS = ("pca", "n2s2l", "hgf", "s_rlsc", "cnmf")


def ended(method: str, **changes) -> tuple[Run, RunRequest]:
    request = RunRequest("iris", method, {}, **({"split": SPLIT} | changes))
    run = Run(request)
    while run.advance():
        pass
    assert run.status in ("done", "max_iter"), run.message
    return run, request


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("asked", ["seen", "unseen"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_verdicts_add_up_to_the_scores_of_the_run(method: str, asked, metric) -> None:
    run, request = ended(method)
    record = run.record()
    found = Examined(request, record.arrays, getattr(run.estimator, "n_discriminative_", None)).verdicts(
        asked, metric
    )
    score = record.scores[f"{'accuracy' if asked == 'seen' else 'held_out'}_{metric}"]
    assert found.accuracy == pytest.approx(score)
    assert found.row.size == (150 - 30 - 6 if asked == "seen" else 30)
    assert ((found.sure >= 0) & (found.sure <= 1)).all()
    assert found.confusion().sum() == (found.code >= 0).sum()
    assert np.trace(found.confusion()) == (found.code == found.truth).sum()


def test_the_row_that_decided_is_labelled_and_of_the_class_named() -> None:
    run, request = ended("pca")
    found = Examined(request, run.record().arrays, None).verdicts()
    codes = run.prepared.rows.y_partial[found.like]
    assert (codes >= 0).all()
    assert (codes == found.code).all()


def test_names_given_by_hand_are_classes_too() -> None:
    run, request = ended("pca", labels=((0, "my own"),))
    if run.prepared.rows.y_partial[0] != 3:
        pytest.fail("row 0 is labelled by the split: choose another for this test")
    found = Examined(request, run.record().arrays, None).verdicts()
    assert found.names[-1] == "my own"
    assert 0 not in found.row


def test_mistakes_come_surest_first() -> None:
    found = Verdicts(
        row=np.arange(5), code=np.array([0, 1, 1, 0, -1]), truth=np.array([0, 0, -1, 1, 1]),
        sure=np.array([1.0, 0.2, 0.9, 0.6, 0.0]), like=np.full(5, -1), names=("a", "b"),
    )  # fmt: skip
    assert found.mistakes().tolist() == [3, 1]
    assert found.accuracy == pytest.approx(1 / 4)
    assert found.confusion().tolist() == [[1, 1], [1, 0]]


def test_nobody_to_ask_about_is_said() -> None:
    run, request = ended("pca", split={"labelled_per_class": 2})
    with pytest.raises(ValueError, match="No sample was held out"):
        Examined(request, run.record().arrays, None).verdicts("unseen")
