"""Where data that was fetched or worked out once is kept: the user's cache folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "PARTWISE_CACHE"


def cache_folder() -> Path:
    """Return the folder, which need not exist yet: `PARTWISE_CACHE`, or the platform's usual place."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _platform_folder(sys.platform, Path.home())


def _platform_folder(platform: str, home: Path) -> Path:
    if platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Partwise" / "Cache"
    if platform == "darwin":
        return home / "Library" / "Caches" / "Partwise"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "partwise"
