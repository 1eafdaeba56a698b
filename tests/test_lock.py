"""The lock files hold every package that the requirements ask for, with hashes, and name no address."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import lock


@pytest.mark.parametrize("source", lock.SOURCES)
def test_the_lock_holds_what_is_asked_for(source: str) -> None:
    assert lock.faults(source) == []
    assert len(lock.locked(source)) > len(lock.requested(source)), (
        "what packages need themselves is locked too"
    )
    assert "://" not in lock.lock_of(source).read_text(encoding="utf-8")


def test_a_lock_that_lags_behind_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "ROOT", tmp_path)
    assert lock.faults("requirements.txt") == ["requirements.lock is missing."]
    (tmp_path / "requirements.txt").write_text("numpy==2.0\nscipy==1.0\npandas==3.0\n")
    pinned = "numpy==2.0 \\\n    --hash=sha256:00\nscipy==0.9 \\\n    --hash=sha256:00\nattrs==1.0\n"
    (tmp_path / "requirements.lock").write_text(pinned)
    assert lock.faults("requirements.txt") == [
        "attrs has no hash.",
        "requirements.txt asks for scipy 1.0, the lock has 0.9.",
        "requirements.txt asks for pandas 3.0, the lock has nothing.",
    ]


def test_make_installs_from_the_locks(repository: Path) -> None:
    assert "--require-hashes" in (repository / "scripts" / "venv.sh").read_text(encoding="utf-8")
    makefile = (repository / "Makefile").read_text(encoding="utf-8")
    assert "venv.sh requirements.lock" in makefile
    assert "venv.sh requirements-dev.lock" in makefile
