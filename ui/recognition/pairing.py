"""Pairs: choose two samples, say that they must or cannot go together, and see what the method does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from experiments import RunRequest
from experiments.inspection.inspection_job import paired_of
from experiments.inspection.layout import aligned
from experiments.inspection.paired import Paired
from experiments.requests.by_hand import Pair
from experiments.requests.library import Dataset, Spec, rows_of
from experiments.requests.titles import sample_title
from experiments.table_files import TableFile
from ui import owner, state, words
from ui.by_hand import hand_pairs
from ui.downloads import downloads
from ui.map_view import map_view, picked
from ui.method_menu import left_out, method_menu, offered
from ui.recognition import choosing
from ui.service import service
from ui.sidebar import Chosen
from ui.tips import class_of, tips
from ui.waiting import Answer, Desk

_PROBLEM = "_pairs.problem"
_SIDES = {"must": "Must go together", "cannot": "Cannot go together"}


def show(choice: Chosen) -> None:
    """Show the section."""
    ds = choice.data
    if ds.n_samples < 4:
        st.info("Four samples at least are needed. Choose larger data in the sidebar.")
        return
    if not offered(choice, _takes_pairs):
        st.info(f"No method that takes pairs can work on these data. {left_out(choice, _takes_pairs)}")
        return
    spec, bare = _controls(choice)
    pairs = hand_pairs.given(choice.dataset, ds.n_samples)
    desk = Desk()
    before, after = (_fit(replace(bare, pairs=applied), desk) for applied in ((), pairs))
    left, right = st.columns([3, 2], gap="large")
    with left:
        two = _map(choice, bare, pairs, before, after)
    with right:
        _effect(ds, pairs, before, after)
        _say(choice, two)
        _list(ds, pairs, before, after)
    desk.watch(f"{spec.title} is taking it in…")


def _controls(choice: Chosen) -> tuple[Spec, RunRequest]:
    ds = choice.data
    left, middle, right = st.columns([1.4, 1.2, 1], vertical_alignment="bottom")
    with left:
        spec = method_menu("Method", name="pairs.method", default="dpca", choice=choice, accept=_takes_pairs)
    most = max(2, min(40, ds.n_samples - 1, ds.n_features))
    with middle:
        usual = 10 if most > 20 else 2
        directions = state.control(
            st.slider, "Directions", 1, most, name="pairs.k", default=usual, key=f"pairs.k of {most}",
            accept=lambda value: 1 <= value <= most,
            help="In so many directions samples are compared. The map shows the first two.",
        )  # fmt: skip
    with right:
        alone = state.control(
            st.toggle, "Only my pairs", name="pairs.alone", default=True,
            help="Labels are taken away: the method knows which pairs belong together or apart, no more.",
        )  # fmt: skip
    bare = choice.request(spec.id, {"n_components": directions})
    if alone and ds.y is not None:
        bare = replace(bare, split={"labelled_per_class": 0}, labels=())
    return spec, bare


def _takes_pairs(spec: Spec) -> bool:
    return "pairs" in spec.needs | spec.takes


def _fit(request: RunRequest, desk: Desk) -> Answer:
    visitor = owner.token()
    return desk.ask(
        ("paired", request.key), lambda: paired_of(request, service().jobs, visitor), patience=0.5
    )


def _map(
    choice: Chosen, bare: RunRequest, pairs: tuple[Pair, ...], before: Answer, after: Answer
) -> tuple[int, ...]:
    """Show the samples where the method puts them, the pairs as lines, and return which are chosen."""
    ds, rows = choice.data, rows_of(choice.data, bare)
    fit: Paired | None = after.value or before.value
    if fit is None:
        st.info(after.message or before.message or "The map is being worked out…")
        return ()
    points = (
        fit.points
        if before.value is None or fit is before.value
        else aligned(fit.points, before.value.points)
    )
    key, occasion = f"pairs map {choice.dataset}", f"{len(pairs)} pairs"
    drawn = [pair for pair in pairs if pair[1] < ds.n_samples]
    many = words.counted(ds.n_samples, *words.sample_words(ds))
    map_view(
        key, points, label=f"Map of {many}, {words.counted(len(pairs), 'pair')} said of them.",
        colours=ds.y, names=ds.target_names, tips=tips(ds, rows), marks=rows.labelled, choice=occasion,
        edges=([pair[:2] for pair in drawn], np.ones(len(drawn))), on_pick=state.rerun_page,
        crossing=[pair[2] == "cannot" for pair in drawn],
    )  # fmt: skip
    st.caption(
        "The first two directions. Lines: must go together; dashed: cannot. Click one sample, then "
        "shift-click another; on a touch screen tap both, by keyboard choose with the space bar."
    )
    return picked(key, occasion)


def _effect(ds: Dataset, pairs: tuple[Pair, ...], before: Answer, after: Answer) -> None:
    """Say what the pairs have changed."""
    fit: Paired | None = after.value
    share = None if fit is None else fit.same
    plain: Paired | None = before.value
    gained = None
    if pairs and share is not None and plain is not None and plain.same is not None:
        gained = f"{100 * (share - plain.same):+.1f} points"
    with st.container(horizontal=True, gap="large"):
        st.metric(
            f"Nearest is of the same {words.class_unit(ds)}", "–" if share is None else f"{share:.1%}", gained
        )
        st.metric("My pairs", len(pairs))
    if after.message:
        st.info(after.message)


def _say(choice: Chosen, two: tuple[int, ...]) -> None:
    """Show the buttons that add the two chosen samples as a must-link or cannot-link pair."""
    ds = choice.data
    if two:
        choosing.strip(choice, two)
    if len(two) != 2:
        st.caption("Choose two on the map." if len(two) < 2 else "Two at a time: choose fewer.")
    with st.container(horizontal=True):
        for side, label in _SIDES.items():
            st.button(
                label,
                disabled=len(two) != 2,
                on_click=_add,
                args=(choice.dataset, ds.n_samples, (*two, side)),
            )
        st.button(
            "Undo", key="undo pair", on_click=_undo, args=(choice.dataset, ds.n_samples),
            disabled=not hand_pairs.can_undo(choice.dataset, ds.n_samples),
        )  # fmt: skip
    if problem := state.get(_PROBLEM):
        st.error(problem)


def _list(ds: Dataset, pairs: tuple[Pair, ...], before: Answer, after: Answer) -> None:
    """List the pairs, and how far apart they were and are."""
    if not pairs or before.value is None or after.value is None:
        return
    plain, fit = before.value, after.value
    table = {
        "Pair": [f"{_short(ds, first)} – {_short(ds, second)}" for first, second, _ in pairs],
        "Said": [{"must": "together", "cannot": "apart"}[side] for *_, side in pairs],
        "Before": [f"{plain.distance(first, second):.2f}" for first, second, _ in pairs],
        "Now": [f"{fit.distance(first, second):.2f}" for first, second, _ in pairs],
    }
    st.dataframe(table, hide_index=True)
    file = TableFile("Pairs", list(table), list(zip(*table.values(), strict=True)))
    downloads("pairs", drawn=False, table=lambda: file)
    st.caption("Before and now: how far apart the two are; 1 is usual between two samples.")


def _short(ds: Dataset, row: int) -> str:
    return " ".join(filter(None, (class_of(ds, row), sample_title(ds, row))))


def _add(dataset: str, of: int, pair: Pair) -> None:
    try:
        hand_pairs.say(dataset, of, pair)
    except ValueError as refusal:
        state.put(_PROBLEM, str(refusal))
    else:
        state.put(_PROBLEM, None)


def _undo(dataset: str, of: int) -> None:
    hand_pairs.undo(dataset, of)
    state.put(_PROBLEM, None)
