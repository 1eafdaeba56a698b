"""Draws docs/pictures/layers.svg from the imports themselves: `python -m scripts.layers`.

A band a floor, a box a package, higher boxes standing on lower ones; lines show
which package of a floor imports which, leaving out what follows from the others.
"""

from __future__ import annotations

import graphlib
import sys
from html import escape
from itertools import groupby
from pathlib import Path

import grimp

FLOORS = ("pages", "ui", "experiments", "methods", "datasets")
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "layers.svg"
_WIDTH, _BOX, _ROW, _GAP, _HEAD = 960, 30, 58, 12, 26
_STYLE = (
    "text{font:13px sans-serif;fill:#26292b}.floor{font-weight:600;font-size:14px}.band{fill:#f6f6f2}"
    ".box{fill:#fff;stroke:#0d7068}.edge{stroke:#7f8a88;fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#ececea}.band{fill:#191b1c}.box{fill:#1f2123}.edge{stroke:#7f8a88}}"
)


def imports_within(floor: str, graph: grimp.ImportGraph) -> dict[str, set[str]]:
    """Return for each package of a floor those of the same floor that it imports; modules are one package."""
    packages = {child for child in graph.find_children(floor) if graph.find_children(child)}
    edges: dict[str, set[str]] = {package: set() for package in packages}
    for package in packages:
        for module in {package} | graph.find_descendants(package):
            for imported in graph.find_modules_directly_imported_by(module):
                other = ".".join(imported.split(".")[:2])
                if other in packages and other != package:
                    edges[package].add(other)
    return edges


def reduced(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the edges without those that follow from others."""

    def reachable(start: str) -> set[str]:
        found: set[str] = set()
        waiting = list(edges[start])
        while waiting:
            if (node := waiting.pop()) not in found:
                found.add(node)
                waiting += edges[node]
        return found

    return {
        node: {other for other in others if not any(other in reachable(via) for via in others - {other})}
        for node, others in edges.items()
    }


def ranks(edges: dict[str, set[str]]) -> dict[str, int]:
    """Return how high each package stands: one above the highest that it imports."""
    height: dict[str, int] = {}
    try:
        order = list(graphlib.TopologicalSorter(edges).static_order())
    except graphlib.CycleError:  # A floor whose packages import each other has no heights.
        return dict.fromkeys(edges, 0)
    for node in order:
        height[node] = 1 + max((height[other] for other in edges[node]), default=-1)
    return height


def drawing() -> str:
    """Return the picture."""
    graph = grimp.build_graph(*FLOORS, exclude_type_checking_imports=True, cache_dir=None)
    parts, top = [], _GAP
    for floor in FLOORS:
        band, height = _band(floor, graph, top)
        parts.append(band)
        top += height + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" width="{_WIDTH}" '
        f'height="{top}" role="img"><title>The layers of Partwise, drawn from its imports</title>'
        f"<style>{_STYLE}</style>{''.join(parts)}</svg>\n"
    )


def _band(floor: str, graph: grimp.ImportGraph, top: int) -> tuple[str, int]:
    edges = imports_within(floor, graph)
    rank = ranks(edges)
    by_row = [list(row) for _, row in groupby(sorted(edges, key=lambda p: (-rank[p], p)), key=rank.get)]
    height = _HEAD + max(1, len(by_row)) * _ROW - (_ROW - _BOX) + _GAP
    band = (
        f'<rect class="band" x="0" y="{top}" width="{_WIDTH}" height="{height}" rx="6"/>'
        f'<text class="floor" x="{_GAP}" y="{top + 18}">{floor}/</text>'
    )
    boxes, lines = [], []
    centre: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(by_row):
        width = (_WIDTH - _GAP) / len(row) - _GAP
        for place, package in enumerate(row):
            x, y = _GAP + place * (width + _GAP), top + _HEAD + number * _ROW
            centre[package] = (x + width / 2, y)
            label = package.split(".")[1]
            boxes.append(
                f'<rect class="box" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BOX}" rx="4"/>'
                f'<text x="{x + width / 2:.1f}" y="{y + 20}" text-anchor="middle">{escape(label)}</text>'
            )
    for package, others in sorted(reduced(edges).items()):
        for other in sorted(others):
            (x, y), (to_x, to_y) = centre[package], centre[other]
            lines.append(f'<path class="edge" d="M{x:.1f} {y + _BOX}L{to_x:.1f} {to_y}"/>')
    return "".join((band, *lines, *boxes)), height


def main() -> int:
    """Write the picture; with --check only say whether it is of today."""
    svg = drawing()
    if "--check" in sys.argv:
        return 0 if PICTURE.is_file() and PICTURE.read_text(encoding="utf-8") == svg else 1
    PICTURE.write_text(svg, encoding="utf-8")
    print(f"{PICTURE} written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
