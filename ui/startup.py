"""What happens once when the server starts, before and behind the first page."""

from __future__ import annotations

import gc
import importlib
import logging
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from ui.service import service

log = logging.getLogger(__name__)
DEMO_DATASET = "orl"
_HEAVY = ("ui.frames", "plotly.graph_objects", "experiments.scores", "pandas")


@asynccontextmanager
async def start_up(app: Any) -> AsyncIterator[None]:
    """Answer small messages at once, get ready behind the first page, and clean up at the end."""
    send_small_replies_at_once()
    threading.Thread(target=_get_ready, daemon=True, name="warm-up").start()
    yield
    service().close()


def send_small_replies_at_once() -> None:
    """Set TCP_NODELAY on the listening sockets, which the connections they accept inherit.

    Streamlit binds its socket in a way that keeps asyncio from setting it: without this, every
    small reply waits some 40 ms for the acknowledgement of the one before.
    """
    for candidate in gc.get_objects():
        if isinstance(candidate, socket.socket) and candidate.family in (socket.AF_INET, socket.AF_INET6):
            try:
                if candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    candidate.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError:  # Closed in the meantime, or a platform that cannot tell: only speed is lost.
                continue


def _get_ready() -> None:
    """Import what later pages need, start the workers, and take all of it out of garbage collection."""
    try:
        service().warm_up(DEMO_DATASET)
        library = importlib.import_module("experiments.library")
        library.method_specs()
        library.load_dataset(DEMO_DATASET)
        for module in _HEAVY:
            importlib.import_module(module)
    except Exception:
        log.exception("Getting ready failed; pages will load what they need themselves.")
    # A full collection holds the interpreter for tens of milliseconds once these modules are in;
    # what is frozen is not looked at again.
    gc.collect()
    gc.freeze()
