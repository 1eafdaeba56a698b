"""Who goes next in a worker: owners alike, what is awaited before what ends, and that before what is seen."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.engine.turns import ATTENDED, WATCHED, Turns


@dataclass
class Piece:
    """A piece of work that is always due."""

    id: str
    owner: str
    awaited: bool = False
    priority: int = WATCHED
    slow: bool = False
    stopping: bool = False
    unseen: bool = False
    ended: bool = False

    def due_in(self, now: float) -> float | None:
        return 0.0

    def take_turn(self) -> None:
        pass


def shares(turns: Turns, pieces: list[Piece], count: int, seconds: float = 0.02) -> dict[str, float]:
    """Return what each piece has had after so many turns of so many seconds."""
    had = {piece.id: 0.0 for piece in pieces}
    for _ in range(count):
        chosen = turns.choose(pieces)
        turns.charge(chosen, seconds)
        had[chosen.id] += seconds
    return had


def test_owners_have_the_same_whatever_they_have_under_way() -> None:
    had = shares(
        Turns(), [*(Piece(f"mine {number}", "me") for number in range(3)), Piece("theirs", "them")], 120
    )
    assert abs(had["theirs"] - 1.2) < 0.05
    assert all(abs(had[f"mine {number}"] - 0.4) < 0.05 for number in range(3))


def test_whoever_moves_a_slider_does_not_wait_for_what_the_preparation_took() -> None:
    turns, others = Turns(), [Piece(f"run {number}", f"owner {number}") for number in range(9)]
    mover = Piece("before", "mover")
    shares(turns, [*others, mover], 50)
    turns.charge(mover, 2.0)  # The preparation of a run that is overtaken now.
    moved = Piece("after", "mover", awaited=True)
    assert turns.choose([*others, mover, moved]) is moved


def newcomers(count: int) -> list[Piece]:
    return [Piece(f"new {number}", f"two {number}", awaited=True) for number in range(count)]


def test_what_is_awaited_leaves_a_fifth_of_the_time_to_what_is_seen() -> None:
    had = shares(Turns(), [Piece("seen", "one"), *newcomers(5)], 500)
    assert abs(had["seen"] - 2.0) < 0.3


def test_what_a_class_that_came_at_once_took_is_not_held_against_who_comes_later() -> None:
    turns = Turns()
    shares(turns, newcomers(20), 200, 0.1)
    seen = [Piece(f"run {number}", f"two {number}") for number in range(20)]
    shares(turns, seen, 10)
    late = Piece("late", "three", awaited=True)
    assert turns.choose([*seen, late]) is late


def test_a_run_ends_behind_what_is_awaited_and_before_all_that_is_seen() -> None:
    turns, seen = Turns(), [Piece(f"run {number}", f"owner {number}") for number in range(9)]
    shares(turns, seen, 90)
    seen[3].stopping = True
    turns.charge(seen[3], 5.0)
    assert turns.choose(seen) is seen[3]
    awaited = Piece("after", "owner 3", awaited=True)
    assert turns.choose([*seen, awaited]) is awaited


def test_what_is_awaited_of_a_table_does_not_come_before_a_run() -> None:
    table = Piece("table", "one", awaited=True, priority=ATTENDED)
    run = Piece("run", "two")
    assert Turns().choose([table, run]) is run


def test_what_nobody_looks_at_gets_what_is_left_and_is_ended_at_once() -> None:
    turns = Turns()
    watched, left = Piece("watched", "a"), Piece("left", "b", awaited=True, unseen=True)
    assert shares(turns, [watched, left], 20)["left"] == 0
    assert turns.choose([left]) is left
    left.stopping, left.awaited = True, False
    assert turns.choose([watched, left]) is left
