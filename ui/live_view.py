"""A run to watch: its parts, its curve, one sample rebuilt, and a timeline to go back on."""

from __future__ import annotations

from typing import Any, Literal

from experiments.library import Spec
from experiments.service import Handle
from ui.assets import component
from ui.palette import colour

_VIEW = component("live_view", "live")
Form = Literal["full", "parts"]


def live_view(
    key: str,
    handle: Handle | None,
    spec: Spec,
    *,
    form: Form = "full",
    invitation: str = "",
) -> None:
    """Show a run as it happens; the frames come by a road of their own, not through Streamlit.

    `form` "parts" leaves out all but the parts and a line about how far it is. The page (or
    the fragment this is in) runs again when the run is paused, goes on, or ends.
    """
    data: dict[str, Any] = {
        "run": handle.id if handle else None,
        "title": spec.title,
        "colour": {"light": colour(spec.id, "light"), "dark": colour(spec.id, "dark")},
        "state": _state(handle),
        "form": form,
        "invitation": invitation,
        "caption": _caption(spec),
    }
    _VIEW(key=key, data=data, on_changed_change=_look_again)


def _caption(spec: Spec) -> str:
    """Return what is said below the picture; {} stands for the number of parts."""
    if "components" not in spec.gives:
        return "Each row is a sample, each column a class: the darker or brighter, the surer."
    if "n_discriminative" in {param.name for param in spec.params}:
        return "{} parts. The first ones tell classes apart, the others help to rebuild."
    return "{} parts."


def _state(handle: Handle | None) -> str | None:
    """Return what the buttons of the page are drawn for."""
    if handle is None:
        return None
    return "ended" if handle.ended else "paused" if handle.status == "paused" else "running"


def _look_again() -> None:
    """Do nothing but let the page run again."""
