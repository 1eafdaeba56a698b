"""A run as a Python script that carries it out again and compares what it finds."""

from __future__ import annotations

import json
import math
import pprint
import re
from collections.abc import Mapping
from typing import Any

import methods
from datasets.uploads import is_upload
from experiments.take_away.comparison_code import comparison, reading_code
from experiments.take_away.parcel import Parcel

_SCRIPT = '''\
"""{title}

A run of Partwise as a script. It needs Partwise: installed (`pip install` of its wheel), or run in its folder
with the Python of its environment, or with that folder in PYTHONPATH:

    PYTHONPATH=/path/to/partwise python {file}{arguments}

The run was made with {versions}. Other versions may change
the last digits.
"""

{imports}

# What was asked. Everything that decides the result is written out.
{request}

{work}

# What has been found now, and what was found then.
{comparison}

# record.arrays holds the arrays (components, embedding, ...), record.objective and record.terms the curves.
for name, array in record.arrays.items():
    print(f"{{name:<20}} array of shape {{array.shape}}")
'''

BEFORE = """\
import hashlib
import math
import os
import sys

# Partwise is found in the folder this is run in, wherever the script itself may be.
sys.path.insert(0, os.getcwd())
# The run had one thread: several add up in another order, which ends in other digits.
for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

"""


def why_no_script(parcel: Parcel) -> str:
    """Return why there can be no script of a run; nothing if there can."""
    ending = parcel.outcome.ending
    if parcel.outcome.status == "failed" or not len(parcel.content.curve):
        return "This run found nothing that a script could find again."
    if ending.get("warm") and not ending.get("resumed_at"):
        return (
            "This run went on from what another one had found, so its numbers cannot be had from its "
            "parameters alone. Run it once more from a fresh start to get a script."
        )
    if is_upload(parcel.request.dataset) and not ending.get("files"):
        return "It is not known from which file these data were read, so no script could find it."
    return ""


def script(parcel: Parcel) -> str:
    """Return the script; a ValueError says why there is none."""
    if reason := why_no_script(parcel):
        raise ValueError(reason)
    return _SCRIPT.format(
        title=title(parcel),
        file=f"{parcel.file_name}.py",
        arguments=" [FILE]" if is_upload(parcel.request.dataset) else "",
        versions=_and([f"{name} {version}" for name, version in parcel.outcome.versions.items()]),
        imports=imports(parcel),
        request=request_code(parcel),
        work=work_code(parcel),
        comparison=comparison(reference_numbers(parcel), parcel.outcome.versions),
    )


def title(parcel: Parcel) -> str:
    """Return method and data of the run as text that is safe inside a docstring and a notebook."""
    prefix = f"{parcel.name}: " if parcel.name else ""
    spec = methods.spec(parcel.request.method)
    data = "uploaded data" if is_upload(parcel.request.dataset) else parcel.request.dataset
    text = f"{prefix}{spec.title} ({spec.id}) on {data}"
    # Names are anybody's: nothing in them may end the docstring or be taken for Markdown.
    return re.sub(r"[\\\"<>\[\]!`]", " ", text)


def imports(parcel: Parcel) -> str:
    """Return the import statements, after the settings that make a repetition give the same numbers."""
    needed = ["datasets", "experiments"] if is_upload(parcel.request.dataset) else ["experiments"]
    return f"{BEFORE}from partwise import {', '.join(needed)}"


def reference_numbers(parcel: Parcel) -> dict[str, float]:
    """Return iterations, objective and scores, which a repetition is compared with."""
    numbers: dict[str, float] = {"iterations": parcel.iterations}
    numbers["objective"] = float(parcel.content.curve[-1, 0])
    numbers |= parcel.outcome.scores
    return {name: number for name, number in numbers.items() if math.isfinite(number)}


def request_code(parcel: Parcel, files: str = "sys.argv[1:]") -> str:
    """Return the request as code; `files` is the expression that names those of an upload."""
    plain = json.loads(parcel.request.canonical())
    lines = []
    for name, value in plain.items():
        if value in (None, {}, []) and name not in ("params", "split"):
            continue
        if isinstance(value, Mapping):
            value = {key: entry for key, entry in value.items() if entry is not None}
        lines.append(f"    {name}={_literal(value)},")
    if is_upload(parcel.request.dataset):
        lines = ["    dataset=DATA,", *(line for line in lines if not line.startswith("    dataset="))]
        ending = parcel.outcome.ending
        before = reading_code(ending.get("files") or (), files, ending.get("reading") or {})
        return before + "REQUEST = experiments.RunRequest(\n" + "\n".join(lines) + "\n)"
    return "REQUEST = experiments.RunRequest(\n" + "\n".join(lines) + "\n)"


def work_code(parcel: Parcel) -> str:
    """Return the code that carries the request out."""
    if parcel.outcome.status in ("done", "max_iter", "diverged"):
        return "record = experiments.run(REQUEST)"
    return (
        f"# It was stopped after {parcel.iterations} iterations.\n"
        f"record = experiments.run(REQUEST, iterations={parcel.iterations})"
    )


def _literal(value: Any) -> str:
    text = pprint.pformat(value, width=96, sort_dicts=False)
    return text.replace("\n", "\n    ")


def _and(words: list[str]) -> str:
    return ", ".join(words) or "versions that were not noted"
