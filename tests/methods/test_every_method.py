"""What holds for every method in the registry, the ones not yet written included.

Each test is parametrised over `methods.names()`: a method is covered by being added.
"""

from __future__ import annotations

import importlib
import pickle
from itertools import islice
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

import methods
from methods import Spec
from methods.checks import UNLABELLED
from tests.methods.problems import (
    Problem,
    each,
    estimator,
    exact_start,
    first_factor,
    fitted,
    outputs,
    problem,
    reordered,
    takes,
    views,
)

every = pytest.mark.parametrize("spec", methods.specs().values(), ids=methods.names())


def which(condition: Any) -> Any:
    chosen = [spec for spec in methods.specs().values() if condition(spec)]
    return pytest.mark.parametrize("spec", chosen, ids=[spec.id for spec in chosen])


def every_solver(condition: Any = lambda spec: True) -> Any:
    """Parametrise over methods and, where a method has several solvers, over those too."""
    chosen = [
        pytest.param(spec, settings, id="-".join([spec.id, *settings.values()]))
        for spec in methods.specs().values()
        if condition(spec)
        for settings in solvers(spec)
    ]
    return pytest.mark.parametrize(("spec", "settings"), chosen)


def solvers(spec: Spec) -> list[dict[str, str]]:
    return [{"solver": name} for name in spec.param("solver").choices] if takes(spec, "solver") else [{}]


def from_arrays(spec: Spec) -> bool:
    """Say whether a run can start from given arrays."""
    return takes(spec, "init", "max_iter") and {"components", "embedding"} <= spec.gives


def closed_form(spec: Spec) -> bool:
    """Say whether a method has one answer, with nothing left to a start."""
    return not takes(spec, "random_state")


def run(spec: Spec, given: Problem, **params: Any) -> Any:
    return estimator(spec, **params).fit(given.X, given.y, **given.fit_params)


def assert_same_fit(one: Any, other: Any) -> None:
    ours, theirs = fitted(one), fitted(other)
    assert ours.keys() == theirs.keys()
    for name, arrays in ours.items():
        for a, b in zip(arrays, theirs[name], strict=True):
            np.testing.assert_array_equal(a, b, err_msg=name)


@which(lambda spec: "views" not in spec.needs)
# The checks fit with default limits, and a run that has not settled says so.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_conventions(spec: Spec) -> None:
    # What scikit-learn asks for holds after any number of iterations, and it is asked hundreds of times.
    few = {"max_iter": 5} if takes(spec, "max_iter") else {}
    check_estimator(spec.estimator(**few), expected_failed_checks=dict(spec.expected_failed_checks))


@every
def test_expected_failures_are_known_and_have_reasons(spec: Spec) -> None:
    for check, reason in spec.expected_failed_checks.items():
        assert check.startswith("check_")
        assert len(reason.split()) >= 4, (check, reason)


@every_solver()
def test_fit_is_iterate_drained(spec: Spec, settings: dict[str, str]) -> None:
    given = problem(spec)
    walked = estimator(spec, **settings)
    steps = [step.copy() for step in walked.iterate(given.X, given.y, **given.fit_params)]
    assert_same_fit(walked, run(spec, given, **settings))
    assert [step.iteration for step in steps] == list(range(len(steps)))
    assert walked.n_iter_ == len(steps) - 1
    np.testing.assert_array_equal(walked.objective_curve_, [step.objective for step in steps])
    for name, array in steps[-1].state.items():
        for a, b in zip(views(array), views(getattr(walked, f"{name}_")), strict=True):
            np.testing.assert_array_equal(a, b, err_msg=name)


@every_solver()
def test_objective_is_the_sum_of_its_terms(spec: Spec, settings: dict[str, str]) -> None:
    given = problem(spec)
    for step in estimator(spec, **settings).iterate(given.X, given.y, **given.fit_params):
        assert np.isclose(sum(step.terms.values()), step.objective, rtol=1e-12, atol=0)
        assert step.terms
        assert all(isinstance(value, float) for value in step.terms.values()), step.terms


@which(from_arrays)
def test_step_zero_is_the_start(spec: Spec) -> None:
    given = problem(spec)
    parts, embedding = exact_start(spec, given)
    # Something no method would come up with by itself, and a private copy must be taken of it.
    start = (each(parts, lambda part: part * 1.5 + 0.01), embedding * 0.75 + 0.02)
    kept = (each(start[0], np.copy), start[1].copy())
    est = estimator(spec, init=start)
    first = next(est.iterate(given.X, given.y, **given.fit_params)).copy()
    np.testing.assert_array_equal(first.state["embedding"], kept[1])
    shown = first.state[first_factor(first.state)]
    for a, b in zip(views(shown), views(kept[0]), strict=True):
        np.testing.assert_array_equal(a, b)
    est.fit(given.X, given.y, **given.fit_params)
    assert est.objective_curve_[0] == first.objective
    np.testing.assert_array_equal(start[1], kept[1])
    for a, b in zip(views(start[0]), views(kept[0]), strict=True):
        np.testing.assert_array_equal(a, b)


