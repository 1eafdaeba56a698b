"""Up to six runs beside each other: their curves, what they were asked, what came of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from experiments.store import RunStore, StoredRun
from experiments.table_files import TableFile
from ui import run_words, state, theme
from ui.charts import DASHES, chart
from ui.downloads import downloads
from ui.live.frames import thinned
from ui.palette import colour
from ui.words import number

_WHAT = {"objective": "Objective", "accuracy": "Recognised"}
_BY = {"iteration": "iterations", "seconds": "seconds"}
_BESIDE = 2
_MANY_DECADES = 2.5

_STYLE = """<style>
.compared { border-collapse: collapse; font-size: 0.875rem; line-height: 1.35; }
.compared th, .compared td { text-align: left; vertical-align: top; padding: 4px 14px 4px 0; max-width: 13em;
  overflow-wrap: anywhere; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.compared tbody th { font-weight: 400; opacity: 0.75; min-width: 7em; }
.compared td { font-variant-numeric: tabular-nums; min-width: 5em; }
</style>"""


@dataclass(frozen=True)
class RunCurve:
    """A curve to draw."""

    run: StoredRun
    x: NDArray[np.float64]
    y: NDArray[np.float64]


def compare(store: RunStore, runs: Sequence[StoredRun]) -> None:
    """Show curves of runs and a table of what differs."""
    what, by, log = _controls()
    lines = [line for run in runs if (line := _line(store, run, what, by)) is not None]
    # Many columns need the whole width.
    few = len(runs) <= _BESIDE
    chart, table = st.columns([1.5, 1], gap="large") if few else (st.container(), st.container())
    with chart:
        if lines:
            _chart(lines, what, by, log)
        else:
            lacks = "an objective" if what == "objective" else "labels to recognise anything by"
            st.info(
                f"There is no curve to draw: {'this run' if len(runs) == 1 else 'these runs'} had no {lacks}."
            )
        if what == "objective" and len({run.request.method for run in runs}) > 1:
            st.caption("Different methods have different objectives: only the shapes can be compared.")
    with table:
        _table(runs)


def _controls() -> tuple[str, str, bool]:
    with st.container(horizontal=True, vertical_alignment="center"):
        what = state.control(
            st.segmented_control, "Curve", list(_WHAT), name="runs.curve", default="objective",
            accept=_WHAT.__contains__, format_func=_WHAT.get, required=True, label_visibility="collapsed",
        )  # fmt: skip
        by = state.control(
            st.segmented_control, "Against", list(_BY), name="runs.by", default="iteration",
            accept=_BY.__contains__, format_func=lambda way: f"by {_BY[way]}", required=True,
            label_visibility="collapsed",
        )  # fmt: skip
        log = state.control(st.toggle, "Log scale", name="runs.log", default=True)
    return what, by, log


def _line(store: RunStore, run: StoredRun, what: str, by: str) -> RunCurve | None:
    try:
        curve = store.curve(run)
    except KeyError:
        return None
    if what == "objective":
        rows = thinned(len(curve))
        values = curve[rows, 0]
    else:
        scored = [(at, scores["accuracy_euclidean"]) for at, scores in run.snapshots
                  if "accuracy_euclidean" in scores and at < len(curve)]  # fmt: skip
        rows = np.array([at for at, _ in scored], dtype=np.int64)
        values = np.array([score for _, score in scored])
    if not len(rows):
        return None
    return RunCurve(run, rows.astype(float) if by == "iteration" else curve[rows, 1], values)


def _chart(lines: Sequence[RunCurve], what: str, by: str, log: bool) -> None:
    figure, look = go.Figure(), theme.current()
    mode = "lines+markers" if what == "accuracy" else "lines"
    drawn: Counter[str] = Counter()
    for line in lines:
        method = line.run.request.method
        # A method has one colour: its runs are told apart by their strokes.
        stroke = dict(color=colour(method, look), width=2, dash=DASHES[drawn[method] % len(DASHES)])
        figure.add_scatter(
            x=line.x, y=line.y, name=_in_legend(line.run), mode=mode, marker=dict(size=5), line=stroke
        )
        drawn[method] += 1
    shares = what == "accuracy"
    # A logarithm only of what has one; where a run diverged there is nothing to draw.
    as_log = log and not shares and all((line.y[np.isfinite(line.y)] > 0).all() for line in lines)
    figure.update_layout(
        height=340, margin=dict(l=8, r=8, t=8, b=8), showlegend=len(lines) > 1,
        legend=dict(orientation="h", yanchor="bottom", y=1.02, x=0),
        xaxis=dict(title=_BY[by], zeroline=False),
        yaxis=dict(
            title="unlabelled samples recognised" if shares else "objective",
            type="log" if as_log else "linear", tickformat=".0%" if shares else None, zeroline=False,
        ),
    )  # fmt: skip
    if as_log:
        # Plotly leaves out the power of ten between its own: "2, 10k, 5".
        values = _log_ticks(np.concatenate([line.y for line in lines]))
        figure.update_yaxes(tickvals=values, ticktext=[number(value) for value in values])
    chart("runs curves", figure, table=lambda: _points(lines, what, by))


def _points(lines: Sequence[RunCurve], what: str, by: str) -> TableFile:
    """Return the points of all curves, a row each."""
    rows = [
        [line.run.id[:8], _in_legend(line.run), float(x), float(y)]
        for line in lines
        for x, y in zip(line.x, line.y, strict=True)
    ]
    return TableFile(f"{_WHAT[what]} by {_BY[by]}", ["run", "name", _BY[by], what], rows)


def _log_ticks(y: NDArray[np.float64]) -> list[float]:
    """Return where a logarithmic axis is marked: powers of ten, or as many even steps as are read.

    >>> _log_ticks(np.array([9000.0, 70000.0])), _log_ticks(np.array([1.0, 2000.0]))
    ([10000.0, 20000.0, 50000.0], [1.0, 10.0, 100.0, 1000.0])
    """
    seen = y[np.isfinite(y)]
    low, high = (float(seen.min()), float(seen.max())) if seen.size else (1.0, 10.0)
    decades = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    steps = (1,) if math.log10(high / low) > _MANY_DECADES else (1, 2, 5)
    ticks = [float(f"{step}e{decade}") for decade in decades for step in steps]
    ticks = [tick for tick in ticks if low <= tick <= high]
    # Within less than a decade there may be none of these.
    return ticks if len(ticks) > 1 else np.unique(np.linspace(low, high, 4)).tolist()


def _as_html(heads: Sequence[str], rows: Mapping[str, Sequence[str]]) -> str:
    """Return a table as HTML: in Markdown, names could turn into links and pictures."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in ["", *heads])
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(v)}</td>" for v in values)
        + "</tr>"
        for name, values in rows.items()
    )
    table = f"<table class='compared'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"{_STYLE}<div style='overflow-x: auto'>{table}</div>"


