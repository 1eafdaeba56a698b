"""The sidebar: options that do not go together are a sentence, and the pages live on."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from datasets import Dataset, card, catalogue, iris
from ui import fetching, sidebar


def test_options_that_do_not_go_together_fall_back(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = iris.load

    def particular(*, scale: bool) -> Any:
        if not scale:
            raise ValueError("no word is left")
        return load(scale=scale)

    monkeypatch.setattr(iris, "load", particular)
    monkeypatch.setattr(catalogue, "_cache", catalogue._Cache(catalogue.CACHED_DATASETS))
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data"] = "iris"
    at.query_params["data.iris.scale"] = "0"
    at.run()
    at.switch_page("../pages/data.py").run()
    assert not at.exception
    assert "no word is left" in at.sidebar.error[0].value
    at.sidebar.toggle[0].set_value(True).run()
    assert not at.sidebar.error


def test_samples_of_unknown_class_are_no_class(repository: Path) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=200)
    at.query_params["data"] = "docstrings"
    at.query_params["data.docstrings.classes"] = "sub-package"
    at.run()
    at.switch_page("../pages/data.py").run()
    assert not at.exception
    assert not at.error


@pytest.mark.parametrize("data", ["docstrings", "iris", "planted_parts", "planted_views"])
@pytest.mark.parametrize("page", ["data", "live", "bases"])
def test_every_kind_of_data_can_be_looked_at(repository: Path, data: str, page: str) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=200)
    at.query_params["data"] = data
    at.run()
    at.switch_page(f"../pages/{page}.py").run()
    assert not at.exception
    assert not at.error


def opened(repository: Path, page: str = "data", **address: str) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=200)
    for name, value in address.items():
        at.query_params[name] = value
    at.switch_page(f"../pages/{page}.py").run()
    assert not at.exception
    return at


def button(at: AppTest, label: str) -> Any:
    return next((entry for entry in at.button if entry.label == label), None)


def test_back_to_defaults_is_offered_once_something_has_changed(repository: Path) -> None:
    at = opened(repository)
    assert button(at, "Back to defaults") is None
    size = next(slider for slider in at.slider if slider.label == "Pixels a side")
    size.set_value(32).run()
    next(slider for slider in at.slider if slider.label == "Labelled pictures of each person").set_value(
        5
    ).run()
    at.number_input[0].set_value(7).run()
    button(at, "Back to defaults").click().run()
    assert next(slider for slider in at.slider if slider.label == "Pixels a side").value == 64
    assert next(slider for slider in at.slider if slider.label.startswith("Labelled")).value == 2
    assert at.number_input[0].value == 0
    assert button(at, "Back to defaults") is None


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("data", "nosuch", "data “nosuch”, which Partwise does not have"),
        ("data", "upload-" + "0" * 32, "This link names uploaded data."),
        ("data", "<b>*x*</b>", "data “b  x   b”"),
        ("seed", "-3", "“Seed” “-3”, which cannot be"),
        ("data.orl.size", "many", "“Pixels a side” “many”"),
        ("labelled", "999", "“Labelled pictures of each person” “999”"),
    ],
)
def test_what_a_link_cannot_have_is_said_until_it_is_closed(
    repository: Path, name: str, value: str, said: str
) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=200)
    at.query_params[name] = value
    at.switch_page("../pages/live.py").run()
    assert any(said in text.value for text in at.markdown)
    assert not at.exception
    assert not at.error
    at.run()
    assert any(said in text.value for text in at.markdown), "it stays where it was"
    button(at, "Close").click().run()
    assert not any("This link" in text.value for text in at.markdown)


def test_a_good_link_is_followed_without_a_word(repository: Path) -> None:
    at = opened(repository, data="iris", seed="3")
    assert not any("This link" in text.value for text in at.markdown)
    assert any("150 samples of 3 species; 6 of them labelled" in text.value for text in at.caption)


@pytest.mark.parametrize(
    ("data", "said"), [("orl", "pictures"), ("docstrings", "documents"), ("wine", "samples")]
)
def test_hints_call_things_by_their_names(repository: Path, data: str, said: str) -> None:
    at = opened(repository, data=data)
    assert any(f"{said} of" in text.value for text in at.sidebar.caption)
    assert any(control.label == f"Labelled {said}" for control in at.get("button_group"))
    labels = [entry.label for entry in [*at.sidebar.slider, *at.sidebar.toggle, *at.sidebar.selectbox]]
    assert not any("_" in label or "df" in label.lower() for label in labels)


def test_data_good_to_begin_with_come_first_and_those_to_fetch_last(repository: Path) -> None:
    at = opened(repository)
    menu = next(box for box in at.sidebar.selectbox if box.label == "Data")
    first = [option for option in menu.options if option.endswith("· good first")]
    assert len(first) == 4
    assert list(menu.options[:4]) == first
    assert menu.options[0].startswith("ORL faces")
    groups = [option.rpartition(" · ")[2] for option in menu.options]
    order = ["good first", "pictures", "documents", "tables"]
    assert [group for group, _ in groupby(groups)] == [group for group in order if group in groups]


def test_data_to_fetch_lie_apart_a_click_each_and_are_chosen_by_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sidebar, "is_here", lambda id: id not in ("digits", "wine"))
    monkeypatch.setattr(fetching, "is_here", lambda id: id not in ("digits", "wine"))
    begun: list[str] = []
    monkeypatch.setattr(fetching, "start", begun.append)
    at = opened(repository)
    menu = next(box for box in at.sidebar.selectbox if box.label == "Data")
    assert not any("Handwritten digits" in option or "wines" in option for option in menu.options)
    next(one for one in at.sidebar.button if one.label.startswith("Italian wines")).click().run()
    assert begun == ["wine"]
    menu = next(box for box in at.sidebar.selectbox if box.label == "Data")
    assert menu.value == "wine"
    assert menu.options[-1] == "Italian wines · to fetch"
    assert any("is not on this machine yet" in text.value for text in at.main.markdown)


def test_the_slider_of_labels_goes_as_far_as_the_smallest_class_allows(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Published splits of Extended Yale B label 50 of 59.
    y = np.repeat(np.arange(3), (64, 59, 60))
    faces = Dataset("iris", "Faces", {"pixels": np.eye(y.size, 4)}, y=y, card=iris.CARD)
    monkeypatch.setattr(iris, "load", lambda *, scale: faces)
    monkeypatch.setattr(catalogue, "_cache", catalogue._Cache(catalogue.CACHED_DATASETS))
    at = opened(repository, data="iris", labelled="50")
    slider = next(one for one in at.sidebar.slider if one.label.startswith("Labelled samples of each"))
    assert (slider.value, slider.max) == (50, 58)
    assert any("183 samples of 3 species; 150 of them labelled" in text.value for text in at.caption)


def test_why_reading_takes_long_is_said_where_it_does() -> None:
    said = {name: sidebar._reading(card(name)) for name in ("orl", "docstrings")}
    assert said["orl"] == "Reading ORL faces …"
    assert said["docstrings"].endswith("The first time, its texts are gathered from many files.")
