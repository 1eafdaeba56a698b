"""Who a visitor is to the runs: an unguessable token that the browser keeps beyond a reload.

Whoever has the address of a run may watch it; only its owner may steer it. The token is a cookie of our
own, for a year: Streamlit's ends with the browser, and a page's address is made to be passed on.
"""

from __future__ import annotations

import re
import secrets

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui import state

_COOKIE, _TOKEN_STATE = "partwise_owner", "_owner"
_TOKEN = re.compile(r"[\w-]{32}")
_KEEP = st.components.v2.component(
    "partwise_owner",
    html="<span hidden></span>",
    js=f"""
export default function ({{ data }}) {{
  // Two tabs opened at once: the first one's token counts.
  if (document.cookie.includes("{_COOKIE}=")) return;
  const path = new URL("./", location.href).pathname;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `{_COOKIE}=${{data.token}}; path=${{path}}; max-age=31536000; SameSite=Strict${{secure}}`;
}}
""",
)


def token() -> str:
    """Return the token of this visitor."""
    mine = state.get(_TOKEN_STATE)
    if mine is None:
        cookie = str(st.context.cookies.get(_COOKIE))
        mine = cookie if _TOKEN.fullmatch(cookie) else secrets.token_urlsafe(24)
        state.put(_TOKEN_STATE, mine)
    return str(mine)


def address() -> str:
    """Return where this visitor comes from; nothing if that is this machine, or a proxy that does not say.

    Nothing either where no page asks, but a socket of one: what that begins counts for the visitor alone.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return ""
    return st.context.ip_address or ""


def remember() -> None:
    """Let the browser keep the token; once a page, where there is a script to do so."""
    if st.context.cookies.get(_COOKIE) != token():
        _KEEP(key="owner", data={"token": token()})
