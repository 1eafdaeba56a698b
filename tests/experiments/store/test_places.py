"""Where runs are kept, as the environment says."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.store import StoreUnavailableError, open_store, places


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (places.DATABASE, places.DATA, places.LIMIT):
        monkeypatch.delenv(variable, raising=False)


def test_a_file_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(places.sys, "platform", "linux")
    url = places.database_url()
    assert Path(url.database or "") == tmp_path / "partwise" / "runs.sqlite3"
    assert places.arrays_folder(url) == tmp_path / "partwise" / "runs-arrays"
    monkeypatch.setenv(places.DATA, str(tmp_path / "here"))
    assert Path(places.database_url().database or "").parent == tmp_path / "here"


def test_a_database_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(places.DATA, str(tmp_path))
    monkeypatch.setenv(places.DATABASE, "postgres://me:secret@host/one")
    one = places.database_url()
    assert one.drivername == "postgresql+psycopg"
    assert places.arrays_folder(one).parent == tmp_path
    monkeypatch.setenv(places.DATABASE, "postgresql://me:changed@host/one")
    assert places.arrays_folder(places.database_url()) == places.arrays_folder(one)
    monkeypatch.setenv(places.DATABASE, "postgresql://me@host/two")
    assert places.arrays_folder(places.database_url()) != places.arrays_folder(one)


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        (places.DATABASE, "not an address", "not an address of a database"),
        (places.DATABASE, "mysql://me@host/runs", "not an address of a database"),
        (places.DATABASE, "nonsense://", "not an address of a database"),
        (places.LIMIT, "much", "must be a whole number"),
        (places.LIMIT, "0", "must be a whole number"),
    ],
)
def test_nonsense_is_explained(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, value: str, words: str
) -> None:
    monkeypatch.setenv(places.DATA, str(tmp_path))
    monkeypatch.setenv(variable, value)
    with pytest.raises(StoreUnavailableError, match=words):
        open_store()


def test_a_folder_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(places.DATA, str(tmp_path / "file"))
    with pytest.raises(StoreUnavailableError, match="cannot be made"):
        open_store()
