"""The command line: `python -m experiments {list,run,study,sweep,runs}`; `partwise` where that is installed.

What it can list and run, and how values are read, follows from the data sets' cards and the
methods' SPECs.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from datasets import DataUnavailableError
from experiments.cli.listing import tables, write_readme
from experiments.cli.run_command import add_run
from experiments.cli.runs_command import add_runs
from experiments.cli.sweep_command import add_sweep
from experiments.commands import FAILED, INTERRUPTED, OK, PROGRAM, REFUSED
from experiments.engine.record import versions
from experiments.store import StoreUnavailableError
from experiments.studies.command import add_study

_PACKAGE = (__package__ or "").rpartition(".")[0]


def main(arguments: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Carry out a command and return the exit status: 0, 1 failed, 2 refused, 130 interrupted."""
    parsed = _parser(program).parse_args(arguments)
    # A failure is told in one sentence; without a handler its traceback would be printed as well.
    logging.getLogger(_PACKAGE).addHandler(logging.NullHandler())
    try:
        status: int = parsed.carry_out(parsed)
        sys.stdout.flush()
    except (ValueError, DataUnavailableError) as refusal:
        return _say(f"{program} {parsed.command}: {refusal}", REFUSED)
    except BrokenPipeError:
        # The reader (`| head`) has seen enough. Nothing more may be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else error
        return _say(f"{program} {parsed.command}: {reason}", FAILED)
    except StoreUnavailableError as error:
        return _say(f"{program} {parsed.command}: {error}", FAILED)
    except KeyboardInterrupt:
        return _say(f"{program} {parsed.command}: interrupted", INTERRUPTED)
    return status


def _say(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status


class _Version(argparse.Action):
    """Prints the versions and ends the program; they take a while to find out, so only then."""

    def __call__(self, parser: argparse.ArgumentParser, *ignored: object) -> None:
        print(", ".join(f"{name} {version}" for name, version in versions().items()))
        parser.exit()


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="List data sets and methods, run a method, carry out a study, see to the runs kept.",
        epilog="Exit status: 0 fine, 1 failed or diverged, 2 refused (bad input), 130 interrupted by Ctrl-C.",
    )
    parser.set_defaults(program=program)
    parser.add_argument("--version", action=_Version, nargs=0, help="show what results depend on")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{list,run,study,sweep,runs}")
    _add_list(commands.add_parser("list", help="show the data sets and the methods there are"))
    add_run(
        commands.add_parser(
            "run",
            help="run a method on a data set",
            description="Run a method on a data set. Ctrl-C ends the run and shows what it has found so far.",
            epilog="example: %(prog)s orl n2s2l --option size=32 --param alpha=10 max_iter=200 --labelled 2",
        )
    )
    add_study(commands.add_parser("study", help="carry out a study and print its table"))
    add_sweep(commands.add_parser("sweep", help="try values of parameters: which serve best, and how sure"))
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


def _list(arguments: argparse.Namespace) -> int:
    if arguments.write_readme:
        written = write_readme(arguments.write_readme)
        print(f"{arguments.write_readme}: {'written' if written else 'up to date'}")
    else:
        print(tables(markdown=arguments.markdown))
    return OK
