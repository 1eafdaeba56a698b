"""The version and the commit of Partwise itself, which results depend on as on any library."""

from __future__ import annotations

import json
import subprocess
import tomllib
from functools import cache
from pathlib import Path

# Where the packages lie: the folder of the repository, or `partwise/` where that is installed.
_ROOT = Path(__file__).resolve().parents[2]
# Written by the build of the wheel, which has neither pyproject.toml nor a history beside it.
BUILT = "built.json"
_PATIENCE = 5.0


@cache
def own_version() -> str:
    """Return version and commit, for example ``1.0.0+3f2a9c1d04be``; a changed checkout says so."""
    built = _ROOT / BUILT
    if built.is_file():
        return str(json.loads(built.read_text(encoding="utf-8"))["version"])
    # The packages may have been copied without what describes them.
    return described(_ROOT) if (_ROOT / "pyproject.toml").is_file() else "unknown"


def described(root: Path) -> str:
    """Return version and commit of the checkout in a folder; the version alone where there is no history."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    commit = _commit(root)
    return f"{project['version']}+{commit}" if commit else str(project["version"])


def _commit(root: Path) -> str:
    if not (root / ".git").exists():
        return ""
    command = ["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=.changed"]
    try:
        answer = subprocess.run(
            ["git", "-C", str(root), *command], capture_output=True, text=True, timeout=_PATIENCE, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.stdout.strip()
