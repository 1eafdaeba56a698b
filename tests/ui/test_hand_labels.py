"""Labels given by hand: the last word counts, each turn can be taken back, sets do not mix."""

from __future__ import annotations

import pytest
import streamlit as st

from ui import hand_labels, state


@pytest.fixture(autouse=True)
def _session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {state._CHOICES: {}, state._DEFAULTS: {}})


def test_the_last_word_counts_and_rows_are_sorted() -> None:
    hand_labels.assign("iris", [7, 3], "a")
    hand_labels.assign("iris", [3, 1], " b ")
    assert hand_labels.given("iris") == ((1, "b"), (3, "b"), (7, "a"))


def test_undo_takes_back_what_was_said_at_once() -> None:
    hand_labels.assign("iris", [7, 3], "a")
    hand_labels.assign("iris", [3, 1], "b")
    hand_labels.undo("iris")
    assert hand_labels.given("iris") == ((3, "a"), (7, "a"))
    assert hand_labels.can_undo("iris")
    hand_labels.undo("iris")
    assert hand_labels.given("iris") == ()
    assert not hand_labels.can_undo("iris")
    hand_labels.undo("iris")
    assert hand_labels.given("iris") == ()


def test_clearing_can_be_undone() -> None:
    hand_labels.assign("iris", [7], "a")
    hand_labels.clear("iris")
    assert hand_labels.given("iris") == ()
    hand_labels.undo("iris")
    assert hand_labels.given("iris") == ((7, "a"),)


def test_data_sets_do_not_mix() -> None:
    hand_labels.assign("iris", [7], "a")
    hand_labels.assign("wine", [7], "b")
    hand_labels.undo("wine")
    assert hand_labels.given("iris") == ((7, "a"),)
    assert hand_labels.given("wine") == ()


@pytest.mark.parametrize(
    ("rows", "name", "why"),
    [
        ([], "a", "Choose at least one sample"),
        ([1], " ", "1 to 100 characters"),
        ([1], "x" * 101, "1 to 100 characters"),
        ([-1], "a", "row by its number"),
        (range(hand_labels.MOST + 1), "a", "At most 2000 labels"),
    ],
)
def test_what_is_no_good_is_refused_and_changes_nothing(rows: list[int], name: str, why: str) -> None:
    hand_labels.assign("iris", [7], "a")
    with pytest.raises(ValueError, match=why):
        hand_labels.assign("iris", rows, name)
    assert hand_labels.given("iris") == ((7, "a"),)


def test_labels_are_not_written_to_the_address() -> None:
    hand_labels.assign("iris", [7], "a")
    assert all(name.startswith("_") for name in st.session_state[state._CHOICES])
