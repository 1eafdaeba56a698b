"""Tables as files: CSV for programs, LaTeX for papers. Every table that is handed over is written here."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?", re.I)
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "%": r"\%",
        "&": r"\&",
        "_": r"\_",
        "#": r"\#",
        "$": r"\$",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "²": "$^2$",
        "³": "$^3$",
        "–": "--",
        "−": "$-$",
        "…": r"\dots{}",
        "±": r"$\pm$",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "₁": "$_1$",
        "₂": "$_2$",
        "₃": "$_3$",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "γ": r"$\gamma$",
        "λ": r"$\lambda$",
        "μ": r"$\mu$",
        "σ": r"$\sigma$",
        "τ": r"$\tau$",
    }
)


@dataclass(frozen=True)
class TableFile:
    """A table with a heading for each column; `caption` says what it is."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def csv(self) -> str:
        """Return it as CSV."""
        return as_csv(self.heads, self.rows)

    def latex(self) -> str:
        """Return it as LaTeX, for the package booktabs."""
        return as_latex(self.caption, self.heads, self.rows)


def as_csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV that a spreadsheet takes for what it says.

    >>> as_csv(["a", "b"], [[1, "=SUM(A1)"]])
    "a,b\\n1,'=SUM(A1)\\n"
    """
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n")
    write.writerow([_harmless(head) for head in heads])
    write.writerows([_harmless(entry) for entry in row] for row in rows)
    return file.getvalue()


def as_latex(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as a LaTeX table, for the package booktabs; columns of numbers are set flush right.

    >>> print(as_latex("Shares, %", ["method", "accuracy"], [["N²S²L", "71.3 ± 2.0"]]))
    \\begin{table}
    \\caption{Shares, \\%}
    \\begin{tabular}{lr}
    \\toprule
    method & accuracy \\\\
    \\midrule
    N$^2$S$^2$L & 71.3 $\\pm$ 2.0 \\\\
    \\bottomrule
    \\end{tabular}
    \\end{table}
    <BLANKLINE>
    """
    texts = [[_text(entry) for entry in row] for row in rows]
    columns = zip(*texts, strict=True) if texts else [()] * len(heads)
    sides = "".join("r" if any(column) and all(map(_is_number, column)) else "l" for column in columns)
    return "\n".join(
        [r"\begin{table}", rf"\caption{{{_text(caption)}}}", rf"\begin{{tabular}}{{{sides}}}", r"\toprule",
         _line(map(_text, heads)), r"\midrule", *map(_line, texts), r"\bottomrule", r"\end{tabular}",
         r"\end{table}", ""]
    )  # fmt: skip


def _line(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _text(entry: Any) -> str:
    text = f"{entry:.4g}" if isinstance(entry, float) else str(entry)
    return " ".join(text.split()).translate(_LATEX)


def _is_number(cell: str) -> bool:
    return not cell or cell.removeprefix("$-$").removeprefix("+")[:1].isdigit() or cell in ("--", "nan")


def _harmless(entry: Any) -> Any:
    # A spreadsheet takes what begins like this for a formula, unless it is a number.
    if isinstance(entry, str) and entry[:1] in ("=", "+", "-", "@") and not _NUMBER.fullmatch(entry):
        return f"'{entry}"
    return entry