def _in_legend(run: StoredRun) -> str:
    # Plotly makes markup of some signs.
    name = run_words.called(run) if run.name else f"{run_words.called(run)} {run_words.params(run)}"
    return name.replace("<", "‹").replace("&", "+")[:60]


def _table(runs: Sequence[StoredRun]) -> None:
    """Show what runs found, and their settings: all of one run, those that differ of several."""
    outcomes = {
        "ended": [run_words.ended(run) for run in runs],
        "recognised": ["–" if run.accuracy is None else f"{run.accuracy:.1%}" for run in runs],
        "objective": ["–" if run.objective is None else number(run.objective) for run in runs],
        "iterations": [number(run.iterations) for run in runs],
        "seconds": [f"{run.seconds:.2f}" for run in runs],
    }
    settings = run_words.differing(runs)
    if len(runs) == 1:
        settings = {name: [value] for name, value in run_words.settings(runs[0]).items()}
    heads = [run_words.called(run) for run in runs]
    st.html(_as_html(heads, outcomes | settings))
    rows = [[name, *values] for name, values in (outcomes | settings).items()]
    downloads("runs table", drawn=False, table=lambda: TableFile("Runs compared", ["", *heads], rows))
    if len(runs) > 1 and not settings:
        st.caption("All of them were asked the same.")
