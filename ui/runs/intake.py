"""Runs that come back: bundles handed in, and how much room there is for them."""

from __future__ import annotations

import secrets

import streamlit as st

from experiments.store import RunStore
from experiments.take_away import keep_parcel, unbundle
from ui import owner, state
from ui.plain import as_text
from ui.uploader import uploader
from ui.web.upload_quota import let_go
from ui.words import counted

_ROUND, _IMPORTED, _REFUSED = "_bundles round", "_bundles taken", "_bundles refused"


def intake(store: RunStore) -> None:
    """Offer to take bundles in, and say how full the store is when that matters."""
    _say_how_full(store)
    with st.expander("Bring in a bundle"):
        key = f"bundle {state.get(_ROUND, 0)}"
        uploader(
            "A zip file made by *Take away*", "zip", accept_multiple_files=True, key=key,
            on_change=_take, args=(store, key),
        )  # fmt: skip


def news() -> None:
    """Say what has become of the bundles handed in last."""
    for sentence in state.get(_REFUSED, []):
        st.error(as_text(sentence))
    if imported := state.get(_IMPORTED, 0):
        st.success(f"{counted(imported, 'run')} brought in.")


def hush() -> None:
    """Say no more of them."""
    state.put(_REFUSED, [])
    state.put(_IMPORTED, 0)


def _take(store: RunStore, key: str) -> None:
    """Take in what was handed over; the next uploader starts empty."""
    refused, imported = [], []
    files = state.widget_value(key) or []
    for file in files:
        try:
            id = secrets.token_urlsafe(12)
            keep_parcel(store, unbundle(file), id, owner.token())
        except ValueError as refusal:
            refused.append(str(refusal))
        else:
            imported.append(id)
    let_go(files)
    state.put(_ROUND, state.get(_ROUND, 0) + 1)
    state.put(_REFUSED, refused)
    state.put(_IMPORTED, len(imported))
    if imported:
        state.put("runs.picked", imported[:6], [])


def _say_how_full(store: RunStore) -> None:
    used, most = store.used_bytes(owner.token()), store.quota.owner
    if used > 0.8 * most:
        st.caption(
            f"Your runs fill {used / 1e6:.0f} of the {most / 1e6:.0f} MB that one visitor may have. When "
            "that is full, your oldest runs without name, tag or share make room; those with one stay until "
            "you delete them."
        )
