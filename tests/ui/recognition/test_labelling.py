"""Labelling by hand on the Recognition page: what is said reaches the run, and is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from experiments.requests.library import load_dataset
from tests.waiting import until
from ui.service import service


def opened(repository: Path, **choices: str) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    wanted = {"data": "iris", "recognition.part": "label", "labelled": "1"} | choices
    for name, value in wanted.items():
        at.query_params[name] = value
    at.run()
    at.switch_page("../pages/recognition.py").run()
    return settled(at)


def settled(at: AppTest) -> AppTest:
    waiting = ("your labels in…", "being worked out…")

    def ready() -> bool:
        return not any(word in caption.value for caption in at.run().caption for word in waiting)

    until(ready, "the labels are never taken in", pause=0.1)
    assert not at.exception
    assert not at.error
    return at


def metric(at: AppTest, label: str) -> str:
    return next(entry.value for entry in at.metric if entry.label == label)


def button(at: AppTest, label: str):
    return next(entry for entry in at.button if entry.label == label)


def choose(at: AppTest, rows: tuple[int, ...]) -> AppTest:
    """Choose rows as a click on a picture does."""
    at.session_state["partwise choices"]["_choosing.rows"] = rows
    return settled(at.run())


def test_labels_are_given_taken_in_and_taken_back(repository: Path) -> None:
    at = opened(repository)
    assert metric(at, "My labels") == "0"
    before = metric(at, "Recognised")
    assert button(at, "Undo").disabled
    assert button(at, "Give this class").disabled

    for rows in ((10, 11), (120,)):
        choose(at, rows)
        button(at, "Give the true class").click()
        settled(at.run())
    assert metric(at, "My labels") == "3"
    run = service().get(at.session_state["partwise choices"]["_label.shown"][0])
    names = load_dataset("iris").target_names
    assert run.request.labels == ((10, names[0]), (11, names[0]), (120, names[2]))
    start = service().get(run.warm_from)
    assert start.request.labels == (), "where it ends depends on the address alone, not on the order"
    assert start.shared

    for _ in range(2):
        button(at, "Undo").click()
        settled(at.run())
    assert metric(at, "My labels") == "0"
    assert metric(at, "Recognised") == before


def test_with_only_my_labels_two_classes_are_asked_for(repository: Path) -> None:
    at = opened(repository, **{"label.alone": "1"})
    assert metric(at, "Recognised") == "–"
    assert at.info, "what is missing is said"
    choose(at, (10, 60, 120))
    button(at, "Give the true class").click()
    settled(at.run())
    assert metric(at, "Recognised") != "–"
    assert float(metric(at, "Recognised").rstrip("%")) > 50


@pytest.mark.parametrize("method", ["hgf", "lap_rlsc", "dpca"])
def test_other_methods_take_labels_too(repository: Path, method: str) -> None:
    at = opened(repository, **{"label.method": method})
    assert metric(at, "Recognised") != "–"
    choose(at, (10,))
    button(at, "Give the true class").click()
    settled(at.run())
    assert metric(at, "My labels") == "1"


def test_what_to_label_next_is_said_with_a_reason(repository: Path) -> None:
    at = opened(repository)
    assert any("Worth labelling next" in text.value for text in at.markdown)
    reasons = [caption.value for caption in at.caption]
    assert any(text.startswith("Taken for ") and "but another" in text for text in reasons)
    assert any("as far from every label" in text for text in reasons)
    suggested = next(entry for entry in at.button if entry.label.startswith("No. "))
    suggested.click()
    settled(at.run())
    assert any("1 sample chosen" in caption.value for caption in at.caption)


def test_the_list_and_a_change_of_data_while_something_is_chosen(repository: Path) -> None:
    at = opened(repository, **{"label.look": "list"})
    choose(at, (10, 149))
    next(box for box in at.selectbox if box.label == "Data").set_value("wine").run()
    settled(at)
    assert metric(at, "My labels") == "0"
    assert any("Nothing is chosen yet" in caption.value for caption in at.caption)
