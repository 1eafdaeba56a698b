"""`python -m experiments runs`: the kept runs in a terminal; out as files, and in again."""

from __future__ import annotations

import argparse
import secrets
import time
from contextlib import closing
from pathlib import Path

from experiments.commands import OK
from experiments.store import RunFilter, StoredRun, open_store
from experiments.take_away import bundle, keep_parcel, notebook, parcel_of_stored, script, unbundle
from experiments.trials.command import check_targets

_MOST_ROWS = 200


def add_runs(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "List the runs that are kept (everybody's: this is for whoever runs the server), take them away as "
        "files, bring bundles in. PARTWISE_DATABASE_URL says which store."
    )
    kinds = parser.add_subparsers(dest="what", required=True, metavar="{list,export,script,notebook,import}")
    listing = kinds.add_parser("list", help="show the latest runs")
    listing.add_argument("--search", default="", metavar="WORDS", help="in names, #tags, data and methods")
    listing.set_defaults(carry_out=_list)
    for name, title in (
        ("export", "write a run as a bundle (JSON and NPZ in a zip)"),
        ("script", "write a Python script that carries a run out again"),
        ("notebook", "write a Jupyter notebook that carries a run out again"),
    ):
        kind = kinds.add_parser(name, help=title)
        kind.add_argument("id", metavar="ID", help="as `runs list` shows it")
        kind.add_argument("file", metavar="FILE", type=Path, help="where to write it")
        kind.set_defaults(carry_out=_write)
    taking = kinds.add_parser("import", help="bring bundles in, onto the shared shelf")
    taking.add_argument("file", metavar="FILE", type=Path, nargs="+", help="bundles")
    taking.set_defaults(carry_out=_import)


def _list(arguments: argparse.Namespace) -> int:
    with closing(open_store()) as store:
        matches = store.find(RunFilter(shelf="everything", text=arguments.search, limit=_MOST_ROWS))
    for run in matches.runs:
        print(_line(run))
    if matches.total > len(matches.runs):
        print(f"... and {matches.total - len(matches.runs)} older ones: --search finds them")
    if not matches.total:
        print("No run is kept, or none that fits.")
    return OK


def _line(run: StoredRun) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.created_at))
    objective = "-" if run.objective is None else f"{run.objective:.6g}"
    accuracy = "-" if run.accuracy is None else f"{run.accuracy:.1%}"
    words = [f"{run.id:<16}", when, f"{run.request.dataset:<14.14}", f"{run.request.method:<12}"]
    words += [f"{run.status:<11}", f"{run.iterations:>6}", f"{objective:>11}", f"{accuracy:>6}", run.name]
    return "  ".join(words).rstrip()


def _write(arguments: argparse.Namespace) -> int:
    check_targets(arguments.file)
    with closing(open_store()) as store:
        run = store.get(arguments.id)
        if run is None:
            raise ValueError(f"there is no run {arguments.id!r}; `runs list` shows those there are")
        try:
            parcel = parcel_of_stored(store, run)
        except KeyError:
            raise ValueError(f"the arrays of run {arguments.id!r} are no longer kept") from None
    if arguments.what == "export":
        arguments.file.write_bytes(bundle(parcel))
    else:
        text = script(parcel) if arguments.what == "script" else notebook(parcel)
        arguments.file.write_text(text, encoding="utf-8")
    print(f"{arguments.file}: written")
    return OK


def _import(arguments: argparse.Namespace) -> int:
    # All are read before any is kept: a bad one leaves the store as it was.
    parcels = [unbundle(path) for path in arguments.file]
    with closing(open_store()) as store:
        for path, parcel in zip(arguments.file, parcels, strict=True):
            id = secrets.token_urlsafe(12)
            keep_parcel(store, parcel, id, owner="", shared=True)
            print(f"{path}: run {id}, on the shared shelf")
    return OK
