"""Figures to take along are SVG that says what the table says, whatever the methods are called."""

from __future__ import annotations

from xml.etree import ElementTree

from ui.figures import FigureLine, FigureRow, lines_svg, rows_svg

_SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{_SVG}text")]


def places(svg: str, kind: str, *names: str) -> list[tuple[float, ...]]:
    return [
        tuple(float(element.attrib[name]) for name in names)
        for element in ElementTree.fromstring(svg).iter(f"{_SVG}{kind}")
    ]


def test_rows_show_every_split_the_mean_and_its_spread() -> None:
    rows = [FigureRow("N²S²L <α 10>", "#0f766e", [0.7, 0.8, 0.9]), FigureRow("PCA", "#b34e00", [])]
    svg = rows_svg(rows, "recognised, %")
    assert {"N²S²L <α 10>", "PCA", "80.0 ± 10.0", "recognised, %"} <= set(texts(svg))
    dots = places(svg, "circle", "cx", "r")
    assert [radius for _, radius in dots] == [2.5, 2.5, 2.5, 5]
    assert dots[1][0] == dots[3][0]
    assert dots[0][0] < dots[1][0] < dots[2][0]


def test_lines_run_through_their_means_inside_of_the_figure() -> None:
    lines = [
        FigureLine("NMF", "#0072b2", [(1, 0.4, 0.1), (2, 0.6, 0.0), (8, 1.0, 0.2)]),
        FigureLine("nothing yet", "#111111", []),
    ]
    svg = lines_svg(lines, "labelled of each class")
    assert {"NMF", "nothing yet", "labelled of each class", "1", "2", "8"} <= set(texts(svg))
    dots = places(svg, "circle", "cx", "cy")
    assert [x for x, _ in dots] == sorted(x for x, _ in dots)
    assert [y for _, y in dots] == sorted((y for _, y in dots), reverse=True)
    assert all(y >= 0 for line in places(svg, "line", "y1", "y2") for y in line)


def test_nothing_measured_is_a_figure_too() -> None:
    assert texts(rows_svg([], "accuracy"))
    assert texts(lines_svg([], "parts"))
