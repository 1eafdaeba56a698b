"""The demonstration that runs by itself on the first page."""

from __future__ import annotations

from threading import Lock

import streamlit as st

from experiments import RunRequest
from experiments.engine.service import NOBODY, Handle
from ui import state
from ui.fragments import fragment
from ui.live.live_view import Subject, live_view
from ui.service import service

# Slow enough to watch, fast enough to be over before one looks away.
_PACE = 25.0
# Who comes before this iteration joins those who watch already: so a class of thirty needs two or three runs.
_JOIN_BEFORE = 300
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
_REQUEST = RunRequest(
    "orl", "n2s2l", {"n_components": 78, "n_discriminative": 40, "max_iter": 800, "tol": 0.0}
)
_joining = Lock()
_on_show: list[str] = []

# Written out rather than asked of the method, which takes a second to load: this is the first thing seen.
_SUBJECT = Subject("n2s2l", "N²S²L", "{} parts.")


@fragment
def show() -> None:
    """Show the demonstration; it runs when the visitor comes and not again until asked."""
    st.markdown(
        "Four hundred photographs of forty people are being taken apart into 78 parts that only add up. "
        "The method, N²S²L, knows the names behind 80 of them and looks for parts that tell people apart."
    )
    handle = _handle()
    live_view("demo", handle, _SUBJECT, poster=_REQUEST, hold=True)
    if handle.ended:
        st.button("Watch again", on_click=_start_again)
    st.caption("This demonstration is always the same: what is chosen in the sidebar is for the other pages.")
    state.publish("demo")


def doors() -> None:
    """Show where to go from here."""
    for column, (title, text, page) in zip(st.columns(len(_DOORS)), _DOORS, strict=True):
        with column, st.container(border=True, height="stretch"):
            # Not a link: that could not say which side of the page to open.
            if st.button(f"**{title}** →", type="tertiary"):
                state.choose(_CHOSEN.get(page, {}))
                st.switch_page(f"../pages/{page}.py")
            st.caption(text)


def _handle() -> Handle:
    handle = service().get(state.get("_demo"))
    return handle if handle is not None else _again()


def _start_again() -> None:
    state.put("_demo", None)


def _again() -> Handle:
    """Return a run that has not gone far, and remember it as this visitor's."""
    with _joining:
        handle = service().get(_on_show[0]) if _on_show else None
        if handle is None or handle.ended or handle.version[0] > _JOIN_BEFORE:
            # Everybody's, so it obeys nobody: a visitor's Pause is about the picture on this page alone.
            handle = service().submit(_REQUEST, pace=_PACE, validated=True, owner=NOBODY)
            _on_show[:] = [handle.id]
    state.put("_demo", handle.id)
    return handle
