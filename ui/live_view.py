"""A run to watch: its parts, its curve, one sample rebuilt, and a timeline to go back on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from experiments.library import Spec
from experiments.service import Handle
from ui.assets import component
from ui.methods import colour

_VIEW = component("live_view", "live")
Form = Literal["full", "parts"]


def live_view(
    key: str,
    handle: Handle | None,
    spec: Spec,
    *,
    form: Form = "full",
    invitation: str = "",
    on_end: Callable[[], None] | None = None,
) -> None:
    """Show a run as it happens; the frames come by a road of their own, not through Streamlit.

    `form` "parts" leaves out all but the parts and a line about how far it is. `on_end` is
    called, and the page run again, when the run ends.
    """
    data: dict[str, Any] = {
        "run": handle.id if handle else None,
        "title": spec.title,
        "colour": {"light": colour(spec.id, "light"), "dark": colour(spec.id, "dark")},
        "form": form,
        "invitation": invitation,
        "discriminative": "n_discriminative" in {param.name for param in spec.params},
    }
    _VIEW(key=key, data=data, on_ended_change=on_end or _nothing)


def _nothing() -> None:
    """Let the page run again."""
