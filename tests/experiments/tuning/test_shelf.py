"""Named sweeps in the run store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import URL

from experiments.requests.request import RunRequest
from experiments.store import RunStore, sweep_rows
from experiments.tuning import Sweep, SweepShelf, axis

SWEEP = Sweep(RunRequest("iris", "n2s2l"), (axis("n2s2l", "alpha"),), name="Alpha")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    opened = RunStore(URL.create("sqlite", database=str(tmp_path / "runs.sqlite3")))
    yield opened
    opened.close()


def test_a_sweep_is_kept_by_name_opened_by_id_and_replaced_by_its_owner(store: RunStore) -> None:
    shelf = SweepShelf(store)
    id = shelf.save(SWEEP, "me")
    assert shelf.save(replace(SWEEP, splits=5), "me") == id
    opened = shelf.open(id, "me")
    assert opened is not None
    assert (opened.sweep.splits, opened.sweep.name, opened.mine) == (5, "Alpha", True)
    stranger = shelf.open(id, "you")
    assert stranger is not None
    assert not stranger.mine
    assert shelf.save(SWEEP, "you") != id
    assert [len(shelf.list(owner)) for owner in ("me", "you", "nobody")] == [1, 1, 0]


def test_only_its_owner_shares_renames_and_deletes_it(store: RunStore) -> None:
    shelf = SweepShelf(store)
    id = shelf.save(SWEEP, "me")
    shelf.share(id, "you")
    shelf.delete(id, "you")
    shelf.rename(id, "you", "Yours")
    assert shelf.named("Alpha", "you") is None
    shelf.share(id, "me")
    shared = shelf.named("Alpha", "you")
    assert shared is not None
    assert shared.sweep == SWEEP
    assert [named.id for named in shelf.list("you", shared=True)] == [id]
    other = shelf.save(replace(SWEEP, name="Other"), "me")
    with pytest.raises(ValueError, match="already"):
        shelf.rename(other, "me", "Alpha")
    shelf.delete(id, "me")
    assert shelf.open(id, "me") is None


def test_terminals_keep_theirs_on_the_shared_shelf(store: RunStore) -> None:
    shelf = SweepShelf(store)
    id = shelf.save(SWEEP)
    assert [named.id for named in shelf.list("somebody", shared=True)] == [id]


def test_what_cannot_be_kept_is_refused_in_a_sentence(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = SweepShelf(store)
    with pytest.raises(ValueError, match="give it one"):
        shelf.save(replace(SWEEP, name=" "), "me")
    monkeypatch.setattr(sweep_rows, "MOST_OF_ONE_OWNER", 1)
    shelf.save(SWEEP, "me")
    with pytest.raises(ValueError, match="delete one"):
        shelf.save(replace(SWEEP, name="Another"), "me")


def test_a_sweep_that_makes_no_sense_any_more_is_not_listed(store: RunStore) -> None:
    store.sweeps.save("Old", "", key="k", dataset="iris", method="gone", sweep='{"request": {}}')
    assert SweepShelf(store).list(shared=True) == []


def test_the_sweeps_of_an_upload_go_with_it(store: RunStore) -> None:
    for scope in ("upload-1", "upload-2", ""):
        store.sweeps.save(
            f"Of {scope}", "", key="k", dataset="iris", method="n2s2l", sweep=SWEEP.to_json(), scope=scope
        )
    store.trials.forget("upload-1")
    assert {named.sweep.name for named in SweepShelf(store).list()} == {"Of upload-2", "Of"}
