"""Which method? Several tuned on a fair budget, each split by its own labels, then compared by one test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from experiments.requests.library import Spec, method_spec
from experiments.tuning import Sweep, SweepTable
from experiments.tuning.contest import USUAL_SPLITS, USUAL_TRIALS, Contest, contest, fair_sweeps
from experiments.tuning.contest_report import as_csv, as_table, tables_of_all, trials_of_all
from ui import owner, state, unattended
from ui.chosen_params import words as params_in_words
from ui.downloads import downloads
from ui.fragments import fragment
from ui.method_menu import methods_menu
from ui.plain import as_text
from ui.recognition import accuracy_charts
from ui.service import tables
from ui.sidebar import Chosen
from ui.tune.setup import choices_of
from ui.words import counted, number

Sweeps = Mapping[str, Sweep]
_RUNNING, _TABLE = "_tune.against running", "tune against"
_LOOK_EVERY, _PATIENCE = 1.5, 0.3
_USUAL, _MOST = ["n2s2l", "lap_rlsc", "nmf"], 6
_ABOUT = (
    "Each method gets as many trials, spread over the ranges of up to three of its parameters. On each split "
    "it chooses by its own labelled samples alone, and is then asked about the others: no label that counts "
    "has had a say in the choice."
)


def show(choice: Chosen) -> None:
    """Show the controls and how the methods compare so far."""
    if not choice.data.n_classes:
        st.info(
            "These data have no classes, so no method can be right or wrong: choose others, or label some."
        )
        return
    if choice.split.get("labelled_per_class") == 1:
        st.info(
            "One sample of each class is labelled, so none can be held back to choose by: label two or more."
        )
        return
    first, second, third = st.columns([2.4, 1, 1], vertical_alignment="bottom")
    with first:
        specs = methods_menu(
            "Methods", name="tune.methods", default=_USUAL, most=_MOST, choice=choice, accept=_recognises
        )
    with second:
        trials = state.control(
            st.number_input, "Trials for each", 4, 200, name="tune.against.trials", default=USUAL_TRIALS,
            accept=lambda value: 4 <= value <= 200,
        )  # fmt: skip
    with third:
        splits = state.control(
            st.slider, "Splits", 2, 10, name="tune.against.splits", default=USUAL_SPLITS,
            accept=lambda value: 2 <= value <= 10,
        )  # fmt: skip
    if len(specs) < 2:
        st.info("Choose two methods or more.")
        return
    st.caption(_ABOUT)
    try:
        _compare(choice, fair_sweeps(choice.request("nmf", {}), [spec.id for spec in specs], trials, splits))
    except ValueError as refusal:
        st.info(as_text(str(refusal)))


def _recognises(spec: Spec) -> bool:
    return spec.recognition == "predict" or bool({"embedding", "transform"} & spec.gives)


def _compare(choice: Chosen, sweeps: Sweeps) -> None:
    key = " ".join(sweep.key for sweep in sweeps.values())
    results = tables().ask(
        owner.token(), f"{_TABLE} glance", trials_of_all(sweeps), begins=False, patience=_PATIENCE
    )
    by_method = tables_of_all(sweeps, results)
    whole = all(table.whole for table in by_method.values())
    running = state.get(_RUNNING) == key and not whole
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Start", type="primary", disabled=running or whole, on_click=state.put, args=(_RUNNING, key)
        )
        st.button("Stop", disabled=not running, on_click=state.put, args=(_RUNNING, None))
        if running:
            title = f"{counted(len(sweeps), 'method')} tuned on {choice.data.title}"
            unattended.offer_table(title, "tune", partial(trials_of_all, sweeps), key="against leave")
    if running:
        fragment(_under_way, run_every=_LOOK_EVERY)(sweeps)
    else:
        _standing(by_method)


def _under_way(sweeps: Sweeps) -> None:
    """Have the trials carried out, and show how the methods compare so far."""
    by_method = tables_of_all(sweeps, tables().ask(owner.token(), _TABLE, trials_of_all(sweeps), begins=True))
    if all(table.whole for table in by_method.values()):
        st.rerun()
    _standing(by_method)


def _standing(by_method: Mapping[str, SweepTable]) -> None:
    """Show how the methods compare as far as is known, and what each has chosen."""
    done, total = (sum(getattr(table, name) for table in by_method.values()) for name in ("done", "total"))
    if not done:
        st.caption(f"{number(total)} fits. The methods are drawn here as soon as the first have an answer.")
        return
    if done < total:
        st.caption(f"{number(done)} of {number(total)} fits done: what follows is as far as they go.")
    compared = contest(by_method)
    titles = {id: method_spec(id).title for id in by_method}
    accuracy_charts.by_method("against", titles, {id: one.scores for id, one in compared.tuned.items()})
    if not all(np.isnan(one.scores).all() for one in compared.tuned.values()):
        st.markdown("\n".join(f"- {as_text(sentence)}" for sentence in compared.sentences))
    _chosen(by_method, compared)
    downloads(
        "against", name=f"tuned-{len(titles)}-methods", table=lambda: as_table(compared),
        numbers=lambda: as_csv(by_method, compared),
    )  # fmt: skip


def _chosen(by_method: Mapping[str, SweepTable], compared: Contest) -> None:
    """Show what each method chose, split by split, with the way to its map."""
    st.markdown("**What each has chosen**")
    for id, tuned in compared.tuned.items():
        sweep, title = by_method[id].sweep, method_spec(id).title
        if all(axis.read_only for axis in sweep.axes):
            st.caption(f"{title} has nothing to tune.")
            continue
        points = [params_in_words(id, sweep.params(point)) for point in tuned.points if point is not None]
        with st.container(horizontal=True, vertical_alignment="center"):
            often = {words: points.count(words) for words in points}
            chosen = "; ".join(
                words + (f" ({times} ×)" if times > 1 else "") for words, times in often.items()
            )
            st.caption(f"{title}: {as_text(chosen) or 'nothing yet'}")
            st.button(
                "See its trials", key=f"against {id}", type="tertiary", on_click=state.choose,
                args=(choices_of(sweep) | {"tune.part": "tune"},),
            )  # fmt: skip
