"""Surveys of spoiled faces: the right numbers, in the background, only while looked at."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments import RunRequest, occlude, run
from experiments.comparisons.robustness import Surveys
from experiments.comparisons.surveys import DRAWS, SPLITS, Curve, amounts
from experiments.engine.handle import Handle
from experiments.engine.record import flat
from experiments.engine.run import Run
from experiments.fitted.recognisers import Recogniser, recogniser
from experiments.requests.corruption import settings, spoil
from tests.waiting import until

REQUEST = RunRequest(
    "orl", "pca", {"n_components": 8}, dataset_options={"size": 16},
    split={"labelled_per_class": 2, "held_out_per_class": 2},
)  # fmt: skip


class Fits:
    """Runs carried out at once, unless they are held back."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.handles = folder, dict[str, Handle]()
        self.held_back: Callable[[RunRequest], bool] = lambda request: False
        self._lock = threading.Lock()

    def __call__(self, request: RunRequest) -> Handle:
        with self._lock:
            if request.key not in self.handles:
                self.handles[request.key] = self._carried_out(request)
            handle = self.handles[request.key]
            if self.held_back(request):
                return Handle(handle.id, request, handle.folder)
            return handle

    def known(self, request: RunRequest) -> Handle | None:
        return None if self.held_back(request) else self.handles.get(request.key)

    def _carried_out(self, request: RunRequest) -> Handle:
        under_way = Run(request)
        while under_way.advance():
            pass
        assert under_way.step is not None
        folder = self.folder / request.key
        folder.mkdir()
        last = under_way.step.iteration
        np.savez(folder / f"{last}.npz", **flat(under_way.step.state))  # type: ignore[arg-type]
        return Handle(
            request.key, request, folder, status=under_way.status or "", snapshots=[(last, {})],
            scores=under_way.scores,
        )  # fmt: skip


@pytest.fixture(scope="module")
def fits(tmp_path_factory: pytest.TempPathFactory) -> Fits:
    return Fits(tmp_path_factory.mktemp("fits"))


@pytest.fixture
def surveys(fits: Fits) -> Iterator[Surveys]:
    made = Surveys(fits, fits.known)
    yield made
    made.close()


def who(fits: Fits, seed: int = 0) -> Recogniser:
    return recogniser(fits(replace(REQUEST, seed=seed)))


def right(asked: Recogniser, faces: Any, rows: Any) -> float:
    return float(np.mean(asked.recognise(faces).code == asked.data.y[rows]))


@pytest.mark.parametrize("kind", ["strawberry", "gaussian"])
def test_each_point_is_the_share_recognised_of_faces_spoiled_that_much(
    surveys: Surveys, fits: Fits, kind: Any
) -> None:
    curve = surveys.curve(REQUEST, kind)
    until(lambda: surveys.curve(REQUEST, kind).complete)
    assert curve.amounts == amounts(kind, (16, 16))
    for column in (0, 3, 7):
        expected = np.empty((SPLITS, DRAWS))
        for split in range(SPLITS):
            asked = who(fits, split)
            faces = asked.data.X[asked.test_rows]
            for draw in range(DRAWS):
                spoiled = spoil(faces, (16, 16), seed=1000 + draw, **settings(kind, curve.amounts[column]))
                expected[split, draw] = right(asked, spoiled, asked.test_rows)
        assert curve.shares[:, :, column].tolist() == expected.tolist()
        amount, mean, spread, count = curve.points()[column]
        assert (amount, count) == (curve.amounts[column], SPLITS * DRAWS)
        assert mean == pytest.approx(expected.mean())
        assert spread == pytest.approx(expected.std())
    assert np.ptp(curve.shares[:, :, 0], axis=1).max() == 0, "where nothing is spoiled there is no luck"
    assert curve.points()[-1][1] < curve.points()[0][1]


def test_each_place_is_the_share_recognised_behind_a_patch_there(surveys: Surveys, fits: Fits) -> None:
    found = surveys.positions(REQUEST, "black", 6)
    until(lambda: surveys.positions(REQUEST, "black", 6).complete)
    assert found.tops == found.lefts == [0, 1, 2, 4, 5, 6, 8, 9, 10]
    for row, column in ((0, 0), (4, 4), (8, 2)):
        expected = []
        for split in range(SPLITS):
            asked = who(fits, split)
            place = (found.tops[row], found.lefts[column])
            covered = occlude(asked.data.X[asked.test_rows], (16, 16), 6, "black", 0, position=place)
            expected.append(right(asked, covered, asked.test_rows))
        assert found.shares[:, 0, row * 9 + column].tolist() == expected
    assert np.ptp([mean for mean, _, _ in found.means()]) > 0.05, "eyes matter more than corners"


def test_methods_fitted_on_covered_faces_are_fitted_anew_for_each_size(surveys: Surveys, fits: Fits) -> None:
    split = {"labelled_per_class": 2, "held_out_per_class": 0}
    params = {"max_iter": 15, "n_components": 41}
    request = replace(REQUEST, method="n2s2l", params=params, split=split, corruption=settings("grey", 5))
    until(lambda: surveys.curve(request, "grey", "cosine").complete)
    curve = surveys.curve(request, "grey", "cosine")
    assert curve.amounts == (0, 4, 5, 6, 7)
    assert curve.shares.shape == (SPLITS, 1, 5)
    for seed, column in ((0, 0), (3, 2)):
        corruption = settings("grey", curve.amounts[column])
        record = run(replace(request, seed=seed, corruption=corruption))
        assert curve.shares[seed, 0, column] == record.scores["accuracy_cosine"]


