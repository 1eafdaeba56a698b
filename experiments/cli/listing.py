"""The data sets and the methods there are, as tables: for the terminal, and for the README."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

import datasets
import methods
from datasets import Card
from experiments.studies.outcome import summary_rows
from methods import Spec

_NEEDS = {"nonnegative": "data ≥ 0", "views": "several views", "tensor": "samples that are tables"}


def tables(*, markdown: bool = False) -> str:
    """Return the table of data sets and the table of methods, each under its title."""
    both = {"Data sets": _dataset_rows(), "Methods": _method_rows()}
    if markdown:
        return "\n\n".join(f"## {title}\n\n{_markdown(rows)}" for title, rows in both.items())
    return "\n\n".join(f"{title}\n\n{_columns(rows)}" for title, rows in both.items())


def _dataset_rows() -> list[list[str]]:
    return [["id", "data set", "options", "what it is"], *map(_dataset_row, datasets.cards())]


def _dataset_row(card: Card) -> list[str]:
    options = ", ".join(f"{option.name}={option.default}" for option in card.options)
    return [card.id, card.title, options, card.summary]


def _method_rows() -> list[list[str]]:
    return [["id", "method", "family", "needs", "what it does"], *map(_method_row, methods.specs().values())]


def _method_row(spec: Spec) -> list[str]:
    needs = ", ".join(_NEEDS.get(need, need) for need in sorted(spec.needs))
    return [spec.id, spec.title, spec.family, needs, spec.summary]


def _columns(rows: list[list[str]]) -> str:
    """Return rows as aligned columns, the last one wrapped to the width of the terminal."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    before = sum(widths) + 2 * len(widths)
    room = max(30, shutil.get_terminal_size((140, 24)).columns - before)
    lines = []
    for *short, long in (rows[0], ["-" * width for width in (*widths, min(room, 30))], *rows[1:]):
        first = "".join(text.ljust(width + 2) for text, width in zip(short, widths, strict=True))
        lines.append(first + ("\n" + " " * before).join(textwrap.wrap(long, room)))
    return "\n".join(lines)


def _markdown(rows: list[list[str]]) -> str:
    """Return rows as a Markdown table, ids as code."""
    head, *body = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    marked = ([f"`{row[0]}`", *row[1:]] for row in body)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *marked))


def write_readme(path: Path) -> bool:
    """Put the tables between the markers in a file and return whether that changed anything."""
    if not path.is_file():
        raise ValueError(f"there is no file {path} to write into")
    before = path.read_text(encoding="utf-8")
    after = before
    parts = (("methods", _method_rows()), ("datasets", _dataset_rows()), ("results", summary_rows()))
    for name, rows in parts:
        after = _between(after, name, _markdown(rows), path)
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before


def _between(text: str, name: str, table: str, path: Path) -> str:
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"{path} must hold {begin} and {end} once each, in this order")
    head, _, rest = text.partition(begin)
    return f"{head}{begin}\n{table}\n{end}{rest.partition(end)[2]}"