@every
def test_state_is_read_only_and_not_copied(spec: Spec) -> None:
    given = problem(spec)
    est = estimator(spec)
    for step in est.iterate(given.X, given.y, **given.fit_params):
        kept = step.copy()
        for name, array in step.state.items():
            for live, own in zip(views(array), views(kept.state[name]), strict=True):
                assert not live.flags.writeable
                assert not own.flags.writeable
                assert not np.shares_memory(live, own)
    # What the last step showed is what was fitted: the solver's own memory, handed on.
    shared = [
        np.shares_memory(a, b)
        for name, array in step.state.items()
        for a, b in zip(views(array), views(getattr(est, f"{name}_")), strict=True)
    ]
    assert any(shared)
    with pytest.raises(TypeError):
        step.state["other"] = np.zeros(1)


@every_solver()
@pytest.mark.parametrize("seen", [1, 2, 4])
def test_closing_early_leaves_a_usable_estimator(spec: Spec, settings: dict[str, str], seen: int) -> None:
    given = problem(spec)
    est = estimator(spec, **settings)
    walk = est.iterate(given.X, given.y, **given.fit_params)
    steps = list(islice(walk, seen))
    walk.close()
    assert est.n_iter_ == len(steps) - 1
    assert est.status_ in ("stopped", "done")
    assert est.objective_curve_.shape == (len(steps),)
    for name, made in outputs(spec, est, given.X).items():
        assert len(made) == given.n_samples, name
        assert np.isfinite(made).all(), name


@every_solver()
def test_same_seed_same_result(spec: Spec, settings: dict[str, str]) -> None:
    given = problem(spec)
    assert_same_fit(run(spec, given, **settings), run(spec, given, **settings))


@every
def test_input_is_left_alone(spec: Spec) -> None:
    given = problem(spec)
    before = [view.copy() for view in views(given.X)]
    for view in views(given.X):
        view.flags.writeable = False
    if given.y is not None:
        given.y.flags.writeable = False
    est = run(spec, given)
    outputs(spec, est, given.X)
    for view, kept in zip(views(given.X), before, strict=True):
        np.testing.assert_array_equal(view, kept)


@every_solver()
def test_single_precision_stays_single_and_close(spec: Spec, settings: dict[str, str]) -> None:
    given = problem(spec)
    single, double = run(spec, given.cast(np.float32), **settings), run(spec, given, **settings)
    for gift in ("components", "embedding"):
        if gift in spec.gives:
            for dtype, est in ((np.float32, single), (np.float64, double)):
                assert {part.dtype for part in views(getattr(est, f"{gift}_"))} == {np.dtype(dtype)}, gift
    if "transform" in spec.gives:
        assert single.transform(given.cast(np.float32).X).dtype == np.float32
        assert double.transform(given.X).dtype == np.float64
    if "objective" in spec.gives:
        # Where nearly nothing is left of the objective, rounding is measured by where it came from.
        scale = np.maximum(np.abs(double.objective_curve_), 1e-3 * np.abs(double.objective_curve_).max())
        assert single.objective_curve_.shape == double.objective_curve_.shape
        assert (np.abs(single.objective_curve_ - double.objective_curve_) <= 1e-3 * scale).all()


@every_solver(lambda spec: spec.monotone)
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=25)
def test_objective_never_rises(spec: Spec, settings: dict[str, str], data: st.DataObject) -> None:
    n_samples = data.draw(st.integers(8, 30), "n_samples")
    dtype = data.draw(st.sampled_from([np.float64, np.float32]), "dtype")
    posed = problem(spec, data.draw(st.integers(0, 2**31), "seed"), n_samples, dtype)
    weights = {}
    for param in spec.params:
        if param.kind == "float" and param.name != "tol" and param.low is not None:
            exponent = data.draw(st.floats(0, 1), param.name)
            low, high = float(param.low), float(param.high)
            log = param.scale == "log"
            weights[param.name] = low * (high / low) ** exponent if log else low + (high - low) * exponent
    try:
        est = run(spec, posed, **settings, **weights)
    except ValueError:
        hypothesis.reject()  # a combination that the method refuses with a message
    curve = est.objective_curve_
    assert np.isfinite(curve).all()
    # Rounding: of the objective, and of what should be zero in it, which is squared.
    slack = (1e-10 if dtype == np.float64 else 1e-5) * np.abs(curve).max() + (100 * np.finfo(dtype).eps) ** 2
    assert (np.diff(curve) <= slack).all(), np.diff(curve).max() / np.abs(curve).max()


