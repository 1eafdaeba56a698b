"""Who is still recognised behind a patch: a face to cover by hand, several fitted methods that answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from experiments import RunRequest
from experiments.corruption import KINDS
from experiments.library import Dataset, Spec, facts, rows_of, runnable
from experiments.recognition import Metric
from experiments.service import Handle
from ui import state
from ui.assets import component
from ui.palette import colour
from ui.service import service
from ui.sidebar import Chosen, chosen

_VIEW = component("occlusion", "occlusion")
_KEY = "occlusion view"
_MOST = 6
_DEFAULT = ("pca", "lda", "nmf", "n2s2l")
# On the faces shown first, this one is recognised by some of the methods shown first and not by all.
_FIRST_FACE = 47
_TESTED = {"held": "no method has seen", "seen": "seen, but without their name"}
_METRICS: dict[Metric, str] = {"euclidean": "by difference", "cosine": "by angle"}


@st.fragment
def show() -> None:
    """Show the page."""
    choice = chosen()
    if choice.data.image_shape is None or not choice.data.n_classes:
        st.info("Only pictures of known people or things can be covered. Choose faces in the sidebar.")
    else:
        _laboratory(choice)
    state.publish("occlusion")


def _laboratory(choice: Chosen) -> None:
    methods = {name: spec for name, spec in runnable().items() if "transform" in spec.gives}
    names, kind, tested, metric = _controls(methods, choice.data)
    if not names:
        st.info("Choose a method to see whom it recognises.")
        return
    held = _held_out(choice) if tested == "held" else 0
    runs = [_run(_request(choice, methods[name], held), methods[name]) for name in names]
    for refusal in (run for run in runs if isinstance(run, str)):
        st.error(refusal)
    kept = {run.id: name for name, run in zip(names, runs, strict=True) if isinstance(run, Handle)}
    if kept:
        _view(choice, held, {id: methods[name] for id, name in kept.items()}, kind, metric)


def _controls(methods: Mapping[str, Spec], ds: Dataset) -> tuple[list[str], str, str, Metric]:
    names = state.control(
        st.multiselect, "Methods", list(methods), name="recognisers", default=list(_DEFAULT),
        accept=lambda chosen: set(chosen) <= set(methods) and len(chosen) <= _MOST,
        format_func=lambda id: methods[id].title, max_selections=_MOST,
    )  # fmt: skip
    kind = state.control(
        st.segmented_control, "Patch", list(KINDS), name="patch", default=KINDS[0],
        accept=KINDS.__contains__, required=True,
    )  # fmt: skip
    left, right = st.columns(2)
    what = "faces" if ds.card and ds.card.class_unit == "person" else "pictures"
    with left:
        tested = state.control(
            st.segmented_control, f"Covered are {what} that", list(_TESTED), name="tested", default="held",
            accept=_TESTED.__contains__, format_func=_TESTED.get, required=True,
            help="Half of the pictures without a label are kept from all methods, to test on. "
            "Or test on those that semi-supervised methods have learnt from, uncovered.",
        )  # fmt: skip
    with right:
        metric = state.control(
            st.segmented_control, "Features are compared", list(_METRICS), name="metric",
            default="euclidean", accept=_METRICS.__contains__, format_func=_METRICS.get, required=True,
            help="Nearest is who differs least (Euclidean distance), or who lies in the same direction "
            "(cosine), whatever the contrast.",
        )  # fmt: skip
    return names, kind, tested, metric


def _held_out(choice: Chosen) -> int:
    """Return how many samples of each class are kept from all methods: half of what is not labelled."""
    ds = choice.data
    assert ds.y is not None
    smallest = int(np.bincount(ds.y[ds.y >= 0]).min())
    labelled = int(np.bincount(ds.y[choice.rows.labelled]).max())
    return min(max(1, (smallest - labelled) // 2), smallest - 1)


def _request(choice: Chosen, spec: Spec, held: int) -> RunRequest:
    bare = choice.request(spec.id, {})
    bare = replace(bare, split={**bare.split, "held_out_per_class": held})
    sizes = facts(choice.data, rows_of(choice.data, bare))
    params = {name: value for name, value in spec.starting_values(sizes).items() if value is not None}
    return replace(bare, params=params)


def _run(request: RunRequest, spec: Spec) -> Handle | str:
    """Return the run everybody shares for this request, or the reason why there can be none."""
    try:
        return service().shared(request)
    except ValueError as refusal:
        return f"{spec.title}: {refusal}"


def _view(choice: Chosen, held: int, runs: Mapping[str, Spec], kind: str, metric: Metric) -> None:
    ds = choice.data
    assert ds.image_shape is not None
    rows = rows_of(ds, _request(choice, next(iter(runs.values())), held))
    count = int((rows.held_out if rows.held_out.size else rows.unlabelled).size)
    default = (min(_FIRST_FACE, count - 1), *_middle(ds.image_shape))
    place = state.get("place", default, lambda value: _fits(value, count, ds.image_shape), _read_place)
    state.put("place", place, default)
    data: dict[str, Any] = {
        "runs": [
            {"id": id, "method": spec.id, "title": spec.title}
            | {"colour": {"light": colour(spec.id, "light"), "dark": colour(spec.id, "dark")}}
            for id, spec in runs.items()
        ],
        "shape": list(ds.image_shape),
        "count": count,
        "kind": kind,
        "metric": metric,
        "place": dict(zip(("face", "left", "top", "size"), place, strict=True)),
        # Another data set or split: the face and the place in hand mean nothing there.
        "ground": f"{ds.id} {dict(ds.options)} {dict(choice.split)} {choice.seed} {held}",
        "unit": ds.card.class_unit if ds.card else "class",
        "unseen": bool(held),
    }
    _VIEW(key=_KEY, data=data, on_place_change=_remember, on_gone_change=_look_again)


def _middle(shape: tuple[int, int]) -> tuple[int, int, int]:
    """Return left, top and size of a patch over the middle of a face."""
    height, width = shape
    size = round(min(shape) * 5 / 16)
    return (width - size) // 2, (height - size) // 2, size


def _fits(place: Any, count: int, shape: tuple[int, int] | None) -> bool:
    if shape is None or len(place) != 4:
        return False
    face, left, top, size = place
    return (
        min(place) >= 0
        and face < count
        and size <= min(shape)
        and left + size <= shape[1]
        and top + size <= shape[0]
    )


def _read_place(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _remember() -> None:
    """Take over where the patch was left, so that the address says it too."""
    told = state.component_value(_KEY, "place")
    if told:
        state.put("place", tuple(int(told[name]) for name in ("face", "left", "top", "size")))


def _look_again() -> None:
    """Do nothing but let the page run again: runs that are no longer kept are then started anew."""
