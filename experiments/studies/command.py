"""The command `python -m experiments study`: what there is, and carrying one out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import datasets
from experiments.studies.catalogue import names, study
from experiments.studies.outcome import StudyTable
from experiments.trials.carriers import CLUSTER, chosen
from experiments.trials.command import filled_in

_FILES = ("json", "csv")


def add_study(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Carry out a study and print its table. Same splits, same numbers. What is finished is kept: "
        "interrupted (Ctrl-C) and started again, it goes on."
    )
    parser.epilog = "example: %(prog)s multiview --splits 5 --json table.json"
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="id of a study: " + ", ".join(names()))
    add("--list", action="store_true", help="show the studies there are")
    add("--splits", type=int, metavar="N", help="over how many splits (by default as many as the study says)")
    add("--jobs", type=int, metavar="N", help="how many processes share the work (by default one a core)")
    add(
        "--cluster",
        metavar="WHERE",
        help="carry it out on a Dask cluster (tcp://host:port) or on SLURM (slurm:partition); "
        f"by default {CLUSTER}, if that is set",
    )
    add("--markdown", action="store_true", help="print the table as Markdown")
    add("--json", type=Path, metavar="FILE", help="write every number measured to FILE")
    add("--csv", type=Path, metavar="FILE", help="write every number measured to FILE, a row a split")
    parser.set_defaults(carry_out=_study)


def _study(arguments: argparse.Namespace) -> int:
    if arguments.list or arguments.name is None:
        if not arguments.list:
            raise ValueError(f"say which study: {', '.join(names())}")
        width = max(map(len, names()))
        print("\n".join(f"{name.ljust(width)}  {study(name).title}" for name in names()))
        return 0
    selected = study(arguments.name)
    carrier = chosen(arguments.cluster, arguments.jobs)
    for path in (getattr(arguments, kind) for kind in _FILES):
        if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
            raise ValueError(f"{path} cannot be written: it is a folder, or its folder is not there")
    # Its rows follow from the data; a cluster fetches what it needs where it needs it.
    datasets.fetch(selected.dataset)
    table = selected.table(arguments.splits)
    results, status = filled_in(table, carrier, sys.stderr)
    if status:
        return status
    outcome = StudyTable(selected, table, results)
    if arguments.json:
        arguments.json.write_text(outcome.as_json(), encoding="utf-8")
    if arguments.csv:
        arguments.csv.write_text(outcome.as_csv(), encoding="utf-8")
    print(outcome.as_markdown() if arguments.markdown else outcome.as_text())
    return 0 if outcome.whole else 1