# Not the accelerated solvers: on graphs their sweeps visit sample after sample, so that the path, though not
# what is a fixed point of it, depends on the order.
@which(lambda spec: from_arrays(spec) or closed_form(spec))
def test_permuting_samples_permutes_results(spec: Spec) -> None:
    given = problem(spec)
    order = np.random.default_rng(5).permutation(given.n_samples)
    moved = given.rows(order)
    if from_arrays(spec):
        start = exact_start(spec, given)
        one, other = (
            run(spec, posed, init=begin)
            for posed, begin in ((given, start), (moved, reordered(start, order)))
        )
    else:
        one, other = run(spec, given), run(spec, moved)
    for name, made in outputs(spec, one, given.X).items():
        again = outputs(spec, other, given.X)[name]
        # A closed form may turn an eigenvector round.
        a, b = (np.abs(made), np.abs(again)) if closed_form(spec) and name == "transform" else (made, again)
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6 * np.abs(a).max(), err_msg=name)
    if "embedding" in spec.gives:
        a, b = one.embedding_[order], other.embedding_
        if closed_form(spec):
            a, b = np.abs(a), np.abs(b)
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6 * np.abs(a).max())


@which(lambda spec: "labels" not in spec.needs)
def test_labels_are_optional_and_unknown_ones_tell_nothing(spec: Spec) -> None:
    given = problem(spec)
    nothing_known = np.full(given.n_samples, UNLABELLED)
    without = estimator(spec).fit(given.X, **given.fit_params)
    assert_same_fit(without, estimator(spec).fit(given.X, nothing_known, **given.fit_params))


@which(lambda spec: "labels" in spec.needs)
def test_names_of_classes_do_not_matter(spec: Spec) -> None:
    given = problem(spec)
    names = np.array([4, 17, 300])
    renamed = np.where(given.y == UNLABELLED, UNLABELLED, names[given.y])
    one, other = run(spec, given), run(spec, Problem(given.X, renamed, given.fit_params))
    np.testing.assert_array_equal(one.classes_, [0, 1, 2])
    np.testing.assert_array_equal(other.classes_, names)
    np.testing.assert_array_equal(one.objective_curve_, other.objective_curve_)
    if "predict" in spec.gives:
        np.testing.assert_array_equal(names[one.predict(given.X)], other.predict(given.X))
    if "transform" in spec.gives:
        np.testing.assert_array_equal(one.transform(given.X), other.transform(given.X))


@which(lambda spec: "labels" in spec.needs)
@pytest.mark.parametrize("classes", [0, 1])
def test_fewer_than_two_labelled_classes_are_refused(spec: Spec, classes: int) -> None:
    given = problem(spec)
    y = np.where(given.y < classes, given.y, UNLABELLED)
    with pytest.raises(ValueError, match=r"class|labelled"):
        estimator(spec).fit(given.X, y, **given.fit_params)


@which(lambda spec: "labels" in spec.needs)
def test_missing_or_mismatched_labels_are_refused(spec: Spec) -> None:
    given = problem(spec)
    with pytest.raises(ValueError, match=r"\by\b"):
        estimator(spec).fit(given.X, None, **given.fit_params)
    with pytest.raises(ValueError, match=r"\by\b"):
        estimator(spec).fit(given.X, given.y[:-1], **given.fit_params)


@every
@pytest.mark.parametrize(
    ("value", "word"), [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "inf"), (-0.5, "[Nn]egative")]
)
def test_impossible_entries_are_refused_by_row(spec: Spec, value: float, word: str) -> None:
    signed_welcome = value == -0.5 and "nonnegative" not in spec.needs
    if signed_welcome or (np.isnan(value) and "holes" in spec.takes):
        run(spec, spoiled(spec, value))
        return
    with pytest.raises(ValueError, match=rf"{word}(.|\n)*\b3\b.*\b7\b"):
        run(spec, spoiled(spec, value))


def spoiled(spec: Spec, value: float) -> Problem:
    """The usual problem with two entries, in rows 3 and 7 of the last view, replaced."""
    given = problem(spec)
    view = views(given.X)[-1]
    view[3].flat[1] = view[7].flat[0] = value
    return given


