"""Trials as plain data: what decides their keys, what measures they may want, tables of them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import methods
from experiments.requests.request import RunRequest
from experiments.trials import Chain, MeasureRequest, Result, Table, Trial, catalogue

IRIS = RunRequest("iris", "pca")


def test_the_key_follows_from_what_is_meant_not_from_how_it_is_said() -> None:
    one = Trial(IRIS, (MeasureRequest("accuracy"), MeasureRequest("sparsity")))
    same = Trial(
        RunRequest("iris", "pca", split={"labelled_per_class": 2}),
        (
            MeasureRequest("sparsity", {"index": "hoyer"}),
            MeasureRequest("accuracy", {"metric": "euclidean"}),
            MeasureRequest("accuracy"),
        ),
    )
    assert one.key == same.key
    assert Trial.from_json(one.to_json()).key == one.key
    others = {
        Trial(replace(IRIS, seed=1), one.wanted).key,
        Trial(IRIS, (MeasureRequest("accuracy"),)).key,
        Trial(IRIS, (MeasureRequest("accuracy", {"metric": "cosine"}), MeasureRequest("sparsity"))).key,
    }
    assert len(others | {one.key}) == 4


def test_a_measure_or_a_method_that_means_something_else_gets_other_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def key() -> str:
        return Trial(IRIS, (MeasureRequest("accuracy"),)).key

    before, real = key(), catalogue.measures()
    raised = real | {"accuracy": replace(real["accuracy"], revision=2)}
    with monkeypatch.context() as changed:
        changed.setattr(catalogue, "measures", lambda: raised)
        assert key() != before
    spec = replace(methods.spec("pca"), revision=2)
    monkeypatch.setattr(methods, "spec", lambda name: spec)
    assert key() != before


def test_a_trial_that_makes_no_sense_says_why() -> None:
    with pytest.raises(ValueError, match="at least one measure"):
        Trial(IRIS, ())
    for wanted, sentence in (
        (MeasureRequest("beauty"), r"no measure 'beauty'. There are: accuracy"),
        (
            MeasureRequest("accuracy", {"metric": "taxi"}),
            "metric must be one of euclidean, cosine, not 'taxi'",
        ),
        (
            MeasureRequest("accuracy", {"mettric": "cosine"}),
            "accuracy has no setting 'mettric'. It takes: asked, metric",
        ),
    ):
        with pytest.raises(ValueError, match=sentence):
            Trial(IRIS, (wanted,))
    with pytest.raises(ValueError, match="no parameter 'beta'"):
        _ = Trial(replace(IRIS, params={"beta": 1}), (MeasureRequest("accuracy"),)).key


def test_a_chain_has_keys_that_tell_what_came_before() -> None:
    one, two = (Trial(replace(IRIS, seed=seed), (MeasureRequest("accuracy"),)) for seed in (0, 1))
    assert Chain((one, two)).keys[0] == one.key
    assert Chain((one, two)).keys[1] not in (two.key, Chain((two, two)).keys[1])
    assert Chain.from_json(Chain((one, two)).to_json()).keys == Chain((one, two)).keys


def test_measures_are_described_and_agree_with_their_files() -> None:
    for id, described in catalogue.measures().items():
        assert described.id == id
        assert described.title
        assert described.summary.endswith(".")
        for name, choices in described.choices.items():
            assert described.defaults[name] in choices


def results_of(table: Table, shares: dict[str, list[float]]) -> dict[str, Result]:
    return {
        trial.key: Result({"accuracy(asked=seen, metric=euclidean, reading=own)": share}, seconds=0.5)
        for (method,), trials in table.trials.items()
        for trial, share in zip(trials, shares[method], strict=False)
    }


def invented_table(splits: int) -> Table:
    wanted = (MeasureRequest("accuracy"),)
    return Table(
        ("method",),
        {
            (method,): tuple(Trial(RunRequest("iris", method, seed=seed), wanted) for seed in range(splits))
            for method in ("pca", "lda", "nmf")
        },
    )


@given(st.lists(st.lists(st.floats(0, 1), min_size=6, max_size=6), min_size=3, max_size=3))
def test_a_table_folds_splits_as_the_paired_test_does(shares: list[list[float]]) -> None:
    table, name = invented_table(6), MeasureRequest("accuracy").name
    given = dict(zip(("pca", "lda", "nmf"), shares, strict=True))
    results = results_of(table, given)
    for method, known in given.items():
        found = table.spread(results, (method,), name)
        assert found is not None
        assert (found.mean, found.count) == (pytest.approx(np.mean(known)), 6)
        assert found.deviation == pytest.approx(np.std(known, ddof=1))


def test_a_table_is_filled_split_by_split_and_told_split_by_split() -> None:
    table, name = invented_table(3), MeasureRequest("accuracy").name
    assert [trial.request.seed for trial in table.in_turn()] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    results = results_of(table, {"pca": [0.5, 0.6], "lda": [0.1], "nmf": []})
    assert table.spread(results, ("nmf",), name) is None
    refused = table.trials["nmf",][0].key
    results[refused] = Result(status="failed", message="=It cannot be.")
    assert table.problem(results, ("nmf",), name) == "=It cannot be."
    lines = list(csv.reader(io.StringIO(table.as_csv(results, {name: "accuracy"}))))
    assert lines[0] == ["method", "split", "seed", "accuracy", "seconds", "status", "message"]
    assert [line[:4] for line in lines[1:4]] == [
        ["pca", "0", "0", "0.5"],
        ["pca", "1", "1", "0.6"],
        ["lda", "0", "0", "0.1"],
    ]
    assert lines[4][-1] == "'=It cannot be."
