"""The Tune page: set up, start, watch the map fill in, take away what serves best."""

from __future__ import annotations

from functools import partial
from statistics import median

import streamlit as st

from experiments.requests.library import method_spec
from experiments.tuning import Sweep, SweepTable, trials_of
from experiments.tuning.plan import SweepPlan
from experiments.tuning.sketch import sketches
from experiments.tuning.work import expected
from ui import owner, state, unattended
from ui.fragments import fragment
from ui.plain import plain
from ui.runs import reopen
from ui.service import tables
from ui.sidebar import Chosen, chosen, follow
from ui.tune import against, how_many, shelf, sweeps, take, view, words
from ui.tune.setup import Setup, setup
from ui.waiting import until
from ui.words import counted, number

_RUNNING = "_tune.running"
_PATIENCE = 0.3


_PARTS = {"tune": "Which values?", "parts": "How many parts?", "methods": "Which method?"}


@fragment
def show() -> None:
    """Show the page."""
    reopen.follow()
    follow()
    part = state.control(
        st.segmented_control, "What to find out", list(_PARTS), name="tune.part", default="tune",
        accept=_PARTS.__contains__, format_func=_PARTS.get, required=True, label_visibility="collapsed",
    )  # fmt: skip
    if part == "parts":
        how_many.show(chosen())
    elif part == "methods":
        against.show(chosen())
    else:
        _tune(chosen())
    state.publish("tune")


def _tune(choice: Chosen) -> None:
    controls, bar = st.container(), st.container(horizontal=True, vertical_alignment="center")
    with controls:
        try:
            made = setup(choice, bar)
            key = sweeps.register(made.sweep, made.minutes)
        except ValueError as refusal:
            spec = method_spec(state.get("tune.method", "n2s2l"))
            st.info(plain(str(refusal), spec))
            return
    table = sweeps.table_now(key)
    begun = state.get(_RUNNING) == key or unattended.goes_on(partial(SweepPlan, made.sweep))
    running = bool(begun) and not (table is not None and table.whole)
    with bar:
        _start_and_stop(made, key, table, running)
    view.show("tune view", made.sweep, key, running)
    take.show(choice, made.sweep, table)


def _start_and_stop(made: Setup, key: str, table: SweepTable | None, running: bool) -> None:
    st.button("Start", key="tune_start", type="primary", disabled=running, on_click=_start, args=(made, key))
    st.button("Stop", key="tune_stop", disabled=not running, on_click=_stop, args=(made.sweep,))
    shelf.menu(made.sweep)
    if running:
        plan = partial(SweepPlan, made.sweep, made.minutes)
        unattended.offer(_title(made.sweep), "tune", plan, key="tune leave")
    _estimate(made.sweep, table)


def _start(made: Setup, key: str) -> None:
    state.put(_RUNNING, key)
    if made.minutes:
        sweeps.register(made.sweep, made.minutes)


def _stop(sweep: Sweep) -> None:
    state.put(_RUNNING, None)
    unattended.stop(SweepPlan(sweep))


def _estimate(sweep: Sweep, table: SweepTable | None) -> None:
    """Say how long it will take, judged by the fits so far; the first one is made at once, and kept."""
    description = f"{_in_words(sweep)} {counted(expected(sweep), 'fit')}"
    seconds = _seconds_a_fit(sweep, table)
    if seconds is None:
        until(
            lambda: _seconds_a_fit(sweep, None) is not None,
            f"{description}. How long one takes is being tried …",
        )
        return
    st.caption(f"{description}: {words.duration(seconds * expected(sweep) / words.AT_ONCE)} here.")


def _seconds_a_fit(sweep: Sweep, table: SweepTable | None) -> float | None:
    """Return how long a fit takes here; None until the first one is done."""
    cells = [cell for cell in table.cells if not cell.provisional] if table is not None else []
    spent = [result.seconds for cell in cells for result in cell.results if result is not None]
    if spent:
        return median(spent)
    first = trials_of(sweep).in_turn()[0]
    # A quick look at the same cell comes first: something is on the map at once.
    results = tables().ask(
        owner.token(), "tune estimate", [*sketches(sweep, {})[:1], first], patience=_PATIENCE
    )
    return results[first.key].seconds if first.key in results else None


def _title(sweep: Sweep) -> str:
    """Return what a sweep is called on Runs."""
    how = ", guided" if sweep.strategy == "guided" else ", from neighbour to neighbour" if sweep.warm else ""
    return f"{method_spec(sweep.method).title} tuned{how}: {_in_words(sweep).removesuffix('.')}"


def _in_words(sweep: Sweep) -> str:
    """Return from where to where is tried what, in a few words."""
    spec = method_spec(sweep.method)
    ranges = []
    for axis in sweep.axes:
        symbol = (spec.has(axis.param) and spec.param(axis.param).symbol) or axis.label
        ends = [str(value) for value in axis.choices] or [number(axis.low), number(axis.high)]
        ranges.append(f"{symbol} {' … '.join(ends)}" if not axis.choices else f"{symbol} {', '.join(ends)}")
    return f"{'; '.join(ranges)}; {counted(sweep.splits, 'split')}."
