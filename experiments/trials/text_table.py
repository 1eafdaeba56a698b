"""Tables of text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]], *, ruled: bool = False) -> list[str]:
    """Return a line for each row, its columns below each other; if `ruled`, with a rule below the first.

    >>> print("\\n".join(aligned([["k", "error"], ["10", "0.5"]], ruled=True)))
    k   error
    --  -----
    10  0.5
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = [["-" * width for width in widths]] if ruled else []
    return [
        "  ".join(entry.ljust(width) for entry, width in zip(row, widths, strict=True)).rstrip()
        for row in [*rows[:1], *rule, *rows[1:]]
    ]
