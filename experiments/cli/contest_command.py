"""`sweep DATA METHOD --against METHOD`: methods tuned on a fair budget, split by split, and compared."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from experiments.commands import FAILED, OK
from experiments.requests.request import RunRequest
from experiments.trials import Result
from experiments.trials.carriers import Carrier
from experiments.trials.carry import carry
from experiments.trials.command import carried
from experiments.tuning.contest import USUAL_SPLITS, USUAL_TRIALS, contest, fair_sweeps
from experiments.tuning.contest_report import as_csv, as_text, tables_of_all, trials_of_all
from experiments.tuning.sweep import Sweep

# What belongs to the sweep of one method alone.
_OF_ONE = ("over", "measure", "guided", "random", "sobol", "continuation", "name", "json", "best", "script",
           "notebook", "param", "params")  # fmt: skip


def add_contest(parser: argparse.ArgumentParser) -> None:
    """Describe what tunes several methods against each other."""
    add = parser.add_argument
    add(
        "--against",
        action="append",
        default=[],
        metavar="METHOD",
        help="tune METHOD, too, on the same splits with as many trials, and compare: each split chooses by "
        "its own labelled samples and is asked about the others. Given once for each method",
    )
    add(
        "--trials",
        type=int,
        metavar="N",
        help=f"trials for each method with --against (default: {USUAL_TRIALS})",
    )


def compare(arguments: argparse.Namespace, request: RunRequest, carrier: Carrier) -> int:
    """Tune the methods against each other, and print what came of it."""
    if given := [name for name in _OF_ONE if getattr(arguments, name)]:
        raise ValueError(f"--{given[0]} is for the sweep of one method: leave it out with --against")
    ids = list(dict.fromkeys([request.method, *arguments.against]))
    if len(ids) < 2:
        raise ValueError(f"--against names other methods than {request.method}")
    trials = USUAL_TRIALS if arguments.trials is None else arguments.trials
    sweeps = fair_sweeps(request, ids, trials, arguments.splits or USUAL_SPLITS)
    results, status = _carried(sweeps, carrier)
    if status:
        return status
    by_method = tables_of_all(sweeps, results)
    compared = contest(by_method)
    if not arguments.quiet:
        print(as_text(by_method, compared))
    if arguments.csv is not None:
        arguments.csv.write_text(as_csv(by_method, compared), encoding="utf-8")
    return OK if compared.leader else FAILED


def _carried(sweeps: Mapping[str, Sweep], carrier: Carrier) -> tuple[dict[str, Result], int]:
    work = trials_of_all(sweeps)
    keys: Sequence[str] = [trial.key for trial in work]
    return carried(lambda cache: carry(work, carrier, cache), keys, len(work), sys.stderr)
