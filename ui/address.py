"""Choices as text in an address: how values are read from it and written there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


class Unread(str):
    """A value from the address that no control has claimed yet."""

    __slots__ = ()


@dataclass(frozen=True)
class Reading:
    """How a choice is read from an address: its default, which values it may have, what makes them of text.

    Without `read` the value is of the default's kind.
    """

    default: Any = None
    accept: Callable[[Any], bool] | None = None
    read: Callable[[str], Any] | None = None

    def admits(self, value: Any) -> bool:
        """Return whether a choice may have a value; None is no choice, which is always possible."""
        return value is None or self.accept is None or self.accept(value)

    def value(self, choice: Any) -> Any:
        """Return a choice, or what an unread text stands for; the default where that is not admitted."""
        try:
            value = self._parsed(choice) if isinstance(choice, Unread) else choice
        except ValueError:
            return self.default
        return value if self.admits(value) else self.default

    def refuses(self, choice: Any) -> bool:
        """Return whether this is an unread text that stands for no value the choice may have."""
        try:
            return isinstance(choice, Unread) and not self.admits(self._parsed(choice))
        except ValueError:
            return True

    def _parsed(self, text: str) -> Any:
        kind = type(self.default)
        if self.read is not None:
            return self.read(text)
        if kind is bool:
            return text == "1"
        if kind in (list, tuple):
            return kind(part for part in text.split(",") if part)
        return kind(text) if kind in (int, float) else str(text)


@dataclass(frozen=True)
class Refusal:
    """A value in the address that a control does not take: its name and label, its text, what is used."""

    name: str
    label: str
    text: str
    used: Any


def written(value: Any) -> str:
    """Return a value as the address has it."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(str(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