def test_methods_that_only_learn_from_clean_faces_are_asked_about_the_same_covered_ones(
    surveys: Surveys, fits: Fits
) -> None:
    split = {"labelled_per_class": 2, "held_out_per_class": 8}
    request = replace(REQUEST, split=split, corruption=settings("grey", 5))
    until(lambda: surveys.curve(request, "grey").complete)
    shares = surveys.curve(request, "grey").shares
    asked = recogniser(fits(replace(REQUEST, split=split, seed=2)))
    covered = occlude(asked.data.X, (16, 16), 6, "grey", seed=2)[asked.test_rows]
    assert shares[2, 0, 3] == right(asked, covered, asked.test_rows)


def test_labels_given_by_hand_hold_for_one_split(surveys: Surveys) -> None:
    assert (
        Curve(replace(REQUEST, labels=((3, "me"),)), (16, 16), "grey", "euclidean", "pinv").shares.shape[0]
        == 1
    )


def test_the_same_survey_is_found_again_and_others_are_their_own(surveys: Surveys) -> None:
    first = surveys.curve(REQUEST, "grey")
    assert surveys.curve(REQUEST, "grey") is first
    others = [
        surveys.curve(REQUEST, "black"), surveys.curve(REQUEST, "grey", "cosine"),
        surveys.curve(REQUEST, "grey", "euclidean", "nnls"), surveys.positions(REQUEST, "grey", 4),
        surveys.positions(REQUEST, "grey", 5),
    ]  # fmt: skip
    assert len({id(survey) for survey in [first, *others]}) == 6


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer takes long enough to watch the curve grow."""
    whole = Recogniser.recognise

    def recognise(self: Recogniser, *asked: Any) -> Any:
        time.sleep(0.01)
        return whole(self, *asked)

    monkeypatch.setattr(Recogniser, "recognise", recognise)


@pytest.mark.usefixtures("slow")
def test_it_fills_in_live_and_stands_still_when_nobody_looks(fits: Fits) -> None:
    surveys = Surveys(fits, fits.known, forgotten_after=0.15)
    curve = surveys.curve(REQUEST, "white")
    until(lambda: len(surveys.curve(REQUEST, "white").points()) > 1)
    assert not curve.complete
    time.sleep(0.5)
    stands = curve.missing
    assert stands
    time.sleep(0.2)
    assert curve.missing == stands
    until(lambda: surveys.curve(REQUEST, "white").missing < stands)
    surveys.close()


def test_other_splits_wait_for_their_fits_one_at_a_time(fits: Fits, surveys: Surveys) -> None:
    fits.held_back = lambda request: request.seed > 0
    curve, other = (
        surveys.curve(REQUEST, "can"),
        surveys.curve(replace(REQUEST, params={"n_components": 9}), "can"),
    )
    until(lambda: curve.missing == other.missing == 13 * DRAWS * (SPLITS - 1))
    time.sleep(0.2)
    asked = surveys._under_way
    assert asked is not None
    assert asked.handle.request.seed == 1
    fits.held_back = lambda request: False
    asked.handle.status = "done"
    until(lambda: surveys.curve(REQUEST, "can").missing == 0)
    assert asked.survey.spent > 0.2, "what its fit took counts, so that the others come first now"


def test_who_needs_no_fit_does_not_wait_for_one(fits: Fits, surveys: Surveys) -> None:
    until(lambda: surveys.curve(REQUEST, "black").complete)
    waits = replace(REQUEST, params={"n_components": 7})
    fits.held_back = lambda request: request.params == waits.params
    until(lambda: bool(surveys.curve(waits, "white")) and surveys._under_way is not None)
    until(lambda: bool(surveys.curve(waits, "white")) and surveys.curve(REQUEST, "white").complete)
    fits.held_back = lambda request: False
    assert not surveys.curve(waits, "white").complete


def test_a_fit_nobody_looks_at_any_more_keeps_nobody_waiting(fits: Fits) -> None:
    left = replace(REQUEST, params={"n_components": 6})
    fits.held_back = lambda request: request.params == left.params
    surveys = Surveys(fits, fits.known, forgotten_after=0.5)
    surveys.curve(left, "grey")
    until(lambda: surveys._under_way is not None)
    until(lambda: surveys.curve(replace(REQUEST, params={"n_components": 5}), "texture").complete)
    fits.held_back = lambda request: False
    surveys.close()


def test_a_bounded_number_is_kept(fits: Fits) -> None:
    surveys = Surveys(fits, fits.known, most=2)
    first = surveys.curve(REQUEST, "grey")
    surveys.curve(REQUEST, "black")
    surveys.curve(REQUEST, "white")
    assert surveys.curve(REQUEST, "grey") is not first
    surveys.close()


@pytest.mark.usefixtures("slow")
def test_closing_ends_the_work(fits: Fits) -> None:
    surveys = Surveys(fits, fits.known)
    curve = surveys.curve(REQUEST, "grey")
    surveys.close()
    assert not curve.complete


def test_one_that_cannot_go_on_says_so_and_leaves_the_others_alone(
    surveys: Surveys, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = Recogniser.recognise

    def recognise(self: Recogniser, X: Any, metric: Any, how: Any) -> Any:
        if metric == "cosine":
            raise FloatingPointError("too dark")
        return whole(self, X, "euclidean", how)

    monkeypatch.setattr(Recogniser, "recognise", recognise)
    broken = surveys.curve(REQUEST, "texture", "cosine")
    until(lambda: broken.complete and surveys.curve(REQUEST, "texture").complete)
    assert "too dark" in broken.message
    assert not surveys.curve(REQUEST, "texture").message
    assert "No survey of pca" in caplog.text


def test_data_without_images_are_refused(surveys: Surveys) -> None:
    with pytest.raises(ValueError, match="does not hold images"):
        surveys.curve(RunRequest("iris", "pca"), "grey")
