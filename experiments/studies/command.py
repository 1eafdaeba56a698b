"""The command `python -m experiments study`: what there is, carrying out what is missing, exports."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import datasets
from experiments.commands import FAILED, OK
from experiments.studies.catalogue import names, study
from experiments.studies.exports import EXPORTS, as_text
from experiments.studies.honest import inner_table, with_choices
from experiments.studies.outcome import StudyOutcome
from experiments.studies.records import gathered, ship, shipped, unfinished, with_experiments, with_pictures
from experiments.studies.study import Study
from experiments.studies.study_files import FOLDER, every_awaited, in_folder, left_alone, with_files
from experiments.trials import Table, Trial
from experiments.trials.carriers import CLUSTER, Carrier, chosen
from experiments.trials.command import check_targets, filled_in

_FILES = {"json": "JSON", "csv": "CSV", "latex": "LaTeX"}


def add_study(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Carry out a study and print its table beside the published one. Same splits, same numbers. What is "
        "finished is kept: interrupted (Ctrl-C) and started again, it goes on."
    )
    parser.epilog = "example: %(prog)s n2s2l-table1 --item LDA --csv table.csv"
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="id of a study: " + ", ".join(names()))
    add("--list", action="store_true", help="show the studies there are")
    add("--all", action="store_true", help="every study, one after the other")
    add(
        "--honest",
        action="store_true",
        help="also find what each split would choose among a cell's settings by its own labels alone",
    )
    add("--missing", action="store_true", help="only what is not computed yet or out of date")
    add("--item", metavar="LABEL", help="only the cells of a row, a column, or ROW/COLUMN")
    add("--shipped", action="store_true", help="compute nothing: show the results that are shipped")
    add("--ship", action="store_true", help="write what comes out to the results that are shipped")
    add("--data", action="store_true", help=f"say which files of {FOLDER} are data that studies wait for")
    add("--splits", type=int, metavar="N", help="over how many splits (by default as many as the paper)")
    add("--jobs", type=int, metavar="N", help="how many processes share the work (by default one a core)")
    add(
        "--cluster",
        metavar="WHERE",
        help="carry it out on a Dask cluster (tcp://host:port) or on SLURM (slurm:partition); "
        f"by default {CLUSTER}, if that is set",
    )
    add("--markdown", action="store_true", help="print the table as Markdown")
    for kind, title in _FILES.items():
        add(
            f"--{kind}", type=Path, metavar="FILE", help=f"write the table and its numbers to FILE as {title}"
        )
    parser.set_defaults(carry_out=_study)


def _study(arguments: argparse.Namespace) -> int:
    if arguments.data:
        return _data()
    if arguments.list or (arguments.name is None and not arguments.all):
        if not arguments.list:
            raise ValueError(f"say which study: {', '.join(names())}")
        width = max(map(len, names()))
        print("\n".join(f"{name.ljust(width)}  {study(name).title}" for name in names()))
        return OK
    if arguments.all and (arguments.name or any(getattr(arguments, kind) for kind in _FILES)):
        raise ValueError("--all takes no name and writes no files: choose one study for that")
    carrier = chosen(arguments.cluster, arguments.jobs)
    check_targets(*(getattr(arguments, kind) for kind in _FILES))
    chosen_names = names() if arguments.all else [arguments.name]
    described, files = [study(name) for name in chosen_names], in_folder()
    return max(_one(with_files(one, files), arguments, carrier) for one in described)


def _one(selected: Study, arguments: argparse.Namespace, carrier: Carrier) -> int:
    records, status = shipped(selected), OK
    if arguments.shipped:
        study_outcome = StudyOutcome(selected, records)
    else:
        # Its cells follow from the data; a cluster fetches what it needs where it needs it.
        for dataset in selected.datasets:
            datasets.fetch(dataset)
        part = selected if arguments.item is None else selected.only(arguments.item)
        table = part.plan.table(arguments.splits)
        if arguments.missing:
            table = unfinished(part, records, arguments.splits)
        if arguments.honest:
            table = Table(table.axes, {**table.trials, **_choosing(part, arguments.splits)})
        results, status = filled_in(table, carrier, sys.stderr)
        if status and not results:
            return status
        problems = {result.problem(name) for result in results.values() for name in result.problems}
        for problem in sorted(problems | {result.message for result in results.values()} - {""}):
            print(f"{selected.id}: {problem}", file=sys.stderr)
            status = status or FAILED
        records = gathered(selected, results, records if arguments.ship or arguments.missing else None)
        records = with_experiments(selected, with_choices(selected, records, results))
        study_outcome = StudyOutcome(selected if arguments.missing else part, records)
        if arguments.ship:
            records = with_pictures(selected, records)
            print(f"written: {ship(selected, records)}", file=sys.stderr)
    for kind, title in _FILES.items():
        if (path := getattr(arguments, kind)) is not None:
            path.write_text(EXPORTS[title][0](study_outcome), encoding="utf-8")
    print(EXPORTS["Markdown"][0](study_outcome) if arguments.markdown else as_text(study_outcome))
    return status


def _choosing(part: Study, splits: int | None) -> dict[tuple[str, ...], tuple[Trial, ...]]:
    table = inner_table(part, splits)
    return {(*place, "chosen by"): trials for place, trials in table.trials.items()}


def _data() -> int:
    files = in_folder()
    for one in every_awaited():
        here = f"is {files[one.id].name}" if one.id in files else ""
        print(f"{one.title} {here or f'is waited for: {one.shape}, from {one.owner}'}")
    for name, why in left_alone().items():
        print(f"{name} is left alone: {why}")
    return OK
