"""Trials carried out: the numbers are those of the run itself, and the same every time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import datasets
from experiments import RunRequest, run
from experiments.comparisons.fusion import HEADINGS, MEASURES, contenders
from experiments.engine.run import Run
from experiments.fitted.recognisers import Recogniser
from experiments.requests.corruption import left_uncovered, spoil
from experiments.trials import Chain, Evaluation, MeasureRequest, Trial, evaluate
from experiments.trials.evaluation import Fits, evaluate_chain
from tests.experiments.conftest import Invent

FACES = RunRequest(
    "orl", "nmf", {"n_components": 12, "max_iter": 15}, dataset_options={"size": 16},
    split={"labelled_per_class": 2, "held_out_per_class": 3},
)  # fmt: skip


def score(request: RunRequest, measure: str, **settings: object) -> float:
    wanted = MeasureRequest(measure, settings)
    return evaluate(Trial(request, (wanted,))).scores[wanted.name]


@pytest.mark.parametrize("method", ["nmf", "lda", "n2s2l", "hgf"])
def test_accuracies_are_those_the_run_is_scored_by(method: str) -> None:
    params = FACES.params if method in ("nmf", "n2s2l") else {}
    request = replace(
        FACES, method=method, params=params | ({"n_components": 50} if method == "n2s2l" else {})
    )
    record = run(request)
    for asked, name in (("seen", "accuracy"), ("unseen", "held_out")):
        for metric in ("euclidean", "cosine"):
            expected = record.scores.get(f"{name}_{metric}")
            wanted = MeasureRequest("accuracy", {"asked": asked, "metric": metric})
            result = evaluate(Trial(request, (wanted,)))
            assert result.scores.get(wanted.name) == expected
            assert bool(result.problem(wanted.name)) == (expected is None)


def test_spoiled_pictures_are_those_the_recogniser_is_shown() -> None:
    record = run(FACES)
    who = Recogniser(FACES, record.arrays)
    X, y, shape = who.data.X, who.data.y, who.data.image_shape
    assert y is not None
    assert shape is not None
    rows = who.split.held_out
    covered = spoil(X[rows], shape, kind="black", size=5, seed=1002)
    found = who.recognise(covered, "cosine", "nnls").code
    expected = float(np.mean(found == y[rows]))
    settings = {"kind": "black", "amount": 5, "draw": 1002, "metric": "cosine", "how": "nnls"}
    assert score(FACES, "spoiled_accuracy", **settings) == expected
    left = left_uncovered(len(rows), shape, kind="black", size=5, seed=1002)
    known = float(np.mean(who.recognise(covered, "cosine", "masked", left).code == y[rows]))
    assert score(FACES, "spoiled_accuracy", **settings | {"how": "masked"}) == known > expected
    everywhere = spoil(X, shape, kind="gaussian", level=0.3, seed=0)[rows]
    expected = float(np.mean(who.recognise(everywhere).code == y[rows]))
    noisy = {"kind": "gaussian", "amount": 30, "draw": 0, "drawn": "everything"}
    assert score(FACES, "spoiled_accuracy", **noisy) == expected
    placed = spoil(X[rows], shape, kind="grey", size=4, position=(2, 7))
    expected = float(np.mean(who.recognise(placed).code == y[rows]))
    assert score(FACES, "spoiled_accuracy", amount=4, position=[2, 7]) == expected


def test_error_is_what_parts_leave_of_the_samples() -> None:
    record = run(FACES)
    ds = datasets.load("orl", size=16)
    X = ds.X[Run(FACES).prepared.rows.train].astype(np.float64)
    left = X - record.arrays["embedding"].astype(np.float64) @ record.arrays["components"]
    assert score(FACES, "error") == pytest.approx(np.square(left).sum() / np.square(X).sum(), rel=1e-6)
    assert score(FACES, "iterations") == record.iterations
    assert score(FACES, "sparsity", index="zeros") == record.scores["zeros"]
    assert 0 < score(FACES, "seconds") < 60
    classifier = evaluate(
        Trial(
            replace(FACES, method="hgf", params={}), (MeasureRequest("error"), MeasureRequest("iterations"))
        )
    )
    assert "does not rebuild samples" in classifier.problem("error")
    assert "iterations" in classifier.scores


def test_the_same_trial_gives_the_same_scores_and_small_steps_the_same_as_one_go() -> None:
    like = RunRequest(
        "planted_views", "sulf", dataset_options={"samples": 60}, split={"labelled_fraction": 0.2}
    )
    for one in contenders(datasets.load("planted_views", samples=60), k=6, iterations=4):
        trial = Trial(one.request(like.of_split(3)), tuple(MEASURES.values()))
        first, under_way, steps = evaluate(trial), Evaluation(trial), 0
        while under_way.advance():
            steps += 1
        assert under_way.result is not None
        assert under_way.result.scores == first.scores
        assert len(first.scores) == len(HEADINGS)
        assert steps >= len(MEASURES)
        assert first.versions["numpy"] == np.__version__


def test_what_cannot_be_measured_says_why_and_leaves_the_rest_alone() -> None:
    everything = Trial(
        replace(FACES, split={"labelled_per_class": 10}),
        (MeasureRequest("nearest"), MeasureRequest("sparsity")),
    )
    result = evaluate(everything)
    assert "label a smaller share" in result.problem("nearest(metric=euclidean)")
    assert result.scores["sparsity(index=hoyer)"] > 0
    too_many = evaluate(
        Trial(replace(FACES, split={"labelled_per_class": 11}), (MeasureRequest("accuracy"),))
    )
    assert (too_many.status, too_many.lasting) == ("failed", True)
    assert "too few for" in too_many.message


def test_what_goes_wrong_on_this_machine_is_not_kept(invent: Invent) -> None:
    def no_room(step: int) -> float:
        raise MemoryError

    method = invent(no_room)
    result = evaluate(Trial(RunRequest("iris", method), (MeasureRequest("accuracy"),)))
    assert not result.lasting
    assert "not enough memory" in result.message
    diverged = evaluate(
        Trial(RunRequest("iris", invent(lambda step: np.nan)), (MeasureRequest("iterations"),))
    )
    assert (diverged.status, diverged.lasting) == ("diverged", True)
    assert "stopped being a number" in diverged.problem("iterations")


def test_a_chain_goes_on_from_what_came_before() -> None:
    wanted = (MeasureRequest("error"), MeasureRequest("iterations"))
    short = Trial(replace(FACES, params=FACES.params | {"max_iter": 40}), wanted)
    on = Trial(replace(FACES, params=FACES.params | {"max_iter": 3}), wanted)
    cold = evaluate(on)
    first, warm = evaluate_chain(Chain((short, on)))
    assert first.scores == evaluate(short).scores
    assert warm.scores["error"] < first.scores["error"] < cold.scores["error"]


def test_trials_of_one_request_share_a_fit_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    fits, begun = Fits(most=1), []
    advance = Run.advance
    monkeypatch.setattr(Run, "advance", lambda self: begun.append(self) or advance(self))
    trials = [Trial(FACES, (MeasureRequest("spoiled_accuracy", {"amount": amount}),)) for amount in (2, 6)]
    alone = [evaluate(trial) for trial in trials]
    begun.clear()
    (first,), (second,) = (evaluate_chain(Chain((trial,)), fits) for trial in trials)
    assert [first.scores, second.scores] == [one.scores for one in alone]
    assert (second.status, second.iterations) == (alone[1].status, alone[1].iterations)
    assert len(set(map(id, begun))) == 1
    evaluate_chain(Chain((replace_seed(trials[0], 5),)), fits)
    assert fits.get(FACES) is None, "only the last are kept"
    assert Fits(most_bytes=10).get(FACES) is None


def replace_seed(trial: Trial, seed: int) -> Trial:
    return Trial(replace(trial.request, seed=seed), trial.wanted)


def test_a_measure_that_breaks_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> None:
        raise FloatingPointError("too dark")

    monkeypatch.setattr(Recogniser, "recognise", broken)
    result = evaluate(
        Trial(FACES, (MeasureRequest("spoiled_accuracy", {"amount": 4}), MeasureRequest("iterations")))
    )
    assert "too dark" in next(iter(result.problems.values()))
    assert result.scores["iterations"] > 0
    assert not result.lasting
