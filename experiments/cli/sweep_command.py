"""`sweep`: parameters tried on a grid or by search, gone on with by name; what serves best, and how sure."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import datasets
import methods
from experiments.cli.contest_command import add_contest, compare
from experiments.cli.run_arguments import add_what, request_of
from experiments.cli.values import named_values, parameter, read_value
from experiments.commands import FAILED, OK
from experiments.requests.prepare import facts, rows_of
from experiments.requests.request import RunRequest
from experiments.store import open_store
from experiments.take_away.sweep_files import notebook_of_sweep, script_of_sweep
from experiments.trials import MeasureRequest
from experiments.trials.carriers import CLUSTER, chosen
from experiments.trials.catalogue import names as measure_names
from experiments.trials.command import carried, check_targets
from experiments.trials.trial import as_chain
from experiments.tuning import Axis, Sweep, SweepShelf, all_work_of, axis, carry_sweep, expected, table_of
from experiments.tuning.axis import READ_AXES, Scale, listed_axis
from experiments.tuning.contest import USUAL_SPLITS
from experiments.tuning.report import as_csv, as_json, as_text, best_params
from experiments.tuning.sweep import HONEST, SEEN, Strategy
from methods import Facts

_FILES = ("csv", "json", "best", "script", "notebook")
_SEARCHES: dict[Strategy, str] = {
    "guided": "search by TPE: each trial learns from those before; several measures are all goals",
    "random": "points at random",
    "sobol": "points that fill the ranges evenly",
}
_SPLITS = 3
_EPILOG = (
    "example: %(prog)s orl n2s2l --over alpha=0.1:1000:log:9 --over beta=1e-4:100:log:9 --name mine. "
    "`%(prog)s --name mine` goes on with it."
)


def add_sweep(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Try values of parameters and print which serve best, and how sure that is. What is finished is "
        "kept: interrupted (Ctrl-C) and started again, it goes on."
    )
    parser.epilog = _EPILOG
    add_what(parser)
    for action in parser._actions:
        if action.dest in ("dataset", "method"):
            action.nargs = "?"  # A sweep that is gone on with by name knows its own.
    add = parser.add_argument
    add(
        "--over",
        action="append",
        default=[],
        metavar="NAME=LOW:HIGH[:log|linear][:COUNT]",
        help="a parameter and its range, or its values (NAME=1,10,100), or its usual range (NAME); "
        f"{' and '.join(READ_AXES)} say how a fit is read. Given once for each parameter",
    )
    add(
        "--measure",
        action="append",
        default=[],
        metavar="ID[:SETTING=VALUE...]",
        help="what counts, the deciding one first (default: inner_accuracy, which looks at labelled samples "
        "alone, and accuracy beside it): " + ", ".join(measure_names()),
    )
    add(
        "--splits", type=int, metavar="N",
        help=f"splits: seeds S, S+1, ... (default: {_SPLITS}, with --against {USUAL_SPLITS})",
    )  # fmt: skip
    how = parser.add_mutually_exclusive_group()
    for name, words in _SEARCHES.items():
        how.add_argument(f"--{name}", type=int, metavar="N", help=f"try N points: {words}")
    add(
        "--continuation",
        choices=("sketched", "provisional", "refined"),
        default="",
        help="look at every cell for a few iterations first; or let fits go on from their neighbours' along "
        "the grid: a map soon, or one refined both ways, where "
        "some are fitted cold to see where the answer depends on the way",
    )
    add("--name", metavar="NAME", help="keep the sweep under a name, or go on with the one of that name")
    add_contest(parser)
    add("--jobs", type=int, metavar="N", help="how many processes share the work (by default one a core)")
    add(
        "--cluster", metavar="WHERE", help=f"tcp://host:port or slurm:partition; by default {CLUSTER}, if set"
    )
    add("--csv", type=Path, metavar="FILE", help="write every score to FILE, a row a split")
    add("--json", type=Path, metavar="FILE", help="write the sweep and every score to FILE")
    add("--best", type=Path, metavar="FILE", help="write the best parameters to FILE, for `run --params`")
    add("--script", type=Path, metavar="FILE", help="write a Python script that finds the same numbers")
    add("--notebook", type=Path, metavar="FILE", help="write a Jupyter notebook that finds the same numbers")
    add("--quiet", action="store_true", help="print nothing but refusals")
    parser.set_defaults(carry_out=_sweep)


def _sweep(arguments: argparse.Namespace) -> int:
    check_targets(*(getattr(arguments, name) for name in _FILES), source=arguments.dataset)
    carrier = chosen(arguments.cluster, arguments.jobs)
    if arguments.against:
        return compare(arguments, _request(arguments), carrier)
    if arguments.trials is not None:
        raise ValueError("--trials goes with --against; of one method --guided, --random or --sobol say it")
    sweep = _described(arguments)
    keys = [key for piece in all_work_of(sweep, {}) for key in as_chain(piece).keys]
    whole = expected(sweep)
    results, status = carried(lambda cache: carry_sweep(sweep, carrier, cache), keys, whole, sys.stderr)
    table = table_of(sweep, results)
    if status:
        return status
    if not arguments.quiet:
        print(as_text(table))
    writers = {
        "csv": as_csv,
        "json": as_json,
        "best": lambda table: json.dumps(best_params(table), indent=2, ensure_ascii=False) + "\n",
        "script": script_of_sweep,
        "notebook": notebook_of_sweep,
    }
    for name, write in writers.items():
        if (path := getattr(arguments, name)) is not None:
            path.write_text(write(table), encoding="utf-8")
    return OK if table.best() is not None else FAILED


def _described(arguments: argparse.Namespace) -> Sweep:
    """Return the sweep that is asked for; under a name alone, the one that is kept."""
    if arguments.dataset is None:
        return _stored_sweep(arguments.name)
    sweep = _new(arguments)
    if arguments.name:
        with closing(open_store()) as store:
            SweepShelf(store).save(sweep)
    return sweep


def _stored_sweep(name: str | None) -> Sweep:
    if not name:
        raise ValueError("say which data and which method, or --name for a sweep that is kept")
    with closing(open_store()) as store:
        shelf = SweepShelf(store)
        named, others = shelf.named(name), shelf.list(shared=True)
    if named is None:
        there = ", ".join(sorted({other.sweep.name for other in others})) or "none"
        raise ValueError(f"no sweep is kept as {name!r}; there are: {there}")
    return named.sweep


def _new(arguments: argparse.Namespace) -> Sweep:
    request = _request(arguments)
    spec = methods.spec(request.method)
    if not arguments.over:
        raise ValueError("say what is tried: --over alpha=0.1:1000:log:9")
    ds = datasets.load(request.dataset, **request.dataset_options)
    sizes = facts(ds, rows_of(ds, request))
    axes = [axis_of_text(spec.id, text, sizes) for text in arguments.over]
    wanted = tuple(measure_of_text(text) for text in arguments.measure) or (HONEST,)
    if [item.measure for item in wanted] == ["inner_accuracy"]:
        wanted = (*wanted, SEEN)
    strategy: Strategy = next((name for name in _SEARCHES if getattr(arguments, name) is not None), "grid")
    goals: Sequence[str] = (
        [item.name for item in wanted] if strategy == "guided" and arguments.measure else ()
    )
    return Sweep(
        request,
        tuple(axes),
        wanted,
        _SPLITS if arguments.splits is None else arguments.splits,
        strategy,
        0 if strategy == "grid" else getattr(arguments, strategy),
        tuple(goals) if len(goals) > 1 else (),
        arguments.continuation,
        name=arguments.name or "",
    )


def _request(arguments: argparse.Namespace) -> RunRequest:
    """Return what is run, checked."""
    if arguments.dataset is None or arguments.method is None:
        raise ValueError(f"say which data, and say which method: {', '.join(methods.names())}")
    request = request_of(arguments)
    request.canonical()
    return request


def axis_of_text(method: str, text: str, sizes: Facts | None = None) -> Axis:
    """Return the axis that `NAME=LOW:HIGH[:log|linear][:COUNT]`, `NAME=A,B,C` or `NAME` describes.

    >>> axis_of_text("n2s2l", "alpha=0.1:1000:log:5").values
    (0.1, 1.0, 10.0, 100.0, 1000.0)
    >>> axis_of_text("n2s2l", "n_components=20,40").values
    (20, 40)
    """
    name, equals, written = text.partition("=")
    if not equals:
        return axis(method, name, facts=sizes)
    if "," in written or ":" not in written:
        values = tuple(_value(method, name, entry) for entry in written.split(",") if entry)
        if not values:
            raise ValueError(f"--over {text} names no value: write {name} alone for its usual range")
        return listed_axis(method, name, values)
    low, high, *rest = written.split(":")
    axis_params: dict[str, Any] = {}
    for entry in rest:
        if entry in get_args(Scale):
            axis_params["scale"] = entry
        else:
            axis_params["count"] = read_value(f"--over {name}", "int", entry)
    axis_params["low"], axis_params["high"] = (
        read_value(f"--over {name}", "float", end) for end in (low, high)
    )
    return axis(method, name, **axis_params, facts=sizes)


def measure_of_text(text: str) -> MeasureRequest:
    """Return the measure that `ID[:SETTING=VALUE...]` describes; a ValueError says what there is.

    >>> measure_of_text("inner_accuracy:folds=5:metric=cosine").settings
    {'folds': 5, 'metric': 'cosine'}
    """
    id, *settings = text.split(":")
    values: dict[str, Any] = {}
    for name, written in named_values("--measure", settings):
        try:
            values[name] = json.loads(written)
        except json.JSONDecodeError:
            values[name] = written
    item = MeasureRequest(id, values)
    _ = item.name  # Refuses what is unknown.
    return item


def _value(method: str, name: str, text: str) -> Any:
    if name in READ_AXES:
        if text not in READ_AXES[name]:
            raise ValueError(f"{name} must be one of {', '.join(READ_AXES[name])}, not {text!r}.")
        return text
    return parameter(methods.spec(method).param(name), text)
