"""A run to watch: its parts, its curve, one sample rebuilt, and a timeline to go back on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, urlencode

from experiments import RunRequest
from experiments.engine.service import Handle
from experiments.requests.library import Spec
from ui import keys, state
from ui.assets import component
from ui.live.labels import TAKES_OVER
from ui.palette import classes, colour
from ui.words import PART_KINDS

_VIEW = component("live_view", "live")
Form = Literal["full", "parts"]
_NEAREST = "Recognised: the share of unlabelled samples whose nearest labelled sample is of their class."
_NAMED = "Recognised: the share of unlabelled samples whose class the method names rightly."
_PROMISES = {
    "objective": "The objective, step by step",
    "embedding": "All samples as points, alike ones near each other",
    "components": "One sample, rebuilt from the parts",
}
_SLOWED = "Slowed down to be seen: it took {} ms."
_PLANE = "Every sample as a point, near those of which the method makes the same, coloured by class."


@dataclass(frozen=True)
class Subject:
    """What is watched: a method, its title, what is said of its parts ({} is their number) and scores.

    `promises` say of what the method gives where it will be seen.
    """

    method: str
    title: str
    caption: str
    explained: str = ""
    promises: Mapping[str, str] = field(default_factory=dict)


def subject_of(spec: Spec) -> Subject:
    """Return how a method presents itself."""
    caption = "{} parts."
    if "components" not in spec.gives:
        caption = "Each row is a sample, each column a class: the brighter, the surer."
    elif "n_discriminative" in {param.name for param in spec.params}:
        caption = "{} parts."
    recognised_by = _NAMED if spec.recognition == "predict" else _NEAREST
    promises = {str(output): words for output, words in _PROMISES.items() if output in spec.gives}
    return Subject(spec.id, spec.title, caption, recognised_by, promises)


def live_view(
    key: str,
    handle: Handle | None,
    subject: Subject,
    *,
    form: Form = "full",
    poster: RunRequest | None = None,
    invitation: str = "",
    view: str | None = None,
    hold: bool = False,
    slowed: bool = False,
    tall: bool = False,
    phase: str | None = None,
    turned_by: str = "",
    edits: Mapping[str, Any] | None = None,
    on_edit: Callable[[], None] = state.rerun_page,
) -> None:
    """Show a run as it happens; the frames come by a road of their own, not through Streamlit.

    `poster` says whose samples are shown as long as there are no parts.
    `view` says in which view of the data the parts are shown, by default in the first.
    With `hold` the picture can be stopped without stopping the run, for a run that others watch, too;
    with `slowed` a run that is over at once is shown again, slowly.
    `tall` says that parts take as much room as the curve and the samples below each other.
    `form` "parts" leaves out all but the parts and a line about how far it is. The page (or
    the fragment this is in) runs again when the run is paused, goes on, or ends: when it is no longer in
    the `phase` that the buttons around the picture were drawn for. Read that before they are drawn: a run
    may end meanwhile. `turned_by` begins the names of the sliders that the parts follow while
    they are moved, `edits` offers what can be done to single parts (`ui.live.editing`).
    """
    data: dict[str, Any] = {
        "run": handle.id if handle else None,
        "title": subject.title,
        "colour": {"light": colour(subject.method, "light"), "dark": colour(subject.method, "dark")},
        "phase": phase or (handle.phase if handle else None),
        "form": form,
        "poster": None if poster is None else _poster(poster),
        "invitation": invitation,
        "caption": subject.caption,
        "view": view,
        "follows": handle.warm_from if handle else None,
        "palette": {"light": classes("light"), "dark": classes("dark")},
        "plane": _PLANE,
        "explained": subject.explained,
        "promises": subject.promises,
        "part_kinds": PART_KINDS,
        "hold": hold,
        "slowed": _SLOWED if slowed else "",
        "tall": tall,
        "takes_over": TAKES_OVER,
        "turned_by": turned_by,
        "presenting": keys.presenting(),
        "edits": edits,
    }
    _VIEW(key=key, data=data, on_changed_change=state.rerun_page, on_edited_change=on_edit)


def _poster(request: RunRequest) -> str:
    """Return where to find a picture of the samples a run is about."""
    return f"partwise/samples/{quote(request.dataset)}?{urlencode(request.dataset_options)}"
