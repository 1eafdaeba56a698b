"""The one run service of this server process."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments.service import Service

_making = Lock()


def service() -> Service:
    """Return the service, made when first asked for."""
    # Two sessions may ask first at the same time; a second service would mean twice the workers.
    with _making:
        return _service()


@lru_cache(maxsize=1)
def _service() -> Service:
    from experiments.service import Service

    return Service()
