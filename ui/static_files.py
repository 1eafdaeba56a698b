"""The scripts and styles of our components, and an address for them that changes when they do."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"


class UnchangingFiles(StaticFiles):
    """Files that never change under their address: browsers need not ask again."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return the file, to be kept."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "max-age=31536000, immutable"
        return response


@lru_cache(maxsize=1)
def static_version() -> str:
    """Return a short name for the present state of our scripts, so that browsers never use old ones."""
    digest = sha256()
    for path in sorted(STATIC.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