@which(lambda spec: "views" in spec.needs)
def test_missing_empty_and_mismatched_views_are_refused_by_name(spec: Spec) -> None:
    given = problem(spec)
    one, other = given.X
    with pytest.raises(ValueError, match="no view"):
        estimator(spec).fit([], given.y, **given.fit_params)
    with pytest.raises(ValueError, match="no view"):
        estimator(spec).fit({}, given.y, **given.fit_params)
    with pytest.raises(ValueError, match=r"'title'(.|\n)*0 feature"):
        estimator(spec).fit({"text": one, "title": other[:, :0]}, given.y, **given.fit_params)
    with pytest.raises(ValueError, match=r"'title' has 23 rows(.|\n)*'text' has 24"):
        estimator(spec).fit({"text": one, "title": other[:-1]}, given.y, **given.fit_params)
    with pytest.raises(ValueError, match=r"'1' has 23 rows(.|\n)*'0' has 24"):
        estimator(spec).fit([one, other[:-1]], given.y, **given.fit_params)


@every_solver()
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_zero_rows_and_columns_are_harmless(spec: Spec, settings: dict[str, str], dtype: Any) -> None:
    given = problem(spec, dtype=dtype)
    for view in views(given.X):
        view[[0, 5, 6]] = 0
        view[..., 1] = 0
    est = run(spec, given, **settings)
    assert est.status_ != "diverged"
    for name, arrays in fitted(est).items():
        assert all(np.isfinite(array).all() for array in arrays), name
    for name, made in outputs(spec, est, given.X).items():
        assert np.isfinite(made).all(), name


@every_solver(from_arrays)
@pytest.mark.parametrize("kind", ["estimator", "step"])
def test_warm_start_goes_on_from_the_very_arrays(spec: Spec, settings: dict[str, str], kind: str) -> None:
    given = problem(spec)
    first = estimator(spec, max_iter=6, **settings)
    last = [step.copy() for step in first.iterate(given.X, given.y, **given.fit_params)][-1]
    source = first if kind == "estimator" else last
    resumed = estimator(spec, max_iter=4, **settings)
    walk = resumed.iterate(given.X, given.y, warm_start=source, **given.fit_params)
    start = next(walk).copy()
    for name, array in last.state.items():
        # What is only derived from the arrays may be worked out in another order.
        tolerance = 0 if name in (first_factor(last.state), "embedding") else 1e-12
        for a, b in zip(views(array), views(start.state[name]), strict=True):
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance, err_msg=name)
    assert np.isclose(start.objective, last.objective, rtol=1e-9)
    for _ in walk:
        pass
    # The source is left as it was, and 6 + 4 iterations are 10.
    np.testing.assert_array_equal(first.embedding_, last.state["embedding"])
    if settings.get("solver") == "accelerated":
        return  # its momentum begins anew
    straight = run(spec, given, max_iter=10, **settings)
    np.testing.assert_allclose(resumed.objective_curve_, straight.objective_curve_[6:], rtol=1e-8)
    np.testing.assert_allclose(resumed.embedding_, straight.embedding_, rtol=1e-6, atol=1e-9)


@which(lambda spec: from_arrays(spec) and takes(spec, "n_components"))
def test_warm_start_of_another_size_is_refused_by_name(spec: Spec) -> None:
    given = problem(spec)
    smaller = run(spec, given, n_components=3)
    with pytest.raises(ValueError, match="warm_start"):
        estimator(spec, n_components=4).fit(given.X, given.y, warm_start=smaller, **given.fit_params)


@every
def test_parameters_can_be_read_set_and_cloned(spec: Spec) -> None:
    est = estimator(spec)
    twin = clone(est)
    assert twin is not est
    assert twin.get_params() == est.get_params()
    assert not fitted(twin)
    assert set(est.get_params()) == {param.name for param in spec.params}
    run_once = problem(spec)
    before = est.get_params()
    est.fit(run_once.X, run_once.y, **run_once.fit_params)
    assert est.get_params() == before, "fitting must not change parameters"


@every
def test_a_fitted_estimator_survives_pickling(spec: Spec) -> None:
    given = problem(spec)
    est = run(spec, given)
    again = pickle.loads(pickle.dumps(est))
    assert_same_fit(est, again)
    for name, made in outputs(spec, est, given.X).items():
        # The copy's arrays may lie in memory in another order, which rounds products differently.
        np.testing.assert_allclose(made, outputs(spec, again, given.X)[name], rtol=1e-9, atol=1e-12)


@every
def test_fitting_again_forgets_the_first_fit(spec: Spec) -> None:
    first, second = problem(spec, seed=1), problem(spec, seed=2, n_samples=20)
    est = run(spec, first)
    est.fit(second.X, second.y, **second.fit_params)
    assert_same_fit(est, run(spec, second))


@every
def test_module_id_and_estimator_belong_together(spec: Spec) -> None:
    module = importlib.import_module(f"methods.{spec.family}.{spec.id}")
    assert module.SPEC is spec
    assert spec.estimator.spec is spec
    assert spec.estimator.__module__ == module.__name__
    assert methods.spec(spec.id) is spec
    assert type(methods.create(spec.id)) is spec.estimator
