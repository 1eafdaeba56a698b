"""Keys that work on every page (? lists them), and the presenter mode that one of them switches."""

from __future__ import annotations

from ui import state
from ui.assets import component

_KEYS = component("page_keys", "page_keys")
_KEY, _PRESENT, _HEARD = "page keys", "present", "_present heard"
_ANY_LESSON = "in a lesson, its steps"
# What a key does, in the order in which they are listed; on the pages named, or on all.
_LISTED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Space", "run or pause", ("live",)),
    ("Space", "start or stop", ("tune",)),
    ("Space", "play or hold the film", ("graphs", "methods")),
    ("Space", "once more; where faces come apart, hold or go on", ("start",)),
    ("S", "one step on", ("live", "graphs", "methods")),
    ("← →", f"back and on in the timeline; {_ANY_LESSON}", ("live", "graphs", "methods")),
    ("← →", f"the sample before, the next one; {_ANY_LESSON}", ("bases", "occlusion", "noise")),
    ("Ctrl Z", "take back the last change of a parameter", ("live",)),
    ("D", "another sample", ("start", "live", "bases", "occlusion", "noise")),
    ("P", "presenter mode: larger, without menu and sidebar; P again ends it", ()),
    ("?", "this list", ()),
)
# The buttons that Space and S press, by the keys of their widgets: the first that can be pressed.
_BUTTONS = {
    "live": {"run": ("live_pause", "live_run", "race_pause", "race_run"), "step": ("live_step",)},
    "tune": {"run": ("tune_stop", "tune_start"), "step": ()},
}
_NO_BUTTONS: dict[str, tuple[str, ...]] = {"run": (), "step": ()}


def presenting() -> bool:
    """Return whether the page is shown to a room: `?present=1`."""
    return bool(state.get(_PRESENT, False))


def show(page: str) -> None:
    """Listen to the keys of a page."""
    keys = [[key, words] for key, words, pages in _LISTED if not pages or page in pages]
    _KEYS(
        key=_KEY,
        data={
            "keys": keys,
            "buttons": _BUTTONS.get(page, _NO_BUTTONS),
            "presenting": presenting(),
            "heard": state.get(_HEARD, 0),
        },
        on_present_change=_switch,
    )


def _switch() -> None:
    # What is wished and not that it changes: heard twice, it must not be undone.
    message = state.component_value(_KEY, "present")
    if message is not None:
        state.put(_PRESENT, bool(message["wished"]), False)
        state.put(_HEARD, int(message["number"]), 0)
