"""Parts kept and taken away on the way: the same run, gone on from or carried out again from its request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import methods
from experiments import RunRequest, run
from experiments.engine.run import Run
from experiments.engine.warm_start import WarmStart
from experiments.requests.edits import checked_edits, count_fixed, edited, edits_in, in_short

BASE = RunRequest(
    "orl", "nmf", {"n_components": 6, "solver": "accelerated", "max_iter": 12, "tol": 0.0},
    dataset_options={"size": 12},
)  # fmt: skip


def with_edits(*edits: Any) -> RunRequest:
    return replace(BASE, edits=edits)


def walked(request: RunRequest, steps: int = 20, earlier: WarmStart | None = None) -> Run:
    going = Run(request, earlier=earlier)
    for _ in range(steps + 1):
        going.advance()
    assert going.status != "failed", going.message
    return going


def unit(parts: Any) -> Any:
    return parts / np.linalg.norm(parts, axis=1, keepdims=True)


def test_an_edited_run_is_the_same_gone_on_from_and_carried_out_again() -> None:
    first = walked(BASE, 5)
    request = with_edits((5, "erase", 2))
    went_on, again = walked(request, earlier=first.left()), run(request)
    assert not went_on.warm
    np.testing.assert_array_equal(went_on.objective, again.objective)
    np.testing.assert_array_equal(went_on.step.state["components"], again.arrays["components"])
    assert again.arrays["components"].shape[0] == 5
    started = np.delete(first.step.state["components"], 2, axis=0)
    np.testing.assert_array_equal(went_on.snapshots[0].arrays["components"], started)
    # An edit of that run in its turn: kept parts come first and stay as they are.
    request = with_edits((5, "erase", 2), (3, "keep", 4))
    third = walked(request)
    before = walked(with_edits((5, "erase", 2)), 3).step.state["components"][4:]
    for snapshot in third.snapshots:
        np.testing.assert_allclose(unit(snapshot.arrays["components"][:1]), unit(before), rtol=1e-5)
    assert np.diff(third.objective).max() <= 1e-5 * third.objective[0]


@pytest.mark.parametrize("method", [name for name in methods.names() if "parts" in methods.spec(name).takes])
def test_every_method_that_takes_parts_can_be_edited(method: str) -> None:
    params = {"n_components": 4, "max_iter": 4}
    request = RunRequest("orl", method, params, dataset_options={"size": 8}, edits=((2, "erase", 1),))
    kept = walked(request, 4).step.state["components"][2:]
    parts = run(replace(request, edits=((2, "erase", 1), (4, "keep", 2)))).arrays["components"]
    assert parts.shape == (3, 64)
    np.testing.assert_allclose(unit(parts[:1]), unit(kept), rtol=1e-5, atol=1e-7)


def test_what_its_request_does_not_tell_makes_a_run_warm() -> None:
    other = walked(replace(BASE, seed=3), 5).left()
    assert other is not None
    moved = Run(BASE, earlier=replace(other, request=BASE))
    moved.advance()
    assert moved.warm, "it went on from somewhere"
    left = walked(BASE, 5).left()
    assert left is not None
    assert not walked(with_edits((5, "erase", 2)), 1, left).warm
    assert walked(with_edits((4, "erase", 2)), 1, left).warm, "it was edited at another iteration"
    # A parameter that is moved goes on from the parts that there are.
    edited_run = walked(with_edits((5, "erase", 2)), 4)
    request = replace(edited_run.request, params={**BASE.params, "features": "nnls"})
    went_on = walked(request, 0, edited_run.left())
    assert went_on.warm
    np.testing.assert_array_equal(went_on.step.state["components"], edited_run.step.state["components"])


@pytest.mark.parametrize(
    ("edits", "words"),
    [([(2, "erase", 6)], "Part 7 cannot be edited: there are 6"), ([(1, "erase", 0)] * 6, "last part")],
)
def test_what_cannot_be_done_is_said(edits: Any, words: str) -> None:
    failed = Run(with_edits(*edits))
    failed.advance()
    assert failed.status == "failed"
    assert words in failed.message


def test_kept_parts_come_first_and_can_be_let_go() -> None:
    parts, embedding, done = np.arange(4.0)[:, None], np.arange(4.0)[None], []
    for edit in [(9, "keep", 2), (0, "keep", 3), (4, "keep", 0), (0, "free", 0), (2, "erase", 0)]:
        parts, embedding = edited(parts, embedding, count_fixed(done), edit)
        done.append(edit)
    assert parts.ravel().tolist() == embedding.ravel().tolist() == [2, 0, 1]
    assert count_fixed(done[:-1]) == 1
    assert count_fixed(done) == 0
    assert edits_in(in_short(checked_edits(done))) == tuple(done)


@pytest.mark.parametrize("edits", [[(1, "drop", 0)], [(-1, "keep", 0)], [(1, "keep")], [(1, "keep", 0.5)]])
def test_edits_that_make_no_sense_are_refused(edits: Any) -> None:
    with pytest.raises(ValueError, match="edit"):
        with_edits(*edits)
    with pytest.raises(ValueError, match="written like"):
        edits_in("12-keep")
    with pytest.raises(ValueError, match="N²S²L cannot keep parts"):
        replace(BASE, method="n2s2l", params={}, edits=((1, "keep", 0),)).canonical()
