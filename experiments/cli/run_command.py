"""`run`: one request carried out, or the same on several splits; what is found shown, written, kept."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from contextlib import closing
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from datasets import DataUnavailableError
from experiments.cli.report import as_json, as_plain, as_text
from experiments.cli.run_arguments import add_what, request_of
from experiments.cli.walking import walk
from experiments.commands import FAILED, INTERRUPTED, OK, REFUSED
from experiments.engine.record import RunRecord
from experiments.engine.run import Run
from experiments.fitted.predictions import as_csv
from experiments.fitted.verdicts import Examined
from experiments.requests.request import RunRequest
from experiments.store import open_store
from experiments.take_away import Parcel, bundle, keep_parcel, parcel_of_record
from experiments.trials.command import check_targets

# Of one run each; several splits have no one file.
_OF_ONE = ("npz", "bundle", "predictions")


def add_run(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    add_what(parser)
    add = parser.add_argument
    add("--splits", type=int, default=1, metavar="N", help="carry it out on N splits: seeds S, S+1, ...")
    add("--json", type=Path, metavar="FILE", help="write request, files, curves, scores and versions to FILE")
    add("--npz", type=Path, metavar="FILE", help="write the arrays found and the row numbers to FILE")
    add("--bundle", type=Path, metavar="FILE", help="write a bundle, which the Runs page takes in")
    add("--predictions", type=Path, metavar="FILE", help="write the classes of unlabelled samples as CSV")
    add("--keep", nargs="?", const="", metavar="NAME", help="keep the run: the Runs page shows it")
    add("--quiet", action="store_true", help="print nothing but refusals")
    parser.set_defaults(carry_out=_run)


def _run(arguments: argparse.Namespace) -> int:
    files = (arguments.json, arguments.npz, arguments.bundle, arguments.predictions)
    check_targets(*files, source=arguments.dataset)
    requests = _requests(arguments)
    for request in requests:
        request.canonical()
    records: list[RunRecord] = []
    for request in requests:
        # As the app's workers and the scripts of a run do: other threads add in another order.
        with threadpool_limits(1):
            run = walk(Run(request, snapshots=False), quiet=arguments.quiet)
        if run.status == "failed":
            refused = isinstance(run.error, (ValueError, DataUnavailableError))
            print(f"{arguments.program} run: {run.message}", file=sys.stderr)
            return REFUSED if refused else FAILED
        records.append(run.record())
        if not arguments.quiet and len(requests) > 1:
            print(_line(records[-1]), flush=True)
        if run.status == "stopped":
            break
    _write(arguments, records)
    if not arguments.quiet:
        print(as_text(records[0]) if len(requests) == 1 else _spread(records))
    statuses = {record.status for record in records}
    return INTERRUPTED if "stopped" in statuses else FAILED if "diverged" in statuses else OK


def _requests(arguments: argparse.Namespace) -> list[RunRequest]:
    """Return the request of each split."""
    count = arguments.splits
    if count < 1:
        raise ValueError(f"--splits must be at least 1, not {count}")
    for name in _OF_ONE:
        if count > 1 and getattr(arguments, name) is not None:
            raise ValueError(f"--{name} is for one run: leave --splits out")
    first = request_of(arguments)
    return [first.of_split(split) for split in range(count)]


def _write(arguments: argparse.Namespace, records: list[RunRecord]) -> None:
    """Write the files asked for, and keep what is to be kept."""
    if arguments.json:
        several = json.dumps([as_plain(record) for record in records], indent=2, allow_nan=False) + "\n"
        text = as_json(records[0]) if arguments.splits == 1 else several
        arguments.json.write_text(text, encoding="utf-8")
    if arguments.npz:
        with arguments.npz.open("wb") as file:
            arrays: dict[str, Any] = {**records[0].arrays, **records[0].rows}
            np.savez_compressed(file, **arrays)
    parcels = [parcel_of_record(record, arguments.keep or "") for record in records]
    if arguments.bundle:
        arguments.bundle.write_bytes(bundle(parcels[0]))
    if arguments.keep is not None:
        _keep(parcels, quiet=arguments.quiet)
    if arguments.predictions:
        # Last, because some runs predict nothing: that is refused, and all else is there by then.
        _write_predictions(arguments.predictions, records[0])


def _write_predictions(path: Path, record: RunRecord) -> None:
    fitted = Examined(record.request, record.arrays, record.discriminative)
    path.write_text(as_csv(fitted.verdicts(), fitted.prepared.ds), encoding="utf-8")


def _keep(parcels: list[Parcel], *, quiet: bool) -> None:
    with closing(open_store()) as store:
        for parcel in parcels:
            id = secrets.token_urlsafe(12)
            # Whoever works in a terminal has no cookie: the shared shelf is where the app finds it.
            keep_parcel(store, parcel, id, owner="", shared=True)
            if not quiet:
                print(f"kept as {id}, on the shared shelf")


def _line(record: RunRecord) -> str:
    scores = "  ".join(f"{name} {value:.4f}" for name, value in record.scores.items())
    return f"seed {record.request.seed}  {record.status}  {record.iterations} iterations  {scores}"


def _spread(records: list[RunRecord]) -> str:
    """Return mean and standard deviation of each score over the splits, a line each."""
    names = [name for name in records[0].scores if all(name in record.scores for record in records)]
    width = max(map(len, names), default=0)
    lines = [f"{len(records)} splits: mean ± standard deviation"]
    for name in names:
        values = [record.scores[name] for record in records]
        spread = stdev(values) if len(values) > 1 else 0.0
        lines.append(f"{name.ljust(width)}  {fmean(values):.4f} ± {spread:.4f}")
    return "\n".join(lines)
