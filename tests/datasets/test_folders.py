"""The cache folder: the variable decides, otherwise each platform's own place."""

from pathlib import Path

import pytest

from datasets.folders import _platform_folder, cache_folder


def test_the_variable_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARTWISE_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    monkeypatch.setenv("PARTWISE_CACHE", "~/there")
    assert cache_folder() == Path.home() / "there"


def test_each_platform_has_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path("/home/ada")
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    assert _platform_folder("linux", home) == home / ".cache" / "partwise"
    assert _platform_folder("darwin", home) == home / "Library" / "Caches" / "Partwise"
    assert _platform_folder("win32", home) == home / "AppData" / "Local" / "Partwise" / "Cache"
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/ada")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert _platform_folder("linux", home) == Path("/var/ada/partwise")
    assert _platform_folder("win32", home) == Path("/local/Partwise/Cache")
