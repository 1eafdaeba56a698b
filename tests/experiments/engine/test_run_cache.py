"""The runs at hand: who makes room, and who never does."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.engine.run_cache import Room, Rooms, RunCache, RunRefusedError


@pytest.fixture
def run(tmp_path: Path):
    """Make an ended run with files of so many bytes; nobody has looked at it since `seen_at`."""

    def make(
        id: str, seen_at: float, size: int = 10, *, persisted: bool = True, owner: str | None = None
    ) -> Handle:
        request = RunRequest("iris", "pca")
        handle = Handle(id, request, tmp_path / id, owner=owner, status="done", seen_at=seen_at)
        handle.folder.mkdir()
        (handle.folder / "0.npz").write_bytes(bytes(size))
        if persisted:
            handle.persisted.set()
        return handle

    return make


def ids(shelf: RunCache) -> list[str]:
    return [handle.id for handle in shelf]


def test_what_is_still_watched_stays(run) -> None:
    """A page that shows a run looks at it without asking for it again."""
    shelf = RunCache(Rooms(common=Room(3, 1000)))
    handles = [shelf.add(run(id, seen_at)) for seen_at, id in enumerate("abc")]
    handles[0].touch()
    shelf.add(run("d", 3))
    assert ids(shelf) == ["a", "c", "d"]
    assert not handles[1].folder.exists()


def test_a_run_is_found_by_its_id(run) -> None:
    """That alone is no look at it: the service itself asks whenever there is news."""
    shelf = RunCache(Rooms(common=Room(2, 1000)))
    a, _ = shelf.add(run("a", 0)), shelf.add(run("b", 1))
    assert shelf.get("a") is shelf["a"] is a
    assert shelf.get("nobody's") is None
    assert shelf.get(None) is None
    shelf.add(run("c", 2))
    assert ids(shelf) == ["b", "c"]


def test_large_files_make_room_early(run) -> None:
    shelf = RunCache(Rooms(common=Room(99, 100)))
    for place, id in enumerate("abcd"):
        shelf.add(run(id, place, 60))
    assert ids(shelf) == ["c", "d"], "what comes has no files yet: it may go over the bound"


def test_what_is_not_written_down_yet_stays(run) -> None:
    shelf = RunCache(Rooms(common=Room(2, 1000)))
    unsaved = shelf.add(run("a", 0, persisted=False))
    shelf.add(run("b", 1))
    shelf.add(run("c", 2))
    assert ids(shelf) == ["a", "c"]
    shelf.remove(unsaved)
    assert ids(shelf) == ["c"]
    assert unsaved.folder.exists(), "somebody still reads them"
    unsaved.persisted.set()
    shelf.tidy()
    assert not unsaved.folder.exists()


def test_nobody_makes_room_with_what_another_owns(run) -> None:
    shelf = RunCache(Rooms(owner=Room(5, 1000), common=Room(2, 1000)))
    theirs = [shelf.add(run(f"theirs {i}", i, owner="them")).id for i in range(5)]
    shown = shelf.add(run("a demonstration", 0)).id
    for number in range(30):
        shelf.add(run(f"mine {number}", 100 + number, owner="me"))
    shelf.add(run("a third one's", 0, owner="third"))
    assert ids(shelf) == [*theirs, shown, *(f"mine {number}" for number in range(25, 30)), "a third one's"]


def test_who_has_only_runs_under_way_is_refused_in_a_sentence(run) -> None:
    shelf = RunCache(Rooms(owner=Room(2, 1000)))
    for number in range(2):
        shelf.add(run(f"mine {number}", number, persisted=False, owner="me"))
    with pytest.raises(RunRefusedError, match="Stop one that you no longer need"):
        shelf.add(run("one too many", 2, owner="me"))
    assert ids(shelf) == ["mine 0", "mine 1"]
    shelf.add(run("another's", 2, owner="them"))


def test_a_full_server_lets_go_of_what_is_left_behind_alone(run) -> None:
    shelf = RunCache(Rooms(whole=Room(3, 1000)))
    now = monotonic()
    for id in ("stored", "only here", "looked at"):
        shelf.add(run(id, now - (0 if id == "looked at" else 600), owner=id)).recallable = id != "only here"
    shelf.add(run("new", now, owner="a"))
    assert ids(shelf) == ["only here", "looked at", "new"]
    with pytest.raises(RunRefusedError, match="as it can hold"):
        shelf.add(run("one too many", now, owner="b"))
    shelf["only here"].seen_at = now - 4000
    shelf.add(run("after all", now, owner="b"))
    assert ids(shelf) == ["looked at", "new", "after all"]


def test_a_full_server_lets_go_of_what_sliders_left_on_their_way(run) -> None:
    """Otherwise a class that moved its sliders would keep the next one out for an hour."""
    shelf = RunCache(Rooms(whole=Room(3, 1000)))
    now = monotonic()
    for id, ago in (("on its way", 60), ("ended", 60), ("on its way just now", 0)):
        shelf.add(run(id, now - ago, owner=id)).passing = id != "ended"
    shelf.add(run("new", now, owner="a"))
    assert ids(shelf) == ["ended", "on its way just now", "new"]


def test_two_who_bring_back_a_run_share_it(run) -> None:
    shelf = RunCache(Rooms(common=Room(9, 1000)))
    first = shelf.add(run("a", 0))
    other = Handle("a", first.request, first.folder.with_name("other"), status="done")
    assert shelf.add(other) is first


def test_on_a_full_server_who_has_ended_runs_gives_up_their_own_and_is_not_refused(run) -> None:
    shelf = RunCache(Rooms(whole=Room(3, 1000)))
    now = monotonic()
    for number, owner in enumerate(("me", "them", "me")):
        shelf.add(run(f"{owner} {number}", now, owner=owner))
    shelf.add(run("me 3", now, owner="me"))
    assert ids(shelf) == ["them 1", "me 2", "me 3"]
    with pytest.raises(RunRefusedError, match="as it can hold"):
        shelf.add(run("a newcomer's", now, owner="new"))
    assert ids(shelf) == ["them 1", "me 2", "me 3"], "nobody lost anything by it"
