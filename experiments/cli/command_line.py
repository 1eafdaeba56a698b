"""The command line: `python -m experiments {list,run,study,runs}`.

What it can list and run, and how values are read, follows from the data sets' cards and the
methods' SPECs.
"""

from __future__ import annotations

import argparse
import logging
import math
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any

import numpy as np

import datasets
import methods
from datasets import DataUnavailableError, Option
from experiments.cli import own_files
from experiments.cli.listing import tables, write_readme
from experiments.cli.report import as_json, as_text
from experiments.cli.runs_command import add_runs
from experiments.engine.run import Run
from experiments.requests.request import RunRequest
from experiments.studies.command import add_study
from methods import Param

OK, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
_PROGRAM = "python -m experiments"
_PROGRESS_EVERY = 0.1
_FLAGS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command and return the exit status: 0, 1 failed, 2 refused, 130 interrupted."""
    parsed = _parser().parse_args(arguments)
    # A failure is told in one sentence; without a handler its traceback would be printed as well.
    logging.getLogger("experiments").addHandler(logging.NullHandler())
    try:
        status: int = parsed.carry_out(parsed)
        sys.stdout.flush()
    except (ValueError, DataUnavailableError) as refusal:
        return _say(f"{parsed.command}: {refusal}", REFUSED)
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. Nothing more may be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        return _say(f"{parsed.command}: {error}", FAILED)
    except KeyboardInterrupt:
        return _say(f"{parsed.command}: interrupted", INTERRUPTED)
    return status


def _say(sentence: str, status: int) -> int:
    print(f"{_PROGRAM} {sentence}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_PROGRAM,
        description="List data sets and methods, run a method, carry out a study, see to the runs kept.",
        epilog="Exit status: 0 fine, 1 failed or diverged, 2 refused (bad input), 130 interrupted by Ctrl-C.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="{list,run,study,runs}")
    _add_list(commands.add_parser("list", help="show the data sets and the methods there are"))
    _add_run(
        commands.add_parser(
            "run",
            help="run a method on a data set",
            description="Run a method on a data set. Ctrl-C ends the run and shows what it has found so far.",
            epilog="example: %(prog)s orl n2s2l --option size=32 --param alpha=10 max_iter=200 --labelled 2",
        )
    )
    add_study(commands.add_parser("study", help="carry out a study and print its table"))
    add_runs(commands.add_parser("runs", help="list the kept runs, take them away, bring them in"))
    return parser


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.description = "Show the data sets and the methods there are, as tables."
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--markdown", action="store_true", help="print Markdown tables")
    how.add_argument(
        "--write-readme",
        metavar="FILE",
        type=Path,
        help="write the tables into FILE, between <!-- datasets:begin --> and <!-- datasets:end -->, "
        "and <!-- methods:begin --> and <!-- methods:end -->",
    )
    parser.set_defaults(carry_out=_list)


def _add_run(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "dataset",
        metavar="DATASET",
        help="a file of your own (.mat, .zip, .csv, ...), or id of a data set: "
        + ", ".join(datasets.names()),
    )
    add("method", metavar="METHOD", help="id of a method: " + ", ".join(methods.names()))
    pairs: dict[str, Any] = {"nargs": "+", "action": "extend", "default": [], "metavar": "NAME=VALUE"}
    add("--param", help="parameters of the method; 'auto' leaves one to be worked out", **pairs)
    own = "flip, transpose, image_shape=HxW, size, samples, label, unknown, views=A,B"
    add("--option", help=f"options of the data set; for a file of your own, corrections: {own}", **pairs)
    add(
        "--labelled",
        metavar="N",
        default="2",
        help="samples of each class whose label the method may use, or their share if below 1 (default: 2)",
    )
    add(
        "--held-out",
        metavar="N",
        default="0",
        help="samples of each class kept for testing, or their share if below 1 (default: 0)",
    )
    add(
        "--view",
        nargs="+",
        metavar="NAME",
        help="views of the data: by default all of them for methods for several views, the first for others",
    )
    add("--seed", type=int, default=0, help="decides the split and the random start (default: 0)")
    add("--json", type=Path, metavar="FILE", help="write request, curves and scores to FILE")
    add("--npz", type=Path, metavar="FILE", help="write the arrays found (components, ...) to FILE")
    parser.set_defaults(carry_out=_run)


def _list(arguments: argparse.Namespace) -> int:
    if arguments.write_readme:
        written = write_readme(arguments.write_readme)
        print(f"{arguments.write_readme}: {'written' if written else 'up to date'}")
    else:
        print(tables(markdown=arguments.markdown))
    return OK


def _run(arguments: argparse.Namespace) -> int:
    request = _request(arguments)
    request.canonical()
    for path in (arguments.json, arguments.npz):
        _check_target(path)
    run = _walk(Run(request, keep=lambda snapshot: None))
    if run.status == "failed":
        refused = isinstance(run.error, (ValueError, DataUnavailableError))
        return _say(f"run: {run.message}", REFUSED if refused else FAILED)
    record = run.record()
    if arguments.json:
        arguments.json.write_text(as_json(record), encoding="utf-8")
    if arguments.npz:
        with arguments.npz.open("wb") as file:
            arrays: dict[str, Any] = dict(record.arrays)
            np.savez_compressed(file, **arrays)
    print(as_text(record))
    return {"stopped": INTERRUPTED, "diverged": FAILED}.get(record.status, OK)


def _request(arguments: argparse.Namespace) -> RunRequest:
    spec = methods.spec(arguments.method)
    dataset, options = _data(arguments.dataset, dict(_pairs("--option", arguments.option)))
    return RunRequest(
        dataset=dataset,
        method=spec.id,
        params={name: _param(spec.param(name), text) for name, text in _pairs("--param", arguments.param)},
        dataset_options=options,
        view=arguments.view,
        split=_number_or_share("labelled", arguments.labelled)
        | _number_or_share("held_out", arguments.held_out),
        seed=arguments.seed,
    )


def _data(name_or_path: str, option_texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the id of the data set and its options; a file of one's own is read first."""
    if own_files.is_file(name_or_path):
        dataset, understood = own_files.take_in(name_or_path, option_texts, _read)
        print(understood)
        return dataset, {}
    card = datasets.card(name_or_path)
    options = {option.name: option for option in card.options}
    # An unknown option is refused by the card, which says what there is.
    return card.id, {
        name: _option(options[name], text) if name in options else text for name, text in option_texts.items()
    }


