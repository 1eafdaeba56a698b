"""Choices as text in an address: how values are read from it and written there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

ADDRESS = st.components.v2.component(
    "partwise_address",
    html="<span hidden></span>",
    js="""
export default function ({ data }) {
  // The server has been restarted, or another has taken over: Streamlit begins the new session with the
  // address this page was loaded with. What was chosen since stands in the address alone.
  const restarted = globalThis.partwiseSession && globalThis.partwiseSession !== data.session;
  globalThis.partwiseSession ??= data.session;
  // replaceState, not pushState: a slider must not fill the browser's history.
  const kept = new URLSearchParams(location.search);
  const wanted = new URLSearchParams(data.query);
  for (const [name, value] of kept) if (name.startsWith("embed")) wanted.append(name, value);
  const query = wanted.toString();
  const search = query ? "?" + query : "";
  if (restarted && search !== location.search) location.reload();
  else history.replaceState(history.state, "", location.pathname + search + location.hash);
}
""",
)


def parsed_or(text: str, default: Any, read: Callable[[str], Any] | None) -> Any:
    """Return the value a text stands for, or the default if it stands for none."""
    try:
        return parsed(text, default, read)
    except ValueError:
        return default


def parsed(text: str, default: Any, read: Callable[[str], Any] | None) -> Any:
    """Return the value a text stands for; its kind is that of the default. Raises a ValueError."""
    kind = type(default)
    if read is not None:
        return read(text)
    if kind is bool:
        return text == "1"
    if kind in (list, tuple):
        return kind(part for part in text.split(",") if part)
    return kind(text) if kind in (int, float) else str(text)


def written(value: Any) -> str:
    """Return a value as the address has it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(str(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
