"""What pages show of a run whose files were cut short or have vanished: a sentence and a way on."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from experiments.engine.handle import Handle
from experiments.store import RunStore
from tests.ui.runs.test_page import button, me, opened, put
from tests.waiting import ended, until
from ui.service import keeper, service, tables

LONG = {"live.nmf.max_iter": "200", "live.nmf.tol": "0.0", "pace": "50", "method": "nmf"}
QUICK = {"method": "pca"}


@pytest.fixture
def store() -> RunStore:
    found = keeper().store
    assert found is not None
    return found


@pytest.fixture(autouse=True)
def _a_table_that_was_left_is_forgotten_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recognition is only passed by here: what it asks for would be carried out beside all that follows."""
    monkeypatch.setattr(tables(), "_forgotten_after", 0.0)


def visitor(repository: Path, **choices: str) -> AppTest:
    """The app with a visitor whose token is known."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for name, value in ({"data.orl.size": "16"} | choices).items():
        at.query_params[name] = value
    at.run()
    at.session_state["partwise choices"]["_owner"] = secrets.token_urlsafe(24)
    return at


def words(at: AppTest) -> str:
    return "\n".join(entry.value for entry in (*at.error, *at.warning, *at.info, *at.caption))


@pytest.mark.parametrize("left", [0, 100, 0.5, 0.98])
def test_arrays_cut_short_cost_no_page(repository: Path, store: RunStore, left: float) -> None:
    at = visitor(repository)
    cut, whole = put(store, me(at)), put(store, me(at))
    run = store.get(cut)
    assert run is not None
    path = store._files.path(run.id)
    os.truncate(path, int(left if left >= 1 else left * path.stat().st_size))
    opened(at, cut)
    assert "There is no curve to draw" in words(at)
    opened(at, cut, whole)
    assert "2 runs compared" in [entry.value for entry in at.header]
    opened(at, cut)
    button(at, "Open in Live run").click().run()
    assert not at.exception
    assert "Of this run only its outcome is still kept. Run makes it again." in words(at)
    assert "Run" in {entry.label for entry in at.button}


def on_live(repository: Path, **choices: str) -> tuple[AppTest, Handle]:
    at = visitor(repository, **choices)
    at.switch_page("../pages/live.py").run()
    button(at, "Run").click().run()
    handle = service().get(at.session_state["partwise choices"]["run"])
    assert handle is not None
    return at, handle


@pytest.mark.parametrize("harm", ["vanished", "cut short"])
def test_an_ended_run_without_its_files(repository: Path, harm: str) -> None:
    at, handle = on_live(repository, **QUICK)
    ended(handle)
    until(handle.persisted.is_set)
    if harm == "vanished":
        shutil.rmtree(handle.folder)
    else:
        for path in handle.folder.glob("*.npz"):
            os.truncate(path, path.stat().st_size // 2)
    for page in ("live", "bases", "recognition", "graphs", "live"):
        at.switch_page(f"../pages/{page}.py").run()
        assert not at.exception, page
    with pytest.raises(ValueError, match="no longer kept"):
        handle.final()
    button(at, "Run").click().run()
    assert not at.exception


def test_a_run_whose_folder_vanishes_under_way(repository: Path) -> None:
    at, handle = on_live(repository, **LONG)
    until(lambda: service().get(handle.id) and handle.version[0] > 5)
    shutil.rmtree(handle.folder)
    at.run()
    assert not at.exception
    ended(handle)
    for page in ("live", "bases", "recognition", "runs", "live"):
        at.switch_page(f"../pages/{page}.py").run()
        assert not at.exception, page
    button(at, "Run").click().run()
    assert not at.exception
    again = service().get(at.session_state["partwise choices"]["run"])
    assert again is not None
    assert again.id != handle.id
    ended(again)
    assert again.status == "max_iter", "the next run has a folder again"
    assert again.snapshot(again.snapshots[-1][0])
