"""What is kept of a fit to be looked at: small, under its key, gone with its upload."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import datasets
from experiments.requests.request import RunRequest
from experiments.store.keepsake_files import KeepsakeFiles
from experiments.trials import MeasureRequest, Trial, evaluate, keepsake
from experiments.trials.carry import carry
from experiments.trials.keepsake import MOST_POINTS, Keepsake, from_text
from experiments.trials.recurring import ordered
from experiments.trials.result_cache import ResultCache
from experiments.trials.trial import Chain
from methods import create
from tests.experiments.trials.carriers import Here


def trial() -> Trial:
    params = {"n_components": 6, "max_iter": 30, "tol": 0.0}
    return Trial(RunRequest("swimmer", "nmf", params), (MeasureRequest("error"),), pictured=True)


def keepsake_of(one: Trial) -> Keepsake:
    stored = Keepsake.unpacked(from_text(evaluate(one).keepsake))
    assert stored is not None
    return stored


def test_its_parts_are_those_of_the_fit_as_bytes() -> None:
    stored = keepsake_of(trial())
    ds = datasets.load("swimmer")
    fit = create("nmf", n_components=6, max_iter=30, tol=0.0, random_state=0).fit(ds.X)
    largest = fit.components_.max(axis=1, keepdims=True)
    np.testing.assert_allclose(stored.parts / 127, fit.components_ / largest, atol=0.005)
    assert stored.shape == ds.image_shape
    assert (stored.count, len(stored.curve), stored.curve[-1, 0]) == (6, 31, 30)
    np.testing.assert_allclose(stored.curve[:, 1], fit.objective_curve_, rtol=1e-5)


def test_large_pictures_are_made_smaller_and_long_curves_thinner() -> None:
    params = {"n_components": 4, "max_iter": 300, "tol": 0.0}
    stored = keepsake_of(Trial(RunRequest("orl", "nmf", params), (MeasureRequest("error"),), pictured=True))
    assert stored.shape == (32, 32)
    assert len(stored.curve) == MOST_POINTS
    assert len(stored.packed()) < 12_000


def test_of_documents_the_heaviest_words_are_kept() -> None:
    parts = np.random.default_rng(0).random((6, 300))
    small, features, shape = keepsake._small(parts, None, sparse=True)
    assert (small.shape, features.shape, shape) == ((6, 10), (6, 10), ())
    np.testing.assert_array_equal(features[:, 0], parts.argmax(axis=1))
    assert (np.diff(small.astype(int), axis=1) <= 0).all()


def test_parts_that_come_back_and_pairs_of_samples_are_kept_where_a_measure_began_anew() -> None:
    wanted = tuple(MeasureRequest(name, {"runs": 3}) for name in ("part_stability", "consensus"))
    one = Trial(RunRequest("iris", "nmf", {"n_components": 3, "max_iter": 20}), wanted, pictured=True)
    result = evaluate(one)
    stored = Keepsake.unpacked(from_text(result.keepsake))
    assert stored is not None
    assert stored.recurring is not None
    assert (stored.recurring.starts, stored.recurring.parts.shape) == (3, (3,))
    assert set(np.round(2 * stored.recurring.parts)) <= {0, 1, 2}
    assert stored.recurring.clearness[0] == pytest.approx(result.scores[wanted[1].name], rel=1e-6)
    assert stored.recurring.pairs.shape == (150, 150)
    assert stored.recurring.pairs.diagonal().min() == 255


def test_samples_that_belong_together_stand_together() -> None:
    group = np.array([0, 1, 0, 1, 0, 1])
    blocks = ordered((group[:, None] == group[None, :]).astype(float))
    np.testing.assert_array_equal(blocks, 255 * np.kron(np.eye(2), np.ones((3, 3))))


def test_it_is_no_part_of_the_result_and_changes_no_key() -> None:
    one = trial()
    plain = Trial(one.request, one.wanted)
    assert one.key == plain.key
    assert Trial.from_json(one.to_json()).pictured
    assert evaluate(plain).keepsake == ""
    assert evaluate(plain).scores == evaluate(one).scores


@pytest.mark.parametrize("filed", [True, False])
def test_it_goes_to_the_files_under_its_key(tmp_path: Path, filed: bool) -> None:
    one = trial()
    cache = ResultCache(files=KeepsakeFiles(tmp_path) if filed else None)
    found = dict(carry([one], Here(), cache))
    assert found[one.key].keepsake == ""
    stored = cache.keepsake(one.key, "swimmer")
    assert stored is not None
    assert stored.count == 6
    assert cache.keepsake("0" * 32, "swimmer") is None
    cache.save(Chain((one,)), [evaluate(one)])
    assert cache.lookup([one.key])[one.key].keepsake == ""


def test_files_are_bounded_and_what_was_looked_at_last_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("experiments.store.keepsake_files._LOOK_AFTER", 100)
    files = KeepsakeFiles(tmp_path, most=1000)
    for number in range(9):
        files.write(f"k{number}", "", bytes(100))
        os.utime(tmp_path / "catalogue" / f"k{number}.npz", (number, number))
    assert files.read("k0", "") == bytes(100)
    for number in range(9, 12):
        files.write(f"k{number}", "", bytes(100))
    assert files.read("k0", "") is not None
    assert files.read("k1", "") is None
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*.npz")) <= 1000


def test_what_came_of_an_upload_goes_with_it_and_keys_lead_nowhere_else(tmp_path: Path) -> None:
    files = KeepsakeFiles(tmp_path)
    files.write("a", "upload-1", b"x")
    files.write("a", "", b"y")
    files.forget("upload-1")
    assert (files.read("a", "upload-1"), files.read("a", "")) == (None, b"y")
    with pytest.raises(ValueError, match="no key"):
        files.read("../../a", "")


def test_a_damaged_file_is_as_good_as_none() -> None:
    assert Keepsake.unpacked(b"PK nonsense") is None
