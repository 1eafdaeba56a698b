"""Requests of a page that has just been left: Streamlit would take the page now shown away for them.

A part of a page that is drawn anew alone (a fragment) may be asked for in the very moment in which another
page is opened. Streamlit then either draws the old page once more, or finds no such part and yet tells the
browser that the old page is shown, which clears the new one for good. Nobody would see what is asked for.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType


def refuse_stale_requests() -> None:
    """Have every session pass over requests of pages that have been left."""
    request_rerun = AppSession.request_rerun

    @wraps(request_rerun)
    def checked(self: AppSession, client_state: ClientState | None) -> None:
        if not is_stale(self, client_state):
            request_rerun(self, client_state)

    AppSession.request_rerun = checked  # type: ignore[method-assign]


def is_stale(session: Any, client_state: ClientState | None) -> bool:
    """Return whether a part of a page is asked for that is neither shown nor about to be."""
    if client_state is None or not client_state.fragment_id:
        return False
    asked, shown = client_state.page_script_hash, _page_to_come(session)
    return bool(asked and shown and asked != shown)


def _page_to_come(session: Any) -> str:
    """Return the page that a session draws next, or draws now."""
    runner = session._scriptrunner
    if runner is not None:
        requests = runner._requests
        with requests._lock:
            waits = requests._state == ScriptRequestType.RERUN and not requests._rerun_data.fragment_id_queue
            if waits:
                return str(requests._rerun_data.page_script_hash)
    return str(session._pages_manager.current_page_script_hash)
