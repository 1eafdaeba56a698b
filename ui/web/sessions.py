"""Letting go of sessions whose visitors have left: Streamlit does so only when the next one leaves.

Until then it holds up to 128 of them, each with all that its pages have drawn and three open files.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

from streamlit.runtime import Runtime, exists

from experiments.engine.memory import give_back

_LOOK_EVERY = 5.0
# Collecting garbage holds the interpreter for tens of milliseconds.
_COLLECT_EVERY = 30.0


async def forget_sessions() -> None:
    """Look again and again for sessions whose time is over, as long as the server runs."""
    collected, anything_left = -_COLLECT_EVERY, False
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        if exists() and forget_expired(Runtime.instance()):
            anything_left = True
        if anything_left and monotonic() - collected >= _COLLECT_EVERY:
            await asyncio.to_thread(give_back)
            collected, anything_left = monotonic(), False


def forget_expired(runtime: Any) -> int:
    """End the sessions that wait in vain for their visitors, and return how many these were."""
    storage = getattr(getattr(runtime, "_session_mgr", None), "_session_storage", None)
    cache = getattr(storage, "_cache", None)
    expired = [] if cache is None else cache.expire()
    for _, waiting in expired:
        waiting.session.shutdown()
    return len(expired)
