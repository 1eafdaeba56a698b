"""How a run is doing, or how it has ended, in the words that people read on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments.engine.handle import Handle

STATE = {
    "preparing": "getting ready …",
    "running": "running",
    "paused": "paused",
    "done": "settled",
    "max_iter": "all iterations made",
    "diverged": "diverged",
    "stopped": "stopped",
    "failed": "could not run",
    "interrupted": "interrupted",
}
FOLLOWING = "follows your hand"
# A run that ended so has a message that says why.
ENDED_BADLY = ("failed", "interrupted", "diverged")
# Those that a stored run may have.
STORED = {name: STATE[name] for name in (*list(STATE)[3:], "running")}


def state_of(handle: Handle, waits: str = "it") -> str:
    """Return how a run is doing; `waits` is who it is that waits for its turn.

    >>> from types import SimpleNamespace
    >>> state_of(SimpleNamespace(status="waiting", before=2, preview_of=None), "you")
    'waiting, 2 before you'
    >>> state_of(SimpleNamespace(status="preparing", progress=("neighbours", 40), preview_of=None))
    'getting ready … neighbours, 40 %'
    """
    if handle.status == "waiting":
        return f"waiting, {handle.before} before {waits}" if handle.before else "waiting, next in turn"
    if handle.preview_of is not None:
        return FOLLOWING
    if handle.status == "preparing" and handle.progress:
        what, percent = handle.progress
        return f"{STATE['preparing']} {what}, {percent} %"
    if handle.status == "done" and _closed(handle):
        return "solved"  # A method in closed form has not settled.
    return STATE.get(handle.status, handle.status)


def _closed(handle: Handle) -> bool:
    from experiments.requests.library import method_spec

    return method_spec(handle.request.method).is_closed(handle.request.params)
