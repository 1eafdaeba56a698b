"""Keys that work on every page (? lists them), and the presenter mode that one of them switches."""

from __future__ import annotations

from ui import state
from ui.assets import component

_KEYS = component("page_keys", "page_keys")
_KEY, _PRESENT = "page keys", "present"
# What a key does, in the order in which they are listed; on the pages named, or on all.
_LISTED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Space", "run or pause", ("live",)),
    ("S", "one step on", ("live",)),
    ("← →", "back and on in the timeline; in a lesson, its steps", ("live",)),
    ("Ctrl Z", "take back the last change of a parameter", ("live",)),
    ("D", "another sample", ("live", "bases", "occlusion", "noise")),
    ("P", "presenter mode: larger, without menu and sidebar; P again ends it", ()),
    ("?", "this list", ()),
)


def presenting() -> bool:
    """Return whether the page is shown to a room: `?present=1`."""
    return bool(state.get(_PRESENT, False))


def show(page: str) -> None:
    """Listen to the keys of a page."""
    keys = [[key, words] for key, words, pages in _LISTED if not pages or page in pages]
    _KEYS(key=_KEY, data={"page": page, "keys": keys}, on_present_change=_switch)


def _switch() -> None:
    state.put(_PRESENT, not presenting(), False)
