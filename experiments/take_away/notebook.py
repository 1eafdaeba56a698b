"""A run as a Jupyter notebook that carries it out again and compares what it finds.

The format (nbformat 4.5) is plain JSON, so nothing needs to be installed to write it.
"""

from __future__ import annotations

import json
from typing import Any

from experiments.take_away.comparison_code import comparison
from experiments.take_away.parcel import Parcel
from experiments.take_away.script import (
    imports,
    reference_numbers,
    request_code,
    title,
    why_no_script,
    work_code,
)

_FIRST = """\
# {title}

A run of Partwise, to carry out again. This notebook needs Partwise: installed, or put the notebook into its
folder, or name that folder in `PYTHONPATH` before starting Jupyter. The run was made with {versions}."""

_ARRAYS = """\
for name, array in record.arrays.items():
    print(f"{name:<20} array of shape {array.shape}")"""


def notebook(parcel: Parcel) -> str:
    """Return the notebook; a ValueError says why there is none."""
    if reason := why_no_script(parcel):
        raise ValueError(reason)
    used = ", ".join(f"{name} {version}" for name, version in parcel.outcome.versions.items())
    cells = [
        text_cell(_FIRST.format(title=title(parcel), versions=used or "versions that were not noted")),
        code_cell(imports(parcel)),
        text_cell(
            "## What was asked\n\nEverything that decides the result is written out: change it and see."
        ),
        code_cell(request_code(parcel, files="[]")),
        text_cell("## Carry it out"),
        code_cell(work_code(parcel)),
        text_cell("## Compare\n\nOther versions, or another number of threads, may change the last digits."),
        code_cell(comparison(reference_numbers(parcel), parcel.outcome.versions)),
        text_cell("## What there is to look at\n\n`record.objective` and `record.terms` hold the curves."),
        code_cell(_ARRAYS),
    ]
    return cells_as_notebook(cells)


def cells_as_notebook(cells: list[dict[str, Any]]) -> str:
    """Return cells as the text of a notebook."""
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def text_cell(source: str) -> dict[str, Any]:
    """Return a cell of Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def code_cell(source: str) -> dict[str, Any]:
    """Return a cell of Python."""
    return {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }
