"""The walk that every fit is: how it ends, what it leaves behind, and what a step shows."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

import methods
from methods.data_matrix import error_of_products
from methods.spec import MAX_ITER, TOL, Spec
from methods.step import Step, freeze
from methods.stepwise import Solver, StepwiseEstimator

Array = NDArray[Any]


class Scripted(Solver):
    """A solver whose objective follows a script; its one array counts the steps."""

    def __init__(self, script: Callable[[int], float], last: int | None) -> None:
        self.script, self.last, self.count = script, last, np.zeros(1)
        self.looks = 0

    def step(self) -> None:
        self.count += 1
        self.done = self.count[0] == self.last

    def terms(self) -> dict[str, float]:
        value = self.script(int(self.count[0]))
        return {"one": value / 4, "two": value * 3 / 4}

    def arrays(self) -> dict[str, Array]:
        return {"count": self.count}

    def derived(self) -> dict[str, Callable[[], Array]]:
        def twice() -> Array:
            self.looks += 1
            return 2 * self.count

        return {"twice": twice}


class Walker(StepwiseEstimator):
    """An estimator around a script."""

    def __init__(self, max_iter: int = 500, tol: float = 1e-6) -> None:
        self.max_iter, self.tol = max_iter, tol

    def scripted(self, script: Callable[[int], float], last: int | None = None) -> Walker:
        self._script = script, last
        return self

    def _solver(self, X: Any, y: Any, warm_start: Any) -> Solver:
        self._given = warm_start
        self._own = Scripted(*self._script)
        return self._own


Walker.spec = Spec("w", "W", "f", "s.", "o", "u", ("r",), (MAX_ITER, TOL), Walker)


def test_a_last_step_ends_a_run_as_done() -> None:
    walker = Walker(tol=0).scripted(lambda t: 10.0 - t, last=4).fit(None)
    assert (walker.status_, walker.n_iter_, walker.count_[0]) == ("done", 4, 4)
    np.testing.assert_array_equal(walker.objective_curve_, [10, 9, 8, 7, 6])


def test_the_limit_ends_a_run_as_max_iter_and_says_so() -> None:
    with pytest.warns(ConvergenceWarning, match="max_iter=7"):
        walker = Walker(max_iter=7).scripted(lambda t: 0.5**t).fit(None)
    assert (walker.status_, walker.n_iter_) == ("max_iter", 7)


def test_asked_for_a_fixed_number_of_iterations_nobody_is_warned() -> None:
    walker = Walker(max_iter=7, tol=0).scripted(lambda t: 0.5**t).fit(None)
    assert (walker.status_, walker.n_iter_) == ("max_iter", 7)
    assert Walker(max_iter=0, tol=0).scripted(float).fit(None).n_iter_ == 0


def test_a_run_settles_by_the_average_of_ten_iterations() -> None:
    # One iteration without progress is no reason to end; ten are.
    stairs = Walker(tol=1e-3).scripted(lambda t: 100.0 - 10 * (t // 5) if t < 40 else 20.0).fit(None)
    assert stairs.status_ == "done"
    assert stairs.n_iter_ == 50
    rate = 1e-3
    falling = Walker(tol=0.9 * rate, max_iter=60).scripted(lambda t: (1 - rate) ** t)
    with pytest.warns(ConvergenceWarning):
        falling.fit(None)
    assert Walker(tol=1.1 * rate).scripted(lambda t: (1 - rate) ** t).fit(None).n_iter_ == 10


def test_nothing_left_to_lower_is_done() -> None:
    assert Walker().scripted(lambda t: 0.0).fit(None).n_iter_ == 10
    assert Walker().scripted(lambda t: -5.0).fit(None).status_ == "done"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_run_that_leaves_the_numbers_ends_as_diverged(value: float) -> None:
    walker = Walker().scripted(lambda t: value if t == 3 else 10.0 - t).fit(None)
    assert (walker.status_, walker.n_iter_) == ("diverged", 3)


def test_overflow_in_a_step_is_silent_there_and_only_there() -> None:
    big = np.array([1e308])
    walk = Walker().scripted(lambda t: float((big * 10**t)[0]) if t else 1.0).iterate(None)
    next(walk)
    with pytest.raises(RuntimeWarning):
        big * 10  # between steps NumPy is as strict as it was
    assert next(walk).objective == np.inf
    with pytest.raises(StopIteration):
        next(walk)


def test_a_step_that_fails_leaves_what_there_was() -> None:
    def script(t: int) -> float:
        if t == 2:
            raise ZeroDivisionError("in step 2")
        return 10.0 - t

    walker = Walker().scripted(script)
    with pytest.raises(ZeroDivisionError, match="in step 2"):
        walker.fit(None)
    assert (walker.status_, walker.n_iter_) == ("stopped", 1)


def test_the_estimator_is_fitted_as_far_as_the_walk_has_come() -> None:
    walker = Walker(tol=0, max_iter=5).scripted(lambda t: 10.0 - t)
    for step in walker.iterate(None):
        assert walker.count_[0] == step.iteration
        if step.iteration == 3:
            break
    gc.collect()
    assert (walker.status_, walker.n_iter_, walker.count_[0]) == ("stopped", 3, 3)


def test_a_closed_walk_that_had_come_to_its_end_keeps_its_ending() -> None:
    walker = Walker(tol=0).scripted(lambda t: 10.0 - t, last=2)
    walk = walker.iterate(None)
    for _ in range(3):
        next(walk)
    walk.close()
    assert walker.status_ == "done"


def test_derived_arrays_cost_nothing_until_looked_at() -> None:
    walker = Walker(tol=0, max_iter=3).scripted(lambda t: 10.0 - t)
    steps = list(walker.iterate(None))
    assert walker._own.looks == 0
    assert list(steps[-1].state) == ["count", "twice"]
    assert len(steps[-1].state) == 2
    assert steps[-1].state["twice"][0] == 6
    assert not steps[-1].state["twice"].flags.writeable
    assert walker._own.looks == 2


def test_a_live_step_moves_on_and_a_copy_stays() -> None:
    walk = Walker(tol=0).scripted(lambda t: 10.0 - t).iterate(None)
    first = next(walk)
    kept = first.copy()
    next(walk)
    assert first.state["count"][0] == 1
    assert kept.state["count"][0] == 0
    assert kept.state["twice"][0] == 0
    assert (kept.iteration, kept.objective, dict(kept.terms)) == (0, 10.0, {"one": 2.5, "two": 7.5})


def test_nothing_about_a_step_can_be_changed() -> None:
    step = next(Walker().scripted(lambda t: 10.0 - t).iterate(None))
    with pytest.raises(AttributeError):
        step.objective = 3.0
    with pytest.raises(TypeError):
        step.terms["one"] = 3.0
    with pytest.raises(ValueError, match="read-only"):
        step.state["count"][0] = 3
    with pytest.raises(ValueError, match="read-only"):
        step.copy().state["count"][0] = 3


def test_freeze_is_a_view() -> None:
    array = np.zeros(3)
    view = freeze(array)
    array[0] = 1
    assert view[0] == 1
    assert array.flags.writeable


def test_warm_start_hands_over_fitted_arrays_by_name() -> None:
    first = Walker(tol=0, max_iter=2).scripted(lambda t: 10.0 - t).fit(None)
    second = Walker(tol=0, max_iter=1).scripted(lambda t: 10.0 - t)
    second.fit(None, warm_start=first)
    assert second._given["count"][0] == 2
    second.fit(None, warm_start=Step(0, 1.0, {}, {"count": np.ones(1)}))
    assert second._given["count"][0] == 1
    second.fit(None)
    assert second._given is None


def test_an_unfitted_estimator_is_no_warm_start() -> None:
    X = np.ones((4, 3))
    with pytest.raises(ValueError, match="not fitted"):
        methods.create("nmf", n_components=2).fit(X, warm_start=methods.create("nmf"))


def test_not_a_number_is_never_reported_as_no_error() -> None:
    ones = np.ones((3, 2))
    assert np.isnan(error_of_products(np.nan, ones, ones, (np.eye(2), np.eye(2))))
    # Rounding, on the other hand, may leave a hair less than nothing.
    assert error_of_products(0.0, ones, ones, (np.zeros((2, 2)), np.eye(2))) == 0
