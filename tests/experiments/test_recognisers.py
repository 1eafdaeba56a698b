"""Recognisers: what they answer is what `methods` says for the same pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from experiments import RunRequest, occlude, recognisers
from experiments.library import runnable
from experiments.recognisers import Recogniser, recogniser
from experiments.recognition import nearest_with_margin
from experiments.record import flat
from experiments.run import Run
from experiments.scores import recognised_held_out
from experiments.service import Handle

SPLIT = {"labelled_per_class": 2, "held_out_per_class": 3}
ASKABLE = sorted(name for name, spec in runnable().items() if "transform" in spec.gives)


def finished(method: str, **params: Any) -> Run:
    spec = runnable()[method]
    if any(param.name == "max_iter" for param in spec.params):
        params |= {"max_iter": 12}
    run = Run(RunRequest("orl", method, params, dataset_options={"size": 12}, split=SPLIT))
    while run.advance():
        pass
    assert run.status in ("done", "max_iter"), run.message
    return run


def asked(run: Run) -> Recogniser:
    assert run.step is not None
    return Recogniser(run.request, flat(run.step.state))


def spoiled(run: Run) -> Any:
    return occlude(run.prepared.unseen, (12, 12), 5, "texture", seed=3)


@pytest.mark.parametrize("method", ASKABLE)
def test_features_and_verdicts_are_the_methods_own(method: str) -> None:
    run = finished(method)
    found, pixels, now = asked(run), spoiled(run), run.prepared
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
    found = asked(run)
    assert np.array_equal(found.test_rows, now.rows.held_out)
    codes = found.recognise(now.ds.X[found.test_rows]).code
    assert np.mean(codes == now.ds.y[found.test_rows]) == expected


@pytest.mark.parametrize("method", ["nmf", "n2s2l", "ndtf_3d"])
def test_parts_that_add_up_rebuild_by_their_sum(method: str) -> None:
    run = finished(method)
    found, pixels = asked(run), spoiled(run)
    own = run.estimator.transform(pixels) @ run.estimator.components_
    assert np.allclose(found.rebuilt(pixels), own, atol=1e-3)


def test_pca_rebuilds_as_it_says_itself() -> None:
    run = finished("pca")
    pixels = spoiled(run)
    own = run.estimator.inverse_transform(run.estimator.transform(pixels))
    assert np.allclose(asked(run).rebuilt(pixels), own, atol=1e-4)


@pytest.mark.parametrize("method", ["lda", "smfa"])
def test_a_face_rebuilt_from_directions_has_the_same_features(method: str) -> None:
    found = asked(run := finished(method))
    pixels = spoiled(run)
    again = found.features(found.rebuilt(pixels))
    assert np.allclose(again, found.features(pixels), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("method", ["gaussian_nmf", "poly_nmf", "kernel_pca"])
def test_features_that_are_not_made_of_pixels_rebuild_nothing(method: str) -> None:
    run = finished(method)
    assert asked(run).rebuilt(spoiled(run)) is None


def test_non_negative_coefficients_for_all_rows_at_once() -> None:
    run = finished("nmf")
    found = asked(run).features(spoiled(run), how="nnls")
    assert found.min() >= 0
    assert np.allclose(found, run.estimator.transform(spoiled(run), how="nnls"), atol=1e-5)


def test_without_held_out_rows_it_is_tested_on_the_unlabelled() -> None:
    run = Run(RunRequest("orl", "pca", {"n_components": 5}, dataset_options={"size": 12}))
    while run.advance():
        pass
    assert np.array_equal(asked(run).test_rows, run.prepared.rows.unlabelled)


def test_a_classifier_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="1-NN on ORL faces cannot say who"):
        Recogniser(RunRequest("orl", "nearest_neighbour", dataset_options={"size": 12}), {})


def kept(run: Run, tmp_path: Any) -> Handle:
    """What the service knows of a run."""
    assert run.step is not None
    np.savez(tmp_path / f"{run.step.iteration}.npz", **flat(run.step.state))  # type: ignore[arg-type]
    return Handle("id", run.request, tmp_path, status=run.status or "", snapshots=[(run.step.iteration, {})])


def test_a_recogniser_is_made_once_and_a_bounded_number_is_kept(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognisers, "_recognisers", recognisers.OrderedDict())
    monkeypatch.setattr(recognisers, "KEPT", 2)
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
