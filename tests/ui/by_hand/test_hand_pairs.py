"""Pairs given by hand: each once, the last word counts, each turn can be taken back."""

from __future__ import annotations

import pytest
import streamlit as st

from ui import state
from ui.by_hand import hand_pairs


@pytest.fixture(autouse=True)
def _session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {state._CHOICES: {}, state._DEFAULTS: {}})


def test_the_last_word_on_two_samples_counts() -> None:
    hand_pairs.say("iris", 150, (7, 3, "must"))
    hand_pairs.say("iris", 150, (1, 2, "cannot"))
    hand_pairs.say("iris", 150, (3, 7, "cannot"))
    assert hand_pairs.given("iris", 150) == ((1, 2, "cannot"), (3, 7, "cannot"))
    hand_pairs.undo("iris", 150)
    assert hand_pairs.given("iris", 150) == ((1, 2, "cannot"), (3, 7, "must"))


def test_other_samples_have_pairs_of_their_own() -> None:
    hand_pairs.say("iris", 150, (7, 3, "must"))
    assert hand_pairs.given("iris", 100) == ()
    assert hand_pairs.given("wine", 150) == ()
    hand_pairs.undo("wine", 150)
    assert hand_pairs.given("iris", 150) == ((3, 7, "must"),)


@pytest.mark.parametrize(
    ("pair", "why"), [((3, 3, "must"), "two samples"), ((1, 2, "like"), "'must' or 'cannot'")]
)
def test_nonsense_is_refused_in_words(pair, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        hand_pairs.say("iris", 150, pair)
    assert hand_pairs.given("iris", 150) == ()
