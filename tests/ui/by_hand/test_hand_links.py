"""Labels and pairs in the address: they come back as they were said, and nothing else does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from ui import owner, state
from ui.by_hand import hand_labels, hand_links, hand_pairs

NAMES = st.text(min_size=1, max_size=12).map(str.strip).filter(bool)


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    hand_labels._turns_by_owner.clear()
    monkeypatch.setattr(owner, "token", lambda: "somebody")


def opened(repository: Path, **choices: str) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for name, value in {"data": "iris", "labelled": "1", **choices}.items():
        at.query_params[name] = value
    at.switch_page("../pages/data.py").run()
    assert not at.exception
    return at


def caption(at: AppTest) -> str:
    return " ".join(entry.value for entry in at.sidebar.caption)


@given(st.dictionaries(st.integers(0, 149), NAMES, max_size=12))
def test_whatever_the_classes_are_called_they_are_read_as_they_were_written(names: dict[int, str]) -> None:
    text = hand_links.labels_as_text("my*data", 150, sorted(names.items()))
    if not names:
        assert text == ""
        return
    dataset, groups = hand_links._read(text, 150)
    assert dataset == "my*data"
    assert {int(row): name for name, rows in groups.items() for row in rows} == names
    assert re.fullmatch(r"[\w.*%-]+", text, re.ASCII), "names cannot be mistaken for what stands between them"


def test_a_link_brings_labels_and_pairs(repository: Path) -> None:
    at = opened(repository, labels="iris*150*5.60*setosa*7*my_own", pairs="iris*150*3-17*must*4-90*cannot")
    assert hand_labels.given("iris", 150) == ((5, "setosa"), (7, "my own"), (60, "setosa"))
    at.switch_page("../pages/recognition.py").run()
    assert "6 of them labelled, 3 by hand" in caption(at)
    assert at.session_state["partwise choices"]["labels"] == "iris*150*5.60*setosa*7*my_own"
    assert at.session_state["partwise choices"]["pairs"] == "iris*150*3-17*must*4-90*cannot"
    hand_labels.undo("iris", 150)
    at.run()
    assert "3 of them labelled." in caption(at), "a link's labels are taken back like any others"
    assert at.session_state["partwise choices"]["labels"] == ""


def test_a_page_loaded_again_does_not_take_back_what_was_said_since(repository: Path) -> None:
    hand_labels.assign("iris", [5], "setosa", of=150)
    hand_labels.assign("iris", [60], "virginica", of=150)
    opened(repository, labels="iris*150*5*setosa")
    assert hand_labels.given("iris", 150) == ((5, "setosa"), (60, "virginica"))


def test_what_the_link_says_is_one_turn_that_can_be_undone(repository: Path) -> None:
    hand_labels.assign("iris", [60], "virginica", of=150)
    opened(repository, labels="iris*150*5*setosa")
    assert hand_labels.given("iris", 150) == ((5, "setosa"),)
    hand_labels.undo("iris", 150)
    assert hand_labels.given("iris", 150) == ((60, "virginica"),)


@pytest.mark.parametrize(
    "said",
    [
        {"labels": "iris*150*150*setosa"},
        {"labels": "iris*150*-1*setosa"},
        {"labels": "iris*150*1e3*setosa"},
        {"labels": "iris*150*5"},
        {"labels": "iris*150"},
        {"labels": "iris*400*5*setosa"},
        {"labels": "iris*150*5*setosa*5*virginica"},
        {"labels": "iris*150*5*" + "x" * 101},
        {"labels": "iris*" + "9" * 1900 + "*5*setosa"},
        {"labels": "*" * 1999},
        {"labels": "<script>alert(1)</script>"},
        {"pairs": "iris*150*3-3*must"},
        {"pairs": "iris*150*3-4*must*3-4*cannot"},
        {"pairs": "iris*150*3-4*maybe"},
        {"pairs": "iris*150*3*must"},
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(repository: Path, said: dict[str, str]) -> None:
    at = opened(repository, **said)
    assert any("given by hand” “" in text.value and "cannot be" in text.value for text in at.markdown)
    assert hand_labels.given("iris", 150) == ()
    assert "3 of them labelled." in caption(at)


def test_labels_of_other_data_are_not_taken_for_these(repository: Path) -> None:
    opened(repository, labels="wine*178*5*class_0")
    assert hand_labels.given("iris") == ()
    assert hand_labels.given("wine") == ()


def test_more_than_an_address_holds_is_left_out_and_said(repository: Path) -> None:
    at = opened(repository, data="digits")
    for row in range(800):
        hand_labels.assign("digits", [row], str(row % 10))
    at.run()
    assert at.session_state["partwise choices"]["labels"] == ""
    assert "more by hand than an address can hold" in caption(at)
    assert state.MOST_LENGTH == 2000


def test_pairs_are_replaced_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, object] = {}
    monkeypatch.setattr(state, "get", lambda name: kept.get(name))
    monkeypatch.setattr(state, "put", lambda name, value: kept.update({name: value}))
    hand_pairs.say("iris", 150, (1, 2, "must"))
    hand_pairs.replace("iris", 150, ((3, 4, "cannot"),))
    assert hand_pairs.given("iris", 150) == ((3, 4, "cannot"),)
    hand_pairs.replace("iris", 150, ((1, 2, "must"),))
    assert hand_pairs.given("iris", 150) == ((3, 4, "cannot"),), "it was said some turns ago"
    hand_pairs.undo("iris", 150)
    assert hand_pairs.given("iris", 150) == ((1, 2, "must"),)


def test_labels_given_before_do_not_enter_a_link_without_them(repository: Path) -> None:
    hand_labels.assign("iris", [3, 4], "setosa", 150)
    at = opened(repository, seed="4")
    assert "by hand." not in caption(at)
    assert "without the 2 names you have given by hand" in caption(at)
    next(entry for entry in at.sidebar.button if entry.label == "Use them here").click().run()
    assert "2 by hand." in caption(at)
    next(entry for entry in at.sidebar.button if entry.label == "Forget all given by hand").click().run()
    assert "by hand" not in caption(at)
    assert hand_labels.given("iris", 150) == ()
    assert hand_labels.can_undo("iris", 150), "and even that can be undone"


def test_labels_given_before_hold_where_no_link_was_opened(repository: Path) -> None:
    hand_labels.assign("orl", [3, 4], "s1", 400)
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    at.switch_page("../pages/data.py").run()
    assert "by hand." in caption(at)
    assert "labels" in state_of(at)


def state_of(at: AppTest) -> dict[str, object]:
    return {name: value for name, value in at.session_state[state._CHOICES].items() if value}
