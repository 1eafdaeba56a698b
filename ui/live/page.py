"""The live run: choose a method, run it, turn its parameters meanwhile, step, go back; or hold a race."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.library import DataUnavailableError, Spec, method_spec, outlook
from ui import chosen_params, controls, state, take_away
from ui.downloads import downloads, file_stem
from ui.fragments import fragment
from ui.live import buttons, editing, race, undoing, which_view
from ui.live.curve_table import curve_table
from ui.live.live_view import live_view, subject_of
from ui.method_menu import method_menu
from ui.plain import as_text, plain
from ui.run_state import ENDED_BADLY
from ui.sidebar import Chosen, chosen
from ui.words import kind_of

_MODE, _METHOD, _VIEW = "live.mode", "method", "live_view"
_MODES = {"one": "One run", "race": "Race"}
_ASPECTS = {
    "data": ("dataset", "dataset_options", "view", "corruption"),
    "labels": ("split", "labels", "pairs"),
    "seed": ("seed",),
    "method": ("method",),
    "parameters": ("params",),
    "parts kept": ("edits",),
}
_GONE = "The run of this link is no longer kept. What it was asked is set here: Run makes it again."
_WENT_ON = "The run on show went on from the one before it: begun cold it may end elsewhere."
_WENT_ON_AND_IS_GONE = "It went on from another run: begun anew it may end elsewhere."
_ELSEWHERE = (
    "This run goes on at another server, {}: you see how far it is once a second, but it is steered there. "
    "Run starts your own here."
)
_UPDATES = {
    "accelerated": "Update: accelerated, ours. "
    "The command line and the README use the published one unless told otherwise.",
    "multiplicative": "Update: multiplicative, as published.",
}


@fragment
def show() -> None:
    """Show the page; its buttons run this part alone."""
    mode = state.control(
        st.segmented_control, "What to watch", list(_MODES), name=_MODE, default="one", required=True,
        accept=_MODES.__contains__, format_func=_MODES.get, label_visibility="collapsed",
    )  # fmt: skip
    if mode == "race":
        race.show(chosen())
    else:
        _one_run(chosen())
    state.publish("live")


def _one_run(choice: Chosen) -> None:
    bar, picture_and_controls = st.container(), st.container()
    with picture_and_controls:
        picture, panel = st.columns([3.2, 1], gap="medium")
    with panel:
        spec = method_menu("Method", name=_METHOD, default="n2s2l", choice=choice)
        st.caption(spec.summary)
        view = which_view.input_view(choice.data, spec)
        starts = chosen_params.chosen(choice.dataset, spec.id)
        with st.container(key="live_sliders"):  # On a telephone they lie under the thumb: see `ui.theme`.
            params = controls.parameters(spec, choice.facts, "live", on_change=undoing.moved, starts=starts)
        undoing.note(spec.id, params)
        chosen_params.in_use(choice.dataset, spec.id, key="live")
        _how_it_runs(spec, params)
        if needs := outlook(spec, choice.facts, params):
            st.caption(plain(needs, spec))
    request = editing.with_edits(replace(choice.request(spec.id, params), view=view), spec)
    handle, different = _following(request)
    if handle is not None and buttons.went_on() and not handle.note:
        panel.caption(_WENT_ON)
    phase = handle.phase if handle else None
    with bar:
        buttons.buttons(handle, request, same=not different)
        _remarks(handle, different)
        editing.show_edits(request)
    with picture:
        turned_by = f"live.{spec.id}" if _follows_the_hand(handle, different) else ""
        _picture(handle, phase, spec, choice, request, turned_by)
        if handle is not None:
            name = file_stem(handle.request.method, choice.dataset)
            downloads(_VIEW, name=name, numbers=lambda: curve_table([handle]).csv())
        if handle is not None and handle.ended:
            take_away.menu(handle)


def _follows_the_hand(handle: Handle | None, different: list[str]) -> bool:
    """Return whether the parts of the run on show follow a slider while it is moved.

    What starts cold would show something else when the slider is let go.
    """
    steered = handle is not None and buttons.mine(handle) and handle.status not in ENDED_BADLY
    return steered and not different and not state.get(buttons.COLD, False)


def _how_it_runs(spec: Spec, params: dict[str, Any]) -> None:
    if not spec.is_closed(params):  # What is solved in one go has nothing to go on from.
        state.control(
            st.toggle, "Start cold", name=buttons.COLD, default=False,
            help="When a parameter is changed, begin again instead of going on from the present parts.",
        )  # fmt: skip
    if (solver := params.get("solver")) in _UPDATES:
        st.caption(_UPDATES[solver])


def _following(request: RunRequest) -> tuple[Handle | None, list[str]]:
    """Return the run on show and in what it differs from what is chosen.

    If a parameter has just been moved, that is a run that goes on with it.
    """
    handle, moved = buttons.present(), undoing.take_moved()
    different = [] if handle is None else _differences(handle.request, request)
    if handle is None or different != ["parameters"] or not moved:
        return handle, different
    if not buttons.mine(handle) or handle.status in ENDED_BADLY:
        return handle, different
    cold = state.get(buttons.COLD, False)
    # By the time a slider is moved again, the run it has started before may not have begun.
    followed = buttons.start(
        request, paused=handle.held and not handle.ended, warm_from=None if cold else handle.id
    )
    return (followed, []) if followed else (handle, different)


def _differences(displayed: RunRequest, chosen: RunRequest) -> list[str]:
    """Return in what a run differs from what is chosen."""
    try:
        before, after = (json.loads(request.canonical()) for request in (displayed, chosen))
    except (ValueError, DataUnavailableError):  # The data of the run are gone: an upload that was erased.
        return ["data"]
    aspects = [word for word, names in _ASPECTS.items() if any(before.get(n) != after.get(n) for n in names)]
    # Another method has other parameters: that goes without saying.
    return [word for word in aspects if word != "parameters" or "method" not in aspects]


def _remarks(handle: Handle | None, different: list[str]) -> None:
    """Say what one might take wrongly: a run of something else, somebody else's, one that began afresh."""
    words = [buttons.last_message()]  # What a press of a button came to.
    if handle is not None:
        if different:
            what = " and ".join(different)
            words.append(f"The run below is of other {what} than chosen now. Run starts one with the choice.")
        else:  # How the run on show began matters only as long as it is of what is chosen.
            words.append(handle.note)
        if handle.elsewhere:
            words.append(_ELSEWHERE.format(as_text(handle.elsewhere)))
        elif not buttons.mine(handle):
            words.append("You are watching somebody else's run: Run starts your own.")
    elif state.get(buttons.RUN):
        words += [_GONE, _WENT_ON_AND_IS_GONE if buttons.went_on() else ""]
    if text := " ".join(filter(None, words)):
        st.caption(text)


def _picture(
    handle: Handle | None, phase: str | None, spec: Spec, choice: Chosen, request: RunRequest, turned_by: str
) -> None:
    displayed_spec = spec if handle is None else method_spec(handle.request.method)
    ended_badly = handle.message if handle and handle.status in ENDED_BADLY else ""
    if problem := buttons.problem() or ended_badly:
        st.error(plain(problem, displayed_spec))
    parts = "parts" if "components" in spec.gives else "a solution"
    view = which_view.parts_view(handle)
    live_view(
        _VIEW, handle, subject_of(displayed_spec),
        poster=request if choice.data.image_shape is not None else None,
        invitation=f"Press Run: {spec.title} takes {choice.data.n_samples} samples apart into {parts}.",
        view=view, slowed=buttons.to_be_seen(handle), tall=kind_of(choice.data) == "documents", phase=phase,
        turned_by=turned_by,
        edits=editing.offer(handle), on_edit=partial(editing.take, _VIEW),
    )  # fmt: skip