def _pairs(flag: str, pairs: Iterable[str]) -> Iterable[tuple[str, str]]:
    seen: set[str] = set()
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name and equals):
            raise ValueError(f"{flag} takes NAME=VALUE, not {pair!r}")
        if name in seen:
            raise ValueError(f"{flag} {name} is given twice")
        seen.add(name)
        yield name, text


def _param(param: Param, text: str) -> Any:
    if text.lower() in ("auto", "none") and (param.auto or param.default is None):
        return None
    value = _read(param.name, param.kind, text)
    param.check(value)
    return value


def _option(option: Option, text: str) -> Any:
    return _read(option.name, option.kind, text)


def _read(name: str, kind: str, text: str) -> Any:
    """Return text as the value of a kind of parameter; what makes no sense is refused."""
    if kind == "seed":
        raise ValueError(f"{name} is set by --seed")
    if kind in ("flag", "bool"):
        if text.lower() not in _FLAGS:
            raise ValueError(f"{name}={text} must be true or false")
        return _FLAGS[text.lower()]
    if kind == "shape":
        return [_read(name, "int", size) for size in re.split("[x,]", text)]
    if kind in ("int", "float"):
        if kind == "int" and re.fullmatch(r"[+-]?\d+", text):
            return int(text)
        try:
            number = float(text)
        except ValueError:
            raise ValueError(f"{name}={text} is not a number") from None
        return int(number) if kind == "int" and number.is_integer() else number
    return text


def _number_or_share(what: str, text: str) -> dict[str, Any]:
    number = _read(what, "int", text)
    return {f"{what}_fraction" if 0 < number < 1 else f"{what}_per_class": number}


def _check_target(path: Path | None) -> None:
    # Before the run rather than after it.
    if path is not None and path.is_dir():
        raise ValueError(f"{path} cannot be written: it is a folder")
    if path is not None and not path.absolute().parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no such folder")


def _walk(run: Run) -> Run:
    """Take the run to its end, or until Ctrl-C is pressed; a second Ctrl-C does not wait for the step."""
    stop_requested = False

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal stop_requested
        stop_requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, on_interrupt)
    show = _progress(run)
    try:
        while not stop_requested and run.advance():
            show()
        run.stop()
    finally:
        signal.signal(signal.SIGINT, before)
        show(last=True)
    return run


def _progress(run: Run) -> Callable[..., None]:
    """Return a function that shows where a run is, on one line of a terminal; elsewhere it does nothing."""
    if not sys.stderr.isatty():
        return lambda last=False: None
    shown_at = -math.inf

    def show(last: bool = False) -> None:
        nonlocal shown_at
        if last:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        elif monotonic() - shown_at > _PROGRESS_EVERY and run.step is not None:
            shown_at = monotonic()
            line = f"iteration {run.step.iteration}   objective {run.step.objective:.6g}"
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    return show
