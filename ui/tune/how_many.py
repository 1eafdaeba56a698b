"""How many parts? Criteria that need no labels over the number of parts, and what follows in words."""

from __future__ import annotations

from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from experiments.requests.library import Spec
from experiments.table_files import TableFile
from experiments.tuning.parts import PartsAdvice, advice, parts_sweep
from experiments.tuning.plan import SweepPlan
from experiments.tuning.sweep import Sweep
from ui import state, theme, unattended
from ui.charts import DASHES, chart
from ui.fragments import fragment
from ui.method_menu import method_menu
from ui.palette import classes
from ui.plain import as_text, plain
from ui.sidebar import Chosen
from ui.tune import sweeps, view

_RUNNING = "_tune.parts running"
_LOOK_EVERY = 1.5
_FIRST, _LAST, _MOST, _ITERATIONS = 2, 14, 60, 200


def show(choice: Chosen) -> None:
    """Show the controls, the criteria and what follows from them."""
    most = max(3, min(_MOST, choice.data.n_samples - 1, choice.data.n_features))
    first, second, third, fourth = st.columns([1.6, 1, 1, 1.2], vertical_alignment="bottom")
    with first:
        spec = method_menu(
            "Method", name="tune.parts.method", default="nmf", choice=choice, accept=_takes_apart
        )
    with second:
        low = state.control(
            st.number_input, "Parts from", 1, most - 1, name="tune.parts.from", default=min(_FIRST, most - 1),
            accept=lambda value: 1 <= value < most, key=f"parts from of {most}",
        )  # fmt: skip
    with third:
        high = state.control(
            st.number_input, "to", 2, most, name="tune.parts.to", default=min(_LAST, most),
            accept=lambda value: 2 <= value <= most, key=f"parts to of {most}",
        )  # fmt: skip
    with fourth:
        splits = state.control(
            st.slider, "Seeds", 1, 5, name="tune.parts.seeds", default=3,
            accept=lambda value: 1 <= value <= 5,
        )  # fmt: skip
    if low >= high:
        st.info("Parts must go from a smaller to a larger number.")
        return
    _criteria(choice, spec, range(low, high + 1), splits)


def _takes_apart(spec: Spec) -> bool:
    plain_parts = {"components", "embedding"} <= spec.gives and "views" not in spec.needs
    return plain_parts and spec.linear and not spec.signed and spec.has("n_components")


def _criteria(choice: Chosen, spec: Spec, ks: range, splits: int) -> None:
    params: dict[str, Any] = {"max_iter": _ITERATIONS} if spec.has("max_iter") else {}
    if spec.has("solver") and "accelerated" in spec.param("solver").choices:
        params |= {"solver": "accelerated"}
    labels = choice.data.y is not None and bool(choice.rows.labelled.size)
    try:
        sweep = parts_sweep(choice.request(spec.id, params), ks, splits, labels=labels)
        key = sweeps.register(sweep)
    except ValueError as refusal:
        st.info(plain(str(refusal), spec))
        return
    table = sweeps.table_now(key)
    begun = state.get(_RUNNING) == key or unattended.goes_on(partial(SweepPlan, sweep))
    running = bool(begun) and not (table is not None and table.whole)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Start", type="primary", disabled=running, on_click=state.put, args=(_RUNNING, key))
        st.button("Stop", disabled=not running, on_click=_stop, args=(sweep,))
        st.caption("Each number of parts is fitted several times, with entries and blocks hidden from it.")
    if running:
        unattended.offer(
            f"{spec.title}: how many parts?", "tune", partial(SweepPlan, sweep), key="parts leave"
        )
        fragment(_chart, run_every=_LOOK_EVERY)(key, choice.facts.n_parts)
    else:
        _chart(key, choice.facts.n_parts)
    view.show("parts view", sweep, key, running)


def _stop(sweep: Sweep) -> None:
    state.put(_RUNNING, None)
    unattended.stop(SweepPlan(sweep))


def _chart(key: str, truth: int) -> None:
    """Show the criteria as far as they are known, and what they say."""
    table = sweeps.table_now(key, patience=0.0)
    parts_advice = None if table is None else advice(table)
    if parts_advice is None:
        st.caption("The criteria are drawn here as they come in.")
        return
    _lines(parts_advice, truth)
    st.markdown("\n".join(f"- {as_text(sentence)}" for sentence in parts_advice.sentences))
    with st.expander("What each criterion rewards"):
        rewards = [
            f"- **{as_text(curve.criterion)}**: {as_text(curve.rewards)}" for curve in parts_advice.curves
        ]
        st.markdown("\n".join(rewards))


def _table(parts_advice: PartsAdvice) -> TableFile:
    """Return every criterion at every number of parts."""
    rows = [
        [curve.criterion, k, float(mean)]
        for curve in parts_advice.curves
        for k, mean in zip(curve.ks, curve.means, strict=True)
    ]
    return TableFile("Criteria for the number of parts", ["criterion", "parts", "mean"], rows)


def _lines(parts_advice: PartsAdvice, truth: int) -> None:
    figure, colours = go.Figure(), classes(theme.current())
    for index, curve in enumerate(parts_advice.curves):
        means = curve.means
        heights = means / means.max() if curve.rule == "error" and means.max() > 0 else means
        look = dict(color=colours[index % len(colours)], width=2, dash=DASHES[index % len(DASHES)])
        figure.add_scatter(
            x=list(curve.ks), y=heights, name=curve.criterion, mode="lines+markers", line=look,
            customdata=means, hovertemplate="%{x} parts: %{customdata:.3g}",
        )  # fmt: skip
        if curve.advice is not None:
            at = curve.ks.index(curve.advice)
            figure.add_scatter(
                x=[curve.advice], y=[heights[at]], mode="markers", showlegend=False,
                marker=dict(symbol="star", size=15, color=look["color"]),
                hovertemplate=f"{curve.criterion} advises {curve.advice}<extra></extra>",
            )  # fmt: skip
    if truth:
        look = dict(color="#888888", width=1.5, dash="dot")
        figure.add_vline(x=truth, line=look, annotation_text=f"true number: {truth}")
    figure.update_layout(
        height=360, margin=dict(l=8, r=8, t=40, b=8),
        xaxis=dict(title="parts", dtick=1 if len(parts_advice.curves[0].ks) < 25 else None)
        if parts_advice.curves
        else {},
        yaxis=dict(title="errors as shares of their largest; stability", rangemode="tozero"),
        legend=dict(orientation="h", yanchor="bottom", y=1.02, x=0),
    )  # fmt: skip
    chart("criteria", figure, table=lambda: _table(parts_advice))
    st.caption("Stars: what each criterion advises.")
