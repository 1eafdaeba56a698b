"""A run that goes on from another: exactly there, or afresh with a sentence that says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import RunRequest
from experiments.engine.array_file import write_arrays
from experiments.engine.record import flat
from experiments.engine.run import Run
from experiments.engine.warm_start import GONE, MISFIT, WarmStart, gathered, warm_start_from
from tests.experiments.conftest import Invent

SMALL = {"n_components": 6, "tol": 0.0}


def after(method: str, steps: int = 5, **params: object) -> Run:
    made = Run(RunRequest("swimmer", method, SMALL | params))
    for _ in range(steps + 1):
        made.advance()
    assert made.status is None, made.message
    return made


def going_on(run: Run, request: RunRequest) -> Run:
    assert run.step is not None
    continued = Run(request, earlier=WarmStart(run.step.copy(), run.request))
    continued.advance()
    assert continued.status is None, continued.message
    return continued


@pytest.mark.parametrize("method", ["nmf", "n2s2l", "semi_nmf", "ntf", "gaussian_nmf"])
def test_a_run_goes_on_from_where_another_is(method: str) -> None:
    run = after(method)
    continued = going_on(run, run.request)
    assert continued.note == ""
    assert continued.objective[0] == pytest.approx(run.objective[-1], rel=1e-4)
    assert continued.objective[0] < 0.99 * run.objective[0]


def test_what_has_not_begun_leaves_what_it_goes_on_from_itself() -> None:
    run = after("nmf")
    overtaken = Run(run.request, earlier=run.left())
    last = Run(run.request, earlier=overtaken.left())
    overtaken.advance()
    overtaken.advance()  # What it does to its factors must not be seen by the other.
    last.advance()
    assert last.note == ""
    assert last.objective[0] == pytest.approx(run.objective[-1], rel=1e-4)
    assert last.objective[0] == overtaken.objective[0]
    assert Run(run.request).left() is None, "there is nothing to go on from, and nothing to say of it"
    lost = Run(run.request, earlier=Run(run.request, earlier=WarmStart(None)).left())
    lost.advance()
    assert lost.note == GONE


def test_another_weight_is_another_objective_of_the_same_factors() -> None:
    run = after("n2s2l", alpha=1.0)
    continued = going_on(run, RunRequest("swimmer", "n2s2l", SMALL | {"alpha": 5.0}))
    assert continued.note == ""
    assert continued.terms["reconstruction"][0] == pytest.approx(run.terms["reconstruction"][-1], rel=1e-4)
    assert continued.terms["separability"][0] == pytest.approx(5 * run.terms["separability"][-1], rel=1e-3)


def test_what_does_not_fit_starts_afresh_and_says_so() -> None:
    run = after("nmf")
    larger = going_on(run, RunRequest("swimmer", "nmf", SMALL | {"n_components": 7}))
    assert larger.note == MISFIT
    held_out = going_on(run, RunRequest("swimmer", "nmf", SMALL, split={"held_out_per_class": 2}))
    assert "other samples" in held_out.note
    other = going_on(run, RunRequest("planted_parts", "nmf", SMALL))
    assert "other samples" in other.note
    alone = Run(RunRequest("swimmer", "nmf", SMALL), earlier=WarmStart(None))
    alone.advance()
    assert alone.note == GONE


def test_options_left_out_are_the_usual_ones_written_out() -> None:
    run = Run(RunRequest("orl", "nmf", SMALL, dataset_options={"size": 16}))
    run.advance()
    written = RunRequest("orl", "nmf", SMALL, dataset_options={"size": 16, "crop": "plain"})
    assert going_on(run, written).note == ""


def test_a_request_at_fault_is_refused_as_ever() -> None:
    run = after("n2s2l")
    assert run.step is not None
    wrong = Run(
        RunRequest("swimmer", "n2s2l", SMALL | {"n_discriminative": 6}),
        earlier=WarmStart(run.step, run.request),
    )
    wrong.advance()
    assert wrong.status == "failed"
    assert "n_discriminative=6 must be smaller" in wrong.message


def test_snapshots_hold_all_that_is_needed(tmp_path: Path) -> None:
    run = after("ntf")
    assert run.step is not None
    for iteration in (1, 10, 9):
        np.savez(
            tmp_path / f"{iteration}.npz", **{name: a + iteration for name, a in flat(run.step.state).items()}
        )
    earlier = warm_start_from(tmp_path)
    assert earlier.step is not None
    assert np.allclose(earlier.step.state["embedding"], run.step.state["embedding"] + 10), "the latest counts"
    assert [a.shape for a in earlier.step.state["factors"]] == [a.shape for a in run.step.state["factors"]]
    assert warm_start_from(tmp_path / "9.npz").step is not None
    assert warm_start_from(tmp_path / "nowhere").step is None
    (tmp_path / "11.npz").write_bytes(b"half a file")
    assert warm_start_from(tmp_path).step is None


def test_a_snapshot_that_is_being_written_hides_none_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays, earlier = {"embedding": np.ones((2, 2))}, []
    write_arrays(tmp_path / "3.npz", arrays)
    savez = np.savez

    def read_half_way(file: Any, **options: Any) -> None:
        file.write(b"half a file")
        file.flush()
        earlier.append(warm_start_from(tmp_path))
        file.seek(0)
        savez(file, **options)

    monkeypatch.setattr(np, "savez", read_half_way)
    write_arrays(tmp_path / "4.npz", arrays)
    steps = [start.step and start.step.iteration for start in (*earlier, warm_start_from(tmp_path))]
    assert steps == [3, 4]


def test_more_than_ten_modes_stay_in_order() -> None:
    arrays = {f"factors_{i}": i for i in range(12)}
    assert gathered(dict(sorted(arrays.items())))["factors"] == tuple(range(12))


def test_a_rising_objective_is_noted(invent: Invent) -> None:
    run = Run(RunRequest("swimmer", invent(lambda made: 500.0 + made), {"max_iter": 4}))
    while run.advance():
        pass
    assert run.rises == [2, 3, 4]
    assert run.message.startswith("The objective rose at 3 of 4 iterations, first at iteration 2")


def test_an_objective_that_is_no_number_says_when(invent: Invent) -> None:
    run = Run(RunRequest("swimmer", invent(lambda made: float("nan") if made == 3 else 1.0), {"max_iter": 9}))
    while run.advance():
        pass
    assert run.status == "diverged"
    assert "at iteration 3" in run.message
