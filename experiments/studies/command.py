"""The command `python -m experiments study`: what there is, and carrying one out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic

from experiments.studies.carry_out import carry_out
from experiments.studies.catalogue import names, study

_BAR = 30


def add_study(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.description = "Carry out a study and print its table. Same splits, same numbers."
    parser.epilog = "example: %(prog)s multiview --splits 5 --json table.json"
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="id of a study: " + ", ".join(names()))
    add("--list", action="store_true", help="show the studies there are")
    add("--splits", type=int, metavar="N", help="over how many splits (by default as many as the study says)")
    add("--jobs", type=int, metavar="N", help="how many processes share the work (by default one a core)")
    add("--markdown", action="store_true", help="print the table as Markdown")
    add("--json", type=Path, metavar="FILE", help="write every number measured to FILE")
    parser.set_defaults(carry_out=_study)


def _study(asked: argparse.Namespace) -> int:
    if asked.list or asked.name is None:
        if not asked.list:
            raise ValueError(f"say which study: {', '.join(names())}")
        width = max(map(len, names()))
        print("\n".join(f"{name.ljust(width)}  {study(name).title}" for name in names()))
        return 0
    chosen = study(asked.name)
    if asked.jobs is not None and asked.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, not {asked.jobs}")
    if asked.json is not None and (asked.json.is_dir() or not asked.json.absolute().parent.is_dir()):
        raise ValueError(f"{asked.json} cannot be written: it is a folder, or its folder is not there")
    outcome = carry_out(
        chosen, splits=asked.splits, jobs=asked.jobs, watch=_Bar() if _on_terminal() else None
    )
    if asked.json:
        asked.json.write_text(outcome.as_json(), encoding="utf-8")
    print(outcome.as_markdown() if asked.markdown else outcome.as_text())
    return 1 if any(outcome.problem(row) for row in range(len(outcome.titles))) else 0


class _Bar:
    """A line on a terminal that says how far a study is and how long it will still take."""

    def __init__(self) -> None:
        self._begun = monotonic()

    def __call__(self, done: int, whole: int) -> None:
        left = (monotonic() - self._begun) * (whole - done) / done
        bar = "█" * (_BAR * done // whole)
        line = f"{bar.ljust(_BAR, '·')} {done} of {whole}, about {left:.0f} s left"
        end = "\r\033[K" if done == whole else ""
        print(f"\r\033[K{line}{end}", end="", file=sys.stderr, flush=True)


def _on_terminal() -> bool:
    return sys.stderr.isatty()
