"""The tools that check our scripts are installed when what is asked for changes, and only then."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts import node

STATIC = node.REPOSITORY / "ui" / "static"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that asks for tools."""
    for name in node.PINNED:
        (tmp_path / name).write_text(name, "utf-8")
    return tmp_path


def installing(folder: Path, *, fails: bool = False) -> Any:
    """Stand in for npm: empty `node_modules`, or fail."""

    def run(command: list[str], **_: object) -> None:
        if fails:
            raise subprocess.CalledProcessError(1, command)
        (folder / "node_modules").mkdir(exist_ok=True)

    return run


def test_tools_are_installed_anew_only_if_what_is_asked_for_has_changed(folder: Path) -> None:
    assert node.install_tools(folder, (20, 1, 0), installing(folder))
    assert not node.install_tools(folder, (20, 9, 3), installing(folder))
    (folder / "package.json").write_text("other", "utf-8")
    assert node.install_tools(folder, (20, 1, 0), installing(folder))
    assert node.install_tools(folder, (22, 1, 0), installing(folder))


def test_an_installation_that_fails_is_repeated(folder: Path) -> None:
    node.install_tools(folder, (20, 1, 0), installing(folder))
    (folder / "package.json").write_text("other", "utf-8")
    with pytest.raises(node.NodeMissingError, match="next make tries again"):
        node.install_tools(folder, (20, 1, 0), installing(folder, fails=True))
    (folder / "package.json").write_text("package.json", "utf-8")
    assert node.install_tools(folder, (20, 1, 0), installing(folder))


@pytest.mark.parametrize("version", [(), (16, 20, 2), (18, 17, 1)])
def test_who_has_no_recent_node_is_told_what_to_do(
    version: tuple[int, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(node, "version", lambda: version)
    assert node.main([]) == 1
    told = capsys.readouterr().err
    assert "apt-get install nodejs npm" in told
    assert "Running Partwise needs neither" in told


def test_tools_are_pinned_and_the_lock_names_no_host() -> None:
    package = json.loads((node.REPOSITORY / "package.json").read_text("utf-8"))
    assert "dependencies" not in package
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", pin) for pin in package["devDependencies"].values())
    lock = json.loads((node.REPOSITORY / "package-lock.json").read_text("utf-8"))
    assert lock["packages"][""]["devDependencies"] == package["devDependencies"]
    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []
    assert all("integrity" in entry for name, entry in lock["packages"].items() if name)


def test_every_script_is_checked_and_none_silences_the_checks() -> None:
    options = json.loads((node.REPOSITORY / "tsconfig.json").read_text("utf-8"))
    assert options["compilerOptions"]["checkJs"]
    assert options["compilerOptions"]["strict"]
    assert {"ui/static", "tests/static"} <= set(options["include"])
    assert "exclude" not in options
    silencing = re.compile(r"@ts-(ignore|nocheck|expect-error)|eslint-disable|\{\s*any\s*\}|<any\b|\bany\[\]")
    scripts = [*STATIC.glob("*.js"), *STATIC.glob("*.d.ts"), *(node.REPOSITORY / "tests").rglob("*.test.js")]
    assert len(scripts) > 40
    assert [path.name for path in scripts if silencing.search(path.read_text("utf-8"))] == []


def test_every_picture_has_a_name_before_there_is_one() -> None:
    # Whatever is drawn later says more; until then a screen reader would meet a picture without a word.
    tag = re.compile(r"<[^<>]*role=\"img\"[^<>]*>")
    tags = [found for path in STATIC.glob("*.js") for found in tag.findall(path.read_text("utf-8"))]
    assert len(tags) > 10
    assert [found for found in tags if 'aria-label="' not in found] == []
