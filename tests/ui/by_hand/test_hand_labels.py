"""Labels given by hand: the last word counts, each turn can be taken back, sets do not mix."""

from __future__ import annotations

import pytest

from ui import owner
from ui.by_hand import hand_labels


@pytest.fixture(autouse=True)
def _visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    hand_labels._turns_by_owner.clear()
    monkeypatch.setattr(owner, "token", lambda: "somebody")


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


def test_labels_of_a_run_that_is_opened_again_replace_what_was_said() -> None:
    hand_labels.assign("iris", [7], "a")
    hand_labels.replace("iris", [(3, "b"), (1, "c")])
    assert hand_labels.given("iris") == ((1, "c"), (3, "b"))
    hand_labels.undo("iris")
    assert hand_labels.given("iris") == ((7, "a"),)


def test_what_was_said_of_other_samples_of_the_set_does_not_count() -> None:
    hand_labels.assign("newsgroups", [7], "a", of=18821)
    hand_labels.assign("newsgroups", [7], "b", of=7528)
    hand_labels.assign("newsgroups", [9], "c")
    assert hand_labels.given("newsgroups", 18821) == ((7, "a"), (9, "c"))
    assert hand_labels.given("newsgroups", 7528) == ((7, "b"), (9, "c"))
    hand_labels.undo("newsgroups", 18821)
    hand_labels.undo("newsgroups", 18821)
    assert hand_labels.given("newsgroups", 18821) == ()
    assert not hand_labels.can_undo("newsgroups", 18821)
    assert hand_labels.given("newsgroups", 7528) == ((7, "b"),)


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


def test_many_turns_are_folded_and_nothing_said_is_lost() -> None:
    expected: dict[int, str] = {}
    for turn in range(3 * hand_labels._MOST_TURNS):
        if turn % 100 == 99:
            hand_labels.replace("iris", expected.items())
        expected |= {turn % 70: str(turn), 70 + turn: "new"}
        hand_labels.assign("iris", [turn % 70], str(turn))
        hand_labels.assign("iris", [70 + turn], "new", of=None)
    assert dict(hand_labels.given("iris")) == expected
    turns = hand_labels._turns("iris")
    assert len(turns) <= hand_labels._MOST_TURNS
    assert sum(len(turn.labels) for turn in turns) <= hand_labels._MOST_IN_TURNS
    hand_labels.undo("iris")
    del expected[70 + turn]
    assert dict(hand_labels.given("iris")) == expected


def test_visitors_do_not_see_each_others_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    hand_labels.assign("iris", [7], "a")
    monkeypatch.setattr(owner, "token", lambda: "somebody else")
    assert hand_labels.given("iris") == ()
    hand_labels.assign("iris", [8], "b")
    monkeypatch.setattr(owner, "token", lambda: "somebody")
    assert hand_labels.given("iris") == ((7, "a"),)


def test_the_server_remembers_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    for visitor in range(hand_labels._MOST_STORED + 5):
        monkeypatch.setattr(owner, "token", lambda visitor=visitor: str(visitor))
        hand_labels.assign("iris", [1], "a")
    assert len(hand_labels._turns_by_owner) == hand_labels._MOST_STORED
    assert hand_labels.given("iris") == ((1, "a"),)


def test_a_class_each_is_one_turn() -> None:
    hand_labels.assign_each("iris", [(7, "a"), (3, "b")], of=150)
    assert hand_labels.given("iris", 150) == ((3, "b"), (7, "a"))
    assert hand_labels.given("iris", 100) == ()
    hand_labels.undo("iris", 150)
    assert hand_labels.given("iris", 150) == ()
    with pytest.raises(ValueError, match="Choose at least one sample"):
        hand_labels.assign_each("iris", [])
