"""Curves of accuracy against patch size: the right numbers, in the background, only while looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from experiments import RunRequest, occlude
from experiments.recognisers import Recogniser
from experiments.robustness import PLACEMENTS, Curves, patch_sizes
from experiments.run import Run


@pytest.fixture(scope="module")
def who() -> Recogniser:
    request = RunRequest(
        "orl", "pca", {"n_components": 8}, dataset_options={"size": 16},
        split={"labelled_per_class": 2, "held_out_per_class": 2},
    )  # fmt: skip
    run = Run(request)
    while run.advance():
        pass
    assert run.step is not None
    return Recogniser(request, dict(run.step.state))


@pytest.fixture
def curves() -> Iterator[Curves]:
    made = Curves()
    yield made
    made.close()


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.01)


def test_each_point_is_the_share_recognised_behind_patches_of_that_size(
    curves: Curves, who: Recogniser
) -> None:
    curve = curves.curve(who, "strawberry")
    wait_for(lambda: curves.curve(who, "strawberry").complete)
    assert curve.sizes == patch_sizes((16, 16))
    truth = who.data.y[who.test_rows]
    for column in (0, 3, 7):
        expected = [
            np.mean(
                who.recognise(
                    occlude(who.data.X[who.test_rows], (16, 16), curve.sizes[column], "strawberry", 1000 + p)
                ).code
                == truth
            )
            for p in range(PLACEMENTS)
        ]
        assert curve.shares[:, column].tolist() == expected
        size, mean, spread, count = curve.mean_and_spread()[column]
        assert (size, count) == (curve.sizes[column], PLACEMENTS)
        assert mean == pytest.approx(np.mean(expected))
        assert spread == pytest.approx(np.std(expected))
    assert curve.mean_and_spread()[0][2] == 0, "without a patch there is nothing to place"
    assert curve.mean_and_spread()[-1][1] < curve.mean_and_spread()[0][1]
    wait_for(lambda: curve.recogniser is None)


def test_the_same_curve_is_found_again_and_others_are_their_own(curves: Curves, who: Recogniser) -> None:
    first = curves.curve(who, "grey")
    assert curves.curve(who, "grey") is first
    assert curves.curve(who, "black") is not first
    assert curves.curve(who, "grey", "cosine") is not first


def slow(who: Recogniser, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same, but each answer takes long enough to watch the curve grow."""
    whole = who.recognise

    def recognise(X: Any, metric: Any) -> Any:
        time.sleep(0.01)
        return whole(X, metric)

    monkeypatch.setattr(who, "recognise", recognise)
    return who


def test_it_fills_in_live_and_stands_still_when_nobody_looks(
    who: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    curves = Curves(forgotten_after=0.15)
    curve = curves.curve(slow(who, monkeypatch), "grey")
    wait_for(lambda: len(curve.mean_and_spread()) > 1)
    assert not curve.complete
    wait_for(lambda: curve.recogniser is None)
    stands = int(np.isnan(curve.shares).sum())
    assert stands
    time.sleep(0.1)
    assert int(np.isnan(curve.shares).sum()) == stands
    curves.curve(who, "grey")
    wait_for(lambda: int(np.isnan(curve.shares).sum()) < stands)
    curves.close()


def test_a_bounded_number_is_kept(who: Recogniser) -> None:
    curves = Curves(most=2)
    first = curves.curve(who, "grey")
    curves.curve(who, "black")
    curves.curve(who, "white")
    assert curves.curve(who, "grey") is not first
    curves.close()


def test_closing_ends_the_work(who: Recogniser, monkeypatch: pytest.MonkeyPatch) -> None:
    curves = Curves()
    curve = curves.curve(slow(who, monkeypatch), "grey")
    curves.close()
    assert not curve.complete


def test_one_that_cannot_go_on_says_so_and_leaves_the_others_alone(
    curves: Curves, who: Recogniser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = who.recognise

    def recognise(X: Any, metric: str) -> Any:
        if metric == "cosine":
            raise FloatingPointError("too dark")
        return whole(X, "euclidean")

    monkeypatch.setattr(who, "recognise", recognise)
    broken, fine = curves.curve(who, "grey", "cosine"), curves.curve(who, "grey")
    wait_for(lambda: broken.complete and curves.curve(who, "grey").complete)
    assert "too dark" in broken.message
    assert not fine.message
    assert "No curve for pca" in caplog.text


def test_data_without_images_are_refused(curves: Curves) -> None:
    words: Any = SimpleNamespace(data=SimpleNamespace(image_shape=None, title="Words"))
    with pytest.raises(ValueError, match="Words does not hold images"):
        curves.curve(words, "grey")
