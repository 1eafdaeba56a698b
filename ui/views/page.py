"""The same samples seen in several ways: how much SULF trusts each view, and what fusing them is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.library import Dataset, Spec, method_spec, why_not
from ui import controls, owner, param_slider, state
from ui.assets import component
from ui.downloads import downloads
from ui.fragments import fragment
from ui.live.live_view import Subject, live_view
from ui.palette import classes
from ui.plain import plain
from ui.run_state import ENDED_BADLY, STATE
from ui.service import service
from ui.sidebar import Chosen, chosen, follow
from ui.views import invitation
from ui.views.contest import show_contest
from ui.views.course_table import course_table
from ui.words import counted

_METHOD = "sulf"
_SLIDERS = f"views.{_METHOD}"
# The run is not told in the address: whoever gets a link begins with a run of their own.
_RUN, _VIEW_NAME, _BESIDE = "_views.run", "views.view", "views.beside"
_COURSE = component("views", "views")
_ALONE = "nothing else"
# What one moves to see the weights respond.
_LEVERS = ("lam", "beta")


@fragment
def show() -> None:
    """Show the page."""
    follow()
    choice = chosen()
    spec = method_spec(_METHOD)
    if len(choice.data.views) < 2:
        invitation.show(choice)
    elif missing := why_not(spec, choice.data, choice.rows):
        st.info(f"{spec.title} cannot work on {choice.data.title} as it is: it needs {missing}.")
    else:
        _compare_views(choice, spec)
        show_contest(choice)
    state.publish("views")


def _compare_views(choice: Chosen, spec: Spec) -> None:
    many = counted(len(choice.data.views), "view")
    st.markdown(
        f"**{choice.data.title}** comes in {many}. {spec.title} explains all of them with one set of "
        "coefficients, and gives a view more weight the better it is explained. "
        "λ says how much more; watch the weights as you move it."
    )
    picture, panel = st.columns([3.2, 1], gap="medium")
    with panel:
        params = controls.parameters(spec, choice.facts, "views", skip=_LEVERS)
    with picture:
        for column, lever in zip(st.columns(len(_LEVERS), gap="medium"), _LEVERS, strict=True):
            others = [param.name for param in spec.params if param.name != lever]
            with column:
                params |= controls.parameters(spec, choice.facts, "views", skip=others)
        try:
            handle = _following(choice.request(spec.id, params))
        except ValueError as refusal:
            st.error(plain(str(refusal), spec))
            return
        phase = handle.phase  # Before what it decides is drawn: see `live_view`.
        if handle.status in ENDED_BADLY:
            st.error(plain(handle.message, spec))
        if handle.status == "interrupted":
            st.button("Run it again", on_click=state.put, args=(_RUN, None))
        # One of the views on the page has a line for the hand on the sliders; the others hear of it.
        topics, turned_by = bool(choice.data.view_features), param_slider.followed(handle, spec, _SLIDERS)
        _component("views course", choice.data, handle, phase, turned_by=turned_by if topics else [])
        if topics:
            _topics(choice.data, handle, phase)
        else:
            _parts(choice.data, handle, "".join(turned_by))


def _following(request: RunRequest) -> Handle:
    """Return the run of what the controls say, from its own start: the address alone decides the numbers.

    The run one begins with is everybody's, so that it is there at once for whoever comes next.
    """
    before = service().get(state.get(_RUN))
    if before is not None and before.request.key == request.key and before.status != "stopped":
        return before
    if before is not None and _same_data(before.request, request):
        handle = service().submit(request, owner=owner.token())
    else:
        handle = service().shared(request)
    if before is not None and not before.shared:
        service().command(before.id, "stop", owner=owner.token())
    state.put(_RUN, handle.id)
    return handle


def _same_data(first: RunRequest, second: RunRequest) -> bool:
    return (first.dataset, first.dataset_options, first.split, first.labels, first.seed) == (
        second.dataset, second.dataset_options, second.split, second.labels, second.seed,
    )  # fmt: skip


def _component(
    key: str,
    ds: Dataset,
    handle: Handle,
    phase: str,
    words: Sequence[str] = (),
    turned_by: Sequence[str] = (),
) -> None:
    """Show the course of a run, or its topics in the words of some views."""
    data: dict[str, Any] = {
        "run": handle.id,
        "preparing": STATE["preparing"],
        "views": list(ds.views),
        "palette": {"light": classes("light"), "dark": classes("dark")},
        "words": list(words),
        "ended": phase == "ended",
        "printed": handle.request.params.get("rule") == "printed",
        "turns": param_slider.turns_of(turned_by),
        "following": param_slider.FOLLOWING,
    }
    _COURSE(key=key, data=data, on_changed_change=state.rerun_page)
    downloads(key, numbers=None if words else lambda: course_table(handle).csv())


def _topics(ds: Dataset, handle: Handle, phase: str) -> None:
    """Show the same topics in the words of two views."""
    names = list(ds.view_features)
    others = [_ALONE, *names]
    st.header("The same topics, in the words of two views")
    left, right, _ = st.columns([1, 1, 2])
    with left:
        first = state.control(
            st.selectbox, "Topics in", names, name=_VIEW_NAME, default=names[0], accept=names.__contains__
        )
    with right:
        second = state.control(
            st.selectbox, "and in", others, name=_BESIDE, default=names[1] if len(names) > 1 else _ALONE,
            accept=others.__contains__,
        )  # fmt: skip
    displayed_views = [first] if second in (_ALONE, first) else [first, second]
    _component("views topics", ds, handle, phase, displayed_views)


def _parts(ds: Dataset, handle: Handle, turned_by: str) -> None:
    """Show the parts in one of the views; they follow the sliders they are `turned_by`."""
    names = list(ds.views)
    view = state.control(
        st.segmented_control, "Parts in view", names, name=_VIEW_NAME, default=names[0], required=True,
        accept=names.__contains__,
    )  # fmt: skip
    drawable = ds.image_shape is not None and view == names[0]
    caption = (
        "{} parts, as pictures."
        if drawable
        else "{} parts, one a row; each column is a feature of this view."
    )
    subject = Subject(_METHOD, f"Parts in {view}", caption)
    live_view(
        "views parts",
        handle,
        subject,
        form="parts",
        view=view,
        turned_by=turned_by,
    )
