"""What runs by itself on the first page: stick figures coming apart, or faces; and where to go from there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from time import sleep
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.service import NOBODY, Handle, RunRefusedError
from ui import state
from ui.assets import component
from ui.fragments import fragment
from ui.live import opening_run
from ui.live.live_view import Subject, live_view
from ui.service import service

_OPENING = component("opening", "opening")
_DOORS = (
    ("Explore faces", "Choose a method, turn its parameters while it runs, step, go back.", "live"),
    (
        "Explore documents",
        "What they are about: topics with their words, and a map to read from.",
        "documents",
    ),
    (
        "Bring your own data",
        "Photos, tables, texts: look at them, and see what a method makes of them.",
        "data",
    ),
)
_CHOSEN = {"data": {"look": "own"}}
_OF, _FIGURES, _FACES = "of", "figures", "faces"
_WORDS = {_FIGURES: "Stick figures", _FACES: "Faces"}


@dataclass(frozen=True)
class _Demo:
    """A run that visitors share: at which pace, and before which iteration one may still join."""

    request: RunRequest
    pace: float
    join_before: int


_DEMOS = {
    _FIGURES: _Demo(opening_run.REQUEST, opening_run.PACE, 40),
    # Who comes early enough joins those who watch already: so a class of thirty needs two or three runs.
    _FACES: _Demo(
        RunRequest("orl", "n2s2l", {"n_components": 78, "n_discriminative": 40, "max_iter": 800, "tol": 0.0}),
        25.0,
        300,
    ),
}
_joining = Lock()
# For the server to send the title before this thread loads what a run needs.
_TITLE_SENT = 0.04
_on_show: dict[str, str] = {}

# Written out rather than asked of the method, which takes a second to load: this is the first thing seen.
_FACES_SUBJECT = Subject("n2s2l", "N²S²L", "{} parts.")


@lru_cache(maxsize=1)
def _send_title() -> None:
    """Let the title leave a fresh server: its first visitor would else wait for all that this page loads."""
    sleep(_TITLE_SENT)


@fragment
def show() -> None:
    """Show the demonstration; it runs when the visitor comes and not again until asked."""
    _send_title()
    what = state.control(
        st.segmented_control, "What is taken apart", list(_WORDS), name=_OF, default=_FIGURES, required=True,
        accept=_WORDS.__contains__, format_func=_WORDS.get, label_visibility="collapsed",
    )  # fmt: skip
    # Its height is kept free from the beginning, so that the doors below do not move.
    with st.container(key=f"demo_{what}"):
        if what == _FACES:
            _faces()
        else:
            _figures()
    state.publish("demo")


def _figures() -> None:
    st.markdown(
        "These 256 stick figures were shown to a method that may only **add** parts, never take away. "
        "Nobody told it what an arm or a leg is."
    )
    run, refusal = None, ""
    try:
        run = _handle(_FIGURES).id
    except RunRefusedError as refused:  # What was recorded is shown all the same.
        refusal = str(refused)
    data: dict[str, Any] = {"run": run, "sample": opening_run.SAMPLE, "samples": opening_run.SAMPLES}
    _OPENING(key="opening", data=data)
    if refusal:
        st.info(refusal)


def _faces() -> None:
    st.markdown(
        "Four hundred photographs of forty people are being taken apart into 78 parts that only add up. "
        "The method, N²S²L, knows the names behind 80 of them and looks for parts that tell people apart."
    )
    handle = _handle(_FACES)
    live_view("demo", handle, _FACES_SUBJECT, poster=_DEMOS[_FACES].request, hold=True)
    if handle.ended:
        st.button("Watch again", on_click=_start_again, args=(_FACES,))


def doors() -> None:
    """Show where to go from here."""
    for column, (title, text, page) in zip(st.columns(len(_DOORS)), _DOORS, strict=True):
        with column, st.container(border=True, height="stretch"):
            # Not a link: that could not say which side of the page to open.
            if st.button(f"**{title}** →", type="tertiary"):
                state.choose(_CHOSEN.get(page, {}))
                st.switch_page(f"../pages/{page}.py")
            st.caption(text)


def _handle(which: str) -> Handle:
    handle = service().get(state.get(_choice(which)))
    return handle if handle is not None else _again(which)


def _choice(which: str) -> str:
    return f"_demo.{which}"


def _start_again(which: str) -> None:
    state.put(_choice(which), None)


def _again(which: str) -> Handle:
    """Return a run that has not gone far, and remember it as this visitor's."""
    demo = _DEMOS[which]
    with _joining:
        handle = service().get(_on_show.get(which))
        if handle is None or handle.ended or handle.version[0] > demo.join_before:
            # Everybody's, so it obeys nobody: a visitor's Pause is about the picture on this page alone.
            handle = service().submit(demo.request, pace=demo.pace, validated=True, owner=NOBODY)
            _on_show[which] = handle.id
    state.put(_choice(which), handle.id)
    return handle
