"""Comparisons: the right trials, each once, the first split of everything first."""

from __future__ import annotations

import datasets
from experiments import RunRequest, run
from experiments.comparisons.comparison import Contestant, accuracy_name, compared
from experiments.requests.library import method_spec
from experiments.trials import Table, evaluate

BASE = RunRequest("iris", "pca", split={"labelled_per_class": 2, "held_out_per_class": 10}, seed=7)


def some(axis, values, splits: int = 2, names: tuple[str, ...] = ("pca", "lda")) -> Table:
    return compared(
        datasets.load("iris"), BASE, [Contestant(method_spec(name)) for name in names], axis, values, splits
    )


def test_by_method_there_is_a_trial_a_split() -> None:
    table = some("method", ())
    assert [(trial.request.method, trial.request.seed) for trial in table.in_turn()] == [
        ("pca", 7), ("lda", 7), ("pca", 8), ("lda", 8),
    ]  # fmt: skip


def test_along_labels_only_the_labels_change() -> None:
    table = some("labels", (1, 3), splits=1, names=("pca",))
    assert list(table.trials) == [("pca", 1), ("pca", 3)]
    assert [trial.request.split for trial in table.in_turn()] == [
        {"labelled_per_class": 1, "held_out_per_class": 10},
        {"labelled_per_class": 3, "held_out_per_class": 10},
    ]


def test_along_dimension_methods_without_parts_stay_the_same() -> None:
    table = some("dimension", (2, 3), splits=1, names=("pca", "n2s2l", "hgf"))
    params = {place: trials[0].request.params for place, trials in table.trials.items()}
    assert [params["pca", value]["n_components"] for value in (2, 3)] == [2, 3]
    assert [params["n2s2l", value]["n_discriminative"] for value in (2, 3)] == [1, 2]
    assert len({table.trials["hgf", value][0].key for value in (2, 3)}) == 1
    assert len(table.in_turn()) == 5


def test_what_was_said_by_hand_does_not_count_in_other_splits() -> None:
    base = RunRequest("iris", "pca", labels=((0, "setosa"),), pairs=((0, 1, "must"),))
    (trial,) = compared(
        datasets.load("iris"), base, [Contestant(method_spec("pca"))], "method", (), 1
    ).in_turn()
    assert trial.request.labels == ()
    assert trial.request.pairs == ()


def test_every_accuracy_is_that_of_a_run_of_its_own() -> None:
    (trial,) = some("method", (), splits=1, names=("lda",)).in_turn()
    scores, alone = evaluate(trial).scores, run(trial.request).scores
    for asked, name in (("seen", "accuracy"), ("unseen", "held_out")):
        for metric in ("euclidean", "cosine"):
            assert scores[accuracy_name(asked, metric)] == alone[f"{name}_{metric}"]  # type: ignore[arg-type]


def test_a_method_stands_twice_with_different_parameters() -> None:
    nmf = method_spec("nmf")
    contestants = [Contestant(nmf), Contestant(nmf, (("max_iter", 7), ("n_components", 4)))]
    table = compared(datasets.load("iris"), BASE, contestants, "method", (), 2)
    usual, own = (table.trials[contestant.id, None][0].request.params for contestant in contestants)
    assert (own["n_components"], own["max_iter"]) == (4, 7)
    assert {name for name in own if own[name] != usual[name]} == {"n_components", "max_iter"}
    by_dimension = compared(datasets.load("iris"), BASE, contestants, "dimension", (3,), 2)
    assert by_dimension.trials[contestants[1].id, 3][0].request.params["n_components"] == 3
