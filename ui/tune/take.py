"""What one takes away of a sweep: its best values for use everywhere, as Python, and all numbers as files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath

import streamlit as st

from experiments import RunRequest
from experiments.requests.intake import is_upload
from experiments.requests.library import load_dataset, method_spec
from experiments.take_away.comparison_code import reading_code
from experiments.take_away.sweep_files import notebook_of_sweep, script_of_sweep
from experiments.tuning import Cell, Sweep, SweepTable
from experiments.tuning.report import as_csv, as_json, as_latex
from experiments.tuning.sweep import Point
from ui import chosen_params, state
from ui.downloads import FileKind, downloads, file_stem
from ui.sidebar import Chosen
from ui.tune import opening
from ui.tune.setup import range_choices

# Kind of file: what the button says, the ending, the type, and what is in it.
_FILES = {
    "csv": ("CSV", "text/csv", "Every trial, a row each: values, split, seed, scores, seconds, status."),
    "tex": ("LaTeX", "application/x-tex", "The best points as a table: mean and standard deviation."),
    "json": ("JSON", "application/json", "What was tried, what came of each cell, and what there is to say."),
    "py": ("Script", "text/x-python", "Python that carries the sweep out again and compares the numbers."),
    "ipynb": ("Notebook", "application/x-ipynb+json", "The same as a Jupyter notebook, step by step."),
}
_MAKERS: dict[str, Callable[[SweepTable], str]] = {
    "csv": as_csv,
    "tex": as_latex,
    "json": as_json,
    "py": script_of_sweep,
    "ipynb": notebook_of_sweep,
}
_PYTHON = """\
import experiments

record = experiments.run(experiments.RunRequest(
{arguments}))
print(record.status, record.iterations, record.scores)
"""
_READS = "import hashlib\nimport os\n\nimport datasets\n\n"


def show(choice: Chosen, sweep: Sweep, table: SweepTable | None) -> None:
    """Show what there is to take away of a table, once there is something."""
    in_use = chosen_params.chosen(sweep.dataset, sweep.method)
    best = None if table is None else table.best()
    if best is None and not in_use:
        return
    st.subheader("Take it")
    if in_use:
        chosen_params.in_use(sweep.dataset, sweep.method, key="tune")
    if table is None or best is None:
        return
    for side, label in _wider(table, best):
        st.button(label, key=f"tune widen {side}", on_click=_widen, args=(sweep, table, best))
    _offers(choice, sweep, table, best)


def _offers(choice: Chosen, sweep: Sweep, table: SweepTable, best: Cell) -> None:
    values = {**sweep.request.params, **sweep.params(best.point)}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Use the best everywhere", key="tune use", on_click=opening.use, args=(sweep, best.point),
            help=f"{method_spec(sweep.method).title} then has them on Live run, Bases, Recognition and "
            f"Occlusion for these data: {chosen_params.words(sweep.method, values)}.",
        )  # fmt: skip
        with st.popover("Copy as Python"):
            st.code(python(sweep, best.point), language="python")
        data = PurePath(choice.data.title).stem if is_upload(choice.dataset) else choice.dataset
        stem = file_stem("tune", sweep.method, data)
        files = {
            label: FileKind(kind, mime, partial(_MAKERS[kind], table), help)
            for kind, (label, mime, help) in _FILES.items()
        }
        downloads("tune files", name=stem, drawn=False, files=files)


def python(sweep: Sweep, point: Point) -> str:
    """Return a few lines of Python that fit a point on the first split, everything that decides written out.

    >>> from experiments.requests.request import RunRequest
    >>> from experiments.tuning import axis
    >>> made = Sweep(RunRequest("orl", "n2s2l", seed=3), (axis("n2s2l", "alpha", 0.1, 1000),))
    >>> print(python(made, (10.0,)).split("print")[0])
    import experiments
    <BLANKLINE>
    record = experiments.run(experiments.RunRequest(
        dataset='orl',
        method='n2s2l',
        params={'alpha': 10.0},
        seed=3,
    ))
    <BLANKLINE>
    """
    request = sweep.trial(point, 0).request
    plain, usual = (
        json.loads(one.as_given()) for one in (request, RunRequest(request.dataset, request.method))
    )
    named = ("dataset", "method")
    lines = {name: repr(value) for name, value in plain.items() if name in named or value != usual[name]}
    if not is_upload(request.dataset):
        return _PYTHON.format(arguments=_lines(lines))
    data = load_dataset(request.dataset)
    code = _PYTHON.format(arguments=_lines(lines | {"dataset": "DATA"}))
    return f"{_READS}{reading_code(data.files, '[]', data.reading)}\n{code}"


def _lines(arguments: Mapping[str, str]) -> str:
    return "".join(f"    {name}={value},\n" for name, value in arguments.items())


def _wider(table: SweepTable, best: Cell) -> list[tuple[str, str]]:
    """Return what there is to widen where the best lies at the edge: one button for all of it."""
    edges = table.edges(best) if table.sweep.strategy == "grid" else {}
    if not edges:
        return []
    spec = method_spec(table.sweep.method)
    names = " and ".join(spec.param(name).symbol or name for name in edges)
    return [(" ".join(edges), f"Go on beyond the edge: widen {names}")]


def _widen(sweep: Sweep, table: SweepTable, best: Cell) -> None:
    """Set the wider ranges; for use in a callback."""
    for wider in table.widened(best).axes:
        state.choose(range_choices(sweep.method, wider))
