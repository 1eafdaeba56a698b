"""The menus of methods hold what can work on the data, grouped, and say what they leave out."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import methods
from experiments.requests.library import method_specs
from ui import method_menu, owner
from ui.sidebar import Chosen


@pytest.fixture(autouse=True)
def _visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "token", lambda: "somebody who has labelled nothing by hand")


def choice(dataset: str, **options) -> Chosen:
    return Chosen(dataset, options, {"labelled_per_class": 2}, 0)


def test_every_family_has_words_and_a_place():
    assert {spec.family for spec in methods.specs().values()} == set(method_menu.FAMILIES)


def test_faces_are_offered_all_that_needs_one_view_family_after_family():
    offered = method_menu.offered(choice("orl", size=32))
    assert set(method_specs()) - set(offered) == {"cca", "cotraining", "pcsc", "sulf"}
    families = [spec.family for spec in offered.values()]
    assert families == sorted(families, key=list(method_menu.FAMILIES).index)
    assert families[0] == "nonnegative"


def test_a_page_can_ask_for_less():
    offered = method_menu.offered(choice("iris"), lambda spec: "predict" in spec.gives)
    assert "hgf" in offered
    assert "nmf" not in offered


def test_the_usual_choice_gives_way_to_one_that_works():
    words = method_menu.offered(choice("docstrings"))
    assert method_menu.usual(words, "n2s2l") == "n2s2l"
    assert method_menu.usual(words, "ntf") == "n2s2l"
    assert method_menu.usual({"lda": words["nmf"]}, "nmf") == "lda"


def test_what_is_left_out_is_said_once_a_reason():
    said = method_menu.left_out(choice("iris"))
    assert "NTF" in said
    assert said.count("need samples that are pictures") == 1
    assert method_menu.left_out(choice("iris"), lambda spec: spec.id == "pca") == ""


def test_every_menu_says_what_it_leaves_out_and_why(repository: Path) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    at.query_params["data"] = "iris"
    at.run()
    at.switch_page("../pages/live.py").run()
    menu = next(box for box in at.selectbox if box.label == "Method")
    assert "Not listed: " in menu.help
    assert "SULF" in menu.help
