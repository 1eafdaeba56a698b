"""Hooks of the build: what the wheel requires (requirements.txt), and what is in it (`wheel_contents`)."""

from __future__ import annotations

import importlib.util
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


def _loaded(root: Path, place: str) -> Any:
    """Return a module by its file: where wheels are built, what our packages require is not installed."""
    spec = importlib.util.spec_from_file_location(Path(place).stem, root / place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Requirements(MetadataHookInterface):
    """The requirements of the package are the pins that are tested."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies."""
        lines = Path(self.root, "requirements.txt").read_text(encoding="utf-8").splitlines()
        metadata["dependencies"] = [line for line in lines if line.strip() and not line.startswith("#")]


class Contents(BuildHookInterface[Any]):
    """Everything below `partwise/` in the wheel; the version with its commit in both kinds of archive."""

    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write what is to be included, and say where it is."""
        root = Path(self.root)
        own_version = _loaded(root, "experiments/engine/own_version.py")
        known = root / own_version.BUILT
        described = (
            json.loads(known.read_text())["version"] if known.is_file() else own_version.described(root)
        )
        self._folder = Path(tempfile.mkdtemp())
        if self.target_name == "wheel":
            contents = _loaded(root, "scripts/wheel_contents.py")
            whole = contents.write_package(root, self._folder, described, own_version.BUILT)
            build_data["force_include"][str(whole)] = contents.WHOLE
        elif not known.is_file():
            written = self._folder / own_version.BUILT
            written.write_text(json.dumps({"version": described}), encoding="utf-8")
            build_data["force_include"][str(written)] = own_version.BUILT

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written for the archive."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def get_metadata_hook() -> type[MetadataHookInterface]:
    """Tell hatchling which of the two classes it is looking for."""
    return Requirements


def get_build_hook() -> type[BuildHookInterface[Any]]:
    """Tell hatchling which of the two classes it is looking for."""
    return Contents
