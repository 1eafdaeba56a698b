"""The runs at hand: who makes room, and who never does."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.engine.shelf import Shelf


@pytest.fixture
def run(tmp_path: Path):
    """Make an ended run with files of so many bytes; nobody has looked at it since `seen_at`."""

    def make(id: str, seen_at: float, size: int = 10, *, taken: bool = True) -> Handle:
        handle = Handle(id, RunRequest("iris", "pca"), tmp_path / id, status="done", seen_at=seen_at)
        handle.folder.mkdir()
        (handle.folder / "0.npz").write_bytes(bytes(size))
        if taken:
            handle.taken.set()
        return handle

    return make


def ids(shelf: Shelf) -> list[str]:
    return [handle.id for handle in shelf]


def test_what_is_still_watched_stays(run) -> None:
    """A page that shows a run looks at it without asking for it again."""
    shelf = Shelf(3, 1000)
    handles = [shelf.add(run(id, seen_at)) for seen_at, id in enumerate("abc")]
    handles[0].look()
    shelf.add(run("d", 3))
    assert ids(shelf) == ["a", "c", "d"]
    assert not handles[1].folder.exists()


def test_a_run_is_found_by_its_id(run) -> None:
    """That alone is no look at it: the service itself asks whenever there is news."""
    shelf = Shelf(2, 1000)
    a, _ = shelf.add(run("a", 0)), shelf.add(run("b", 1))
    assert shelf.get("a") is shelf["a"] is a
    assert shelf.get("nobody's") is None
    assert shelf.get(None) is None
    shelf.add(run("c", 2))
    assert ids(shelf) == ["b", "c"]


def test_large_files_make_room_early(run) -> None:
    shelf = Shelf(99, 100)
    for place, id in enumerate("abcd"):
        shelf.add(run(id, place, 60))
    assert ids(shelf) == ["c", "d"], "what comes has no files yet: it may go over the bound"


def test_what_is_not_written_down_yet_stays(run) -> None:
    shelf = Shelf(2, 1000)
    shelf.add(run("a", 0, taken=False))
    shelf.add(run("b", 1))
    shelf.add(run("c", 2))
    assert ids(shelf) == ["a", "c"]


def test_two_who_bring_back_a_run_share_it(run) -> None:
    shelf = Shelf(9, 1000)
    first = shelf.add(run("a", 0))
    other = Handle("a", first.request, first.folder.with_name("other"), status="done")
    assert shelf.add(other) is first
