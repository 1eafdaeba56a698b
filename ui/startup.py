"""What happens once when the server starts, before and behind the first page."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any

from threadpoolctl import threadpool_limits

from experiments.engine.memory import share_heaps
from experiments.engine.worker_template import prepare_template
from experiments.worker_program import PROGRAM
from ui.service import close, keeper, service
from ui.web.half_open import close_half_open
from ui.web.sessions import forget_sessions
from ui.web.stale_requests import refuse_stale_requests
from ui.web.upload_quota import erase_abandoned

log = logging.getLogger(__name__)
# What the first page runs is made ready before all else; then what is one click away.
FIRST_DATASET, FIRST_METHOD = "swimmer", "nmf"
NEXT_DATASET, NEXT_METHOD = "orl", "n2s2l"
SHELL = Path(__file__).with_name("shell.py")
# By then the first visitor of a fresh server has read the first words, and has seen something move: what
# loads behind must not compete with that.
_FIRST_WORDS, _FIRST_VISIT = 1.5, 4.0
# Python's own 5 ms are what an answer waits for each time it comes back from a product or from packing a
# picture, as long as another thread draws a page: together a tenth of a second.
SWITCH_EVERY = 0.0005


@asynccontextmanager
async def start_up(app: Any) -> AsyncIterator[None]:
    """Answer small messages at once, get ready behind the first page, and clean up at the end."""
    sys.setswitchinterval(SWITCH_EVERY)
    share_heaps()
    send_small_replies_at_once()
    refuse_stale_requests()
    threading.Thread(target=_get_ready, daemon=True, name="warm-up").start()
    tidying = asyncio.gather(close_half_open(), erase_abandoned(), forget_sessions())
    yield
    tidying.cancel()
    # Awaited, for else its end is told as an error nobody has seen to.
    with suppress(asyncio.CancelledError):
        await tidying
    close()
    # The signal that ended the server is raised again after this: nothing is done at the end of Python.
    from experiments.requests import intake  # Loaded behind the first page.

    intake.remove_folder()


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


def _load_heavy() -> None:
    """Load what later pages need, so that nobody waits for it there."""
    # That they have been loaded is all that is wanted: no name of them is used here (F401).
    import pandas  # noqa: F401
    import plotly.graph_objects  # noqa: F401

    from ui import charts  # noqa: F401
    from ui.bases import page  # noqa: F401
    from ui.data import gallery  # noqa: F401
    from ui.live import frames  # noqa: F401


def _get_ready() -> None:
    """Load what the first page needs, then the rest, and take all of it out of garbage collection."""
    try:
        sleep(_FIRST_WORDS)
        # Workers load in a process of their own, beside all that this one loads before it can ask for one.
        prepare_template(PROGRAM)
        service().warm_up(FIRST_DATASET, FIRST_METHOD, workers=1)
        # Here and not above: the server answers, and a worker begins to load, before any of it.
        from experiments.engine.memory import freeze_gc
        from experiments.requests import library

        library.load_dataset(FIRST_DATASET)
        library.method_spec(FIRST_METHOD)
        from ui import strip  # noqa: F401 - loaded for the first page

        # All fits are computed by workers: a second thread would wait for small products in a busy loop
        # (OpenBLAS does so for a tenth of a second after each) on a core that a worker needs.
        threadpool_limits(1)
        sleep(_FIRST_VISIT)
        service().warm_up(NEXT_DATASET, NEXT_METHOD)
        library.load_dataset(NEXT_DATASET)
        library.method_specs()
        # Opened early, so that runs a killed server left behind are known as interrupted.
        _ = keeper().store
        _load_heavy()
        # A full collection holds the interpreter for tens of milliseconds once these modules are in.
        freeze_gc()
    except Exception:
        log.exception("Getting ready failed; pages will load what they need themselves.")
