"""The kept runs from the command line: listed, written as files, brought in again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from experiments import RunRequest
from experiments.cli.command_line import main
from experiments.store import RunFilter, RunStore, open_store, places
from experiments.take_away import Parcel, bundle, keep_parcel

Pack = Callable[..., Parcel]
REQUEST = RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 20, "tol": 0.0})


@pytest.fixture
def parcel(pack: Pack) -> Parcel:
    return pack(REQUEST, name="The one")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunStore]:
    monkeypatch.setenv(places.DATABASE, f"sqlite:///{tmp_path}/runs.sqlite3")
    opened = open_store()
    yield opened
    opened.close()


def test_out_and_in_again(
    store: RunStore, parcel: Parcel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_parcel(store, parcel, "the-id", "somebody")
    assert main(["runs", "list"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("the-id")
    assert said.rstrip().endswith("The one")
    for what, name in (("export", "a.zip"), ("script", "a.py"), ("notebook", "a.ipynb")):
        assert main(["runs", what, "the-id", str(tmp_path / name)]) == 0
    assert "experiments.RunRequest(" in (tmp_path / "a.py").read_text()
    assert main(["runs", "import", str(tmp_path / "a.zip")]) == 0
    (brought,) = store.find(RunFilter(shelf="shared")).runs
    assert (brought.name, brought.request.key, brought.status) == ("The one", REQUEST.key, "max_iter")
    assert store.content(brought).iteration == 20
    capsys.readouterr()
    assert main(["runs", "list", "--search", "nothing-like-it"]) == 0
    assert "No run is kept" in capsys.readouterr().out


def test_refusals(
    store: RunStore, parcel: Parcel, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    good, bad = tmp_path / "good.zip", tmp_path / "bad.zip"
    good.write_bytes(bundle(parcel))
    bad.write_bytes(b"x")
    assert main(["runs", "export", "nothing", str(tmp_path / "a.zip")]) == 2
    assert "there is no run 'nothing'" in capsys.readouterr().err
    assert main(["runs", "import", str(good), str(bad)]) == 2
    assert "a zip file is expected" in capsys.readouterr().err
    assert store.find(RunFilter(shelf="everything")).total == 0, "a bad one leaves the store as it was"
    assert main(["runs", "import", str(tmp_path / "none.zip")]) == 2
    assert "There is no file" in capsys.readouterr().err
    monkeypatch.setenv(places.DATABASE, f"sqlite:///{good}/runs.sqlite3")
    assert main(["runs", "list"]) == 1
    assert "cannot be" in capsys.readouterr().err
