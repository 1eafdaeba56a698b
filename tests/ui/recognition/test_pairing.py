"""Pairs on the Recognition page: two samples, must or cannot, and the way back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy.sparse import csr_array
from streamlit.testing.v1 import AppTest

from datasets import catalogue, iris
from experiments.requests import suitability


def opened(repository: Path, **choices: str) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for name, value in ({"data": "iris", "recognition.part": "pairs"} | choices).items():
        at.query_params[name] = value
    at.run()
    return settled(at.switch_page("../pages/recognition.py").run())


def settled(at: AppTest) -> AppTest:
    while any("taking it in" in caption.value for caption in at.caption):
        at.run()
    assert not at.exception
    assert not at.error
    return at


def metric(at: AppTest, label: str) -> str:
    return next(entry.value for entry in at.metric if entry.label == label)


def choose(at: AppTest, *rows: int) -> AppTest:
    """Choose points as the map tells of them."""
    said = len(at.session_state["partwise choices"].get("_pairs by hand", {}).get(("iris", 150), ()))
    at.session_state["pairs map iris"] = {"picked": {"choice": f"{said} pairs", "rows": list(rows)}}
    return settled(at.run())


def press(at: AppTest, label: str) -> AppTest:
    next(entry for entry in at.button if entry.label == label).click()
    return settled(at.run())


def test_two_are_said_to_go_together_and_the_way_back(repository: Path) -> None:
    at = opened(repository)
    before = metric(at, "Nearest is of the same species")
    assert all(entry.disabled for entry in at.button if "go together" in entry.label)
    choose(at, 0)
    assert all(entry.disabled for entry in at.button if "go together" in entry.label)
    choose(at, 0, 118)
    press(at, "Must go together")
    assert metric(at, "My pairs") == "1"
    assert metric(at, "Nearest is of the same species") != "–"
    press(at, "Undo")
    assert metric(at, "My pairs") == "0"
    assert metric(at, "Nearest is of the same species") == before


def test_pairs_beside_labels(repository: Path) -> None:
    at = opened(repository, **{"pairs.alone": "0"})
    choose(at, 10, 60)
    press(at, "Cannot go together")
    assert metric(at, "My pairs") == "1"


def test_data_that_no_method_of_pairs_takes(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = iris.load

    def sparse(**options):
        ds = load(**options)
        return replace(ds, views={"words": csr_array(ds.X)}, view_features={}, feature_names=None)

    monkeypatch.setattr(iris, "load", sparse)
    monkeypatch.setattr(suitability, "_takes_sparse", lambda method: method != "dpca")
    monkeypatch.setattr(catalogue, "_cache", catalogue._Cache(catalogue.CACHED_DATASETS))
    at = opened(repository)
    assert any("No method that takes pairs" in info.value and "DPCA" in info.value for info in at.info)
