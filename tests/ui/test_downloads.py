"""Whatever is drawn or listed can be taken along, in one way everywhere."""

from __future__ import annotations

import re
from pathlib import Path

from experiments.table_files import TableFile, as_csv

# What draws is looked for by what it calls.
_SHOWN = re.compile(r"st\.(dataframe|plotly_chart|image|table|line_chart|bar_chart|pyplot)\(")
# Charts of a comparison, whose figure and table are offered together below them.
_ELSEWHERE = {"recognition/accuracy_charts.py": "recognition/comparing.py"}


def test_every_table_and_figure_has_its_menu(repository: Path) -> None:
    ui = repository / "ui"
    shown = [file for file in ui.rglob("*.py") if _SHOWN.search(file.read_text("utf-8"))]
    assert len(shown) > 5
    for file in shown:
        name = file.relative_to(ui).as_posix()
        offering = ui / _ELSEWHERE.get(name, name)
        assert re.search(r"\bdownloads\(\n?\s*[\w\"f]", offering.read_text("utf-8")), name


def test_numbers_stay_numbers_and_formulas_become_text() -> None:
    rows = [["-0.5", "+1e-3", "-x", "@y", -2]]
    assert as_csv(["=a", "b", "c", "d", "e"], rows) == "'=a,b,c,d,e\n-0.5,+1e-3,'-x,'@y,-2\n"


def test_a_paper_can_print_whatever_a_name_holds() -> None:
    made = TableFile("a_b & 50 %", ["x^2", "N²S²L"], [["{\\}", "1.0 ± 0.2"], ["~\n$", "–"]]).latex()
    assert r"\caption{a\_b \& 50 \%}" in made
    assert r"x\textasciicircum{}2 & N$^2$S$^2$L \\" in made
    assert r"\{\textbackslash{}\} & 1.0 $\pm$ 0.2 \\" in made
    assert r"\textasciitilde{} \$ & -- \\" in made
    assert r"\begin{tabular}{lr}" in made
