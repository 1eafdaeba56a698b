"""Recognisers: what they answer is what `methods` says for the same pixels."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from experiments import RunRequest, occlude
from experiments.engine.record import flat
from experiments.engine.run import Run
from experiments.engine.service import Handle
from experiments.fitted import recognisers
from experiments.fitted.recognisers import Recogniser, recogniser, soon_at_hand
from experiments.measures.recognition import nearest_with_margin
from experiments.measures.scores import recognised_held_out
from experiments.requests.corruption import left_uncovered
from experiments.requests.library import runnable
from methods.coefficients import coefficients
from tests.waiting import until

SPLIT = {"labelled_per_class": 2, "held_out_per_class": 3}
ASKABLE = sorted(name for name, spec in runnable().items() if "transform" in spec.gives)
NAMING = sorted(name for name, spec in runnable().items() if "predict" in spec.gives)


def finished(method: str, **params: Any) -> Run:
    spec = runnable()[method]
    if any(param.name == "max_iter" for param in spec.params):
        params |= {"max_iter": 12}
    run = Run(RunRequest("orl", method, params, dataset_options={"size": 12}, split=SPLIT))
    while run.advance():
        pass
    assert run.status in ("done", "max_iter"), run.message
    return run


def recogniser_of(run: Run) -> Recogniser:
    assert run.step is not None
    return Recogniser(run.request, flat(run.step.state))


def spoiled(run: Run) -> Any:
    return occlude(run.prepared.unseen, (12, 12), 5, "texture", seed=3)


@pytest.mark.parametrize("method", ASKABLE)
def test_features_and_verdicts_are_the_methods_own(method: str) -> None:
    run = finished(method)
    found, pixels, now = recogniser_of(run), spoiled(run), run.prepared
    own = now.estimator.transform(pixels)
    assert found.features(pixels).dtype == own.dtype
    assert np.allclose(found.features(pixels), own, rtol=1e-4, atol=1e-4 * np.abs(own).max())
    known = now.y_partial >= 0
    expected = nearest_with_margin(now.estimator.transform(now.X[known]), now.y_partial[known], own)
    verdicts = found.recognise(pixels)
    assert np.array_equal(verdicts.row, now.rows.train[known][expected.index])
    assert np.array_equal(verdicts.code, now.ds.y[verdicts.row])
    assert np.allclose(verdicts.margin, expected.margin, rtol=1e-2, atol=1e-3 * expected.distance.max())
    one = found.recognise(pixels[7:8])
    assert one.row[0] == verdicts.row[7]


@pytest.mark.parametrize("method", ["n2s2l", "lda"])
def test_the_share_recognised_is_the_one_the_run_was_scored_with(method: str) -> None:
    run = finished(method)
    now = run.prepared
    expected = recognised_held_out(
        now.spec, now.estimator, now.X, now.unseen, now.rows, now.ds.y, "euclidean"
    )
    found = recogniser_of(run)
    assert np.array_equal(found.test_rows, now.rows.held_out)
    codes = found.recognise(now.ds.X[found.test_rows]).code
    assert np.mean(codes == now.ds.y[found.test_rows]) == expected


@pytest.mark.parametrize("method", ["nmf", "n2s2l", "ndtf_3d"])
def test_parts_that_add_up_rebuild_by_their_sum(method: str) -> None:
    run = finished(method)
    found, pixels = recogniser_of(run), spoiled(run)
    own = run.estimator.transform(pixels) @ run.estimator.components_
    assert np.allclose(found.rebuilt(pixels), own, atol=1e-3)


def test_pca_rebuilds_as_it_says_itself() -> None:
    run = finished("pca")
    pixels = spoiled(run)
    own = run.estimator.inverse_transform(run.estimator.transform(pixels))
    assert np.allclose(recogniser_of(run).rebuilt(pixels), own, atol=1e-4)


@pytest.mark.parametrize("method", ["lda", "smfa"])
def test_a_face_rebuilt_from_directions_has_the_same_features(method: str) -> None:
    found = recogniser_of(run := finished(method))
    pixels = spoiled(run)
    again = found.features(found.rebuilt(pixels))
    assert np.allclose(again, found.features(pixels), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("method", ["gaussian_nmf", "poly_nmf", "kernel_pca"])
def test_features_that_are_not_made_of_pixels_rebuild_nothing(method: str) -> None:
    run = finished(method)
    assert recogniser_of(run).rebuilt(spoiled(run)) is None


def test_non_negative_coefficients_for_all_rows_at_once() -> None:
    run = finished("nmf")
    found = recogniser_of(run).features(spoiled(run), how="nnls")
    assert found.min() >= 0
    assert np.allclose(found, coefficients(run.estimator.components_, spoiled(run), "nnls"), atol=1e-5)


@pytest.mark.parametrize("how", ["pinv", "nnls", "robust"])
def test_non_negative_coefficients_are_compared_with_such_and_add_up(how: Any) -> None:
    run = finished("nmf")
    now, pixels, who = run.prepared, spoiled(run), recogniser_of(run)
    known = now.y_partial >= 0
    transform = partial(coefficients, now.estimator.components_, how=how)
    expected = nearest_with_margin(transform(now.X[known]), now.y_partial[known], transform(pixels))
    verdicts = who.recognise(pixels, how=how)
    assert np.array_equal(verdicts.row, now.rows.train[known][expected.index])
    rebuilt = transform(pixels) @ run.estimator.components_
    assert np.allclose(who.rebuilt(pixels, how=how), rebuilt, atol=1e-4)
    rows = [recogniser_of(finished("pca")).recognise(pixels, **ways).row for ways in ({"how": how}, {})]
    assert np.array_equal(*rows), "PCA has one way only"


@pytest.mark.parametrize("method", ["nmf", "ndtf_3d"])
def test_covered_pixels_that_are_known_are_left_out(method: str) -> None:
    run = finished(method)
    now, who = run.prepared, recogniser_of(run)
    patch: Any = {"kind": "texture", "size": 5, "seed": 3}
    pixels, left = spoiled(run), left_uncovered(len(now.unseen), (12, 12), **patch)
    assert np.array_equal(left, pixels == now.unseen)
    own = run.estimator.transform(pixels, mask=left)
    assert np.allclose(who.features(pixels, "masked", left), own, rtol=1e-4, atol=1e-4 * np.abs(own).max())
    assert np.allclose(own, run.estimator.transform(np.where(left, pixels, 1), mask=left), atol=1e-5)
    # The labelled faces are known all over: their features are those that are compared else.
    known = now.y_partial >= 0
    expected = nearest_with_margin(now.estimator.transform(now.X[known]), now.y_partial[known], own)
    assert np.array_equal(who.recognise(pixels, how="masked", left=left).row,
                          now.rows.train[known][expected.index])  # fmt: skip
    # Of a face that is covered all over nothing is known, and methods with one way keep to it.
    assert not who.features(pixels[:2], "masked", np.zeros((2, 144), bool)).any()
    pca = recogniser_of(finished("pca"))
    assert np.array_equal(pca.features(pixels, "masked", left), pca.features(pixels))


def test_without_held_out_rows_it_is_tested_on_the_unlabelled() -> None:
    run = Run(RunRequest("orl", "pca", {"n_components": 5}, dataset_options={"size": 12}))
    while run.advance():
        pass
    assert np.array_equal(recogniser_of(run).test_rows, run.prepared.rows.unlabelled)


@pytest.mark.parametrize("method", NAMING)
@pytest.mark.filterwarnings("ignore:.*no label reached")
def test_classifiers_and_propagators_say_what_they_predict(method: str) -> None:
    run = finished(method)
    found, pixels, now = recogniser_of(run), spoiled(run), run.prepared
    verdicts = found.recognise(pixels)
    assert np.array_equal(verdicts.code, run.estimator.predict(pixels))
    scores = np.sort(run.estimator.decision_function(pixels), axis=1)
    assert np.allclose(verdicts.margin, scores[:, -1] - scores[:, -2], atol=1e-6)
    assert np.allclose(verdicts.distance, np.abs(scores[:, -1]), atol=1e-6)
    assert np.array_equal(now.ds.y[verdicts.row], verdicts.code)
    assert np.isin(verdicts.row, now.rows.labelled).all()
    apart = np.linalg.norm(now.ds.X[now.rows.labelled] - pixels[0], axis=1)
    apart[now.ds.y[now.rows.labelled] != verdicts.code[0]] = np.inf
    assert verdicts.row[0] == now.rows.labelled[apart.argmin()]
    assert found.rebuilt(pixels) is None


def test_two_classes_have_scores_of_their_own() -> None:
    request = RunRequest(
        "orl", "s_rlsc", dataset_options={"size": 12}, labels=((0, "left"), (1, "right"), (2, "left"))
    )
    run = Run(replace(request, split={"labelled_per_class": 0}))
    while run.advance():
        pass
    found = recogniser_of(run)
    verdicts = found.recognise(run.prepared.X[:3])
    assert [found.names[code] for code in verdicts.code] == ["left", "right", "left"]
    assert (verdicts.margin > 0).all()


def test_what_cannot_be_asked_about_new_pixels_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognisers, "can_recognise", lambda spec: False)
    with pytest.raises(ValueError, match="PCA on ORL faces cannot say who"):
        recogniser_of(finished("pca", n_components=3))


def test_making_one_keeps_nobody_waiting(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognisers, "_recognisers", recognisers.OrderedDict())
    begun, go_on = threading.Event(), threading.Event()
    whole = Handle.final

    def slowly(handle: Handle) -> Any:
        begun.set()
        assert go_on.wait(10)
        return whole(handle)

    monkeypatch.setattr(Handle, "final", slowly)
    handle = kept(finished("pca", n_components=4), tmp_path)
    assert soon_at_hand(handle) is None
    assert begun.wait(10)
    assert soon_at_hand(handle) is None
    making = recognisers._making[handle.request.key]
    go_on.set()
    assert making.result(10) is recognisers.at_hand(handle) is soon_at_hand(handle)
    until(lambda: not recognisers._making, "what has been made is kept twice")


def test_one_that_cannot_be_made_says_so_every_time(tmp_path: Any) -> None:
    handle = kept(finished("pca", n_components=7), tmp_path)
    handle.status, handle.message = "failed", "Too few rows."
    for _ in range(2):
        assert soon_at_hand(handle) is None
        assert recognisers._making[handle.request.key].exception(10)
        with pytest.raises(ValueError, match="Too few rows"):
            soon_at_hand(handle)


def kept(run: Run, tmp_path: Any) -> Handle:
    """What the service knows of a run."""
    assert run.step is not None
    np.savez(tmp_path / f"{run.step.iteration}.npz", **flat(run.step.state))  # type: ignore[arg-type]
    return Handle("id", run.request, tmp_path, status=run.status or "", snapshots=[(run.step.iteration, {})])


def test_a_recogniser_is_made_once_and_a_bounded_number_is_kept(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognisers, "_recognisers", recognisers.OrderedDict())
    monkeypatch.setattr(recognisers, "MAX_CACHED", 2)
    made = []
    for seed, components in enumerate((3, 4, 5)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        handle = kept(finished("pca", n_components=components), folder)
        made.append(handle)
        assert recognisers.at_hand(handle) is None
        assert recogniser(handle) is recogniser(handle) is recognisers.at_hand(handle)
    assert recognisers.at_hand(made[0]) is None
    assert recognisers.at_hand(made[2]) is not None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": "running"}, "must come to its end"),
        ({"status": "failed", "message": "Too few rows."}, "Too few rows."),
        ({"snapshots": [(99, {})]}, "no longer kept"),
    ],
)
def test_a_run_that_cannot_be_asked_says_why(tmp_path: Any, changes: Any, message: str) -> None:
    handle = kept(finished("pca", n_components=6), tmp_path)
    for name, value in changes.items():
        setattr(handle, name, value)
    with pytest.raises(ValueError, match=message):
        recogniser(handle)
