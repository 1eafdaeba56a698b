"""Figures of accuracies as SVG, to be taken along: drawn alike for every page, without a browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor

import numpy as np

_WIDTH, _LEFT, _RIGHT, _TOP = 760, 210, 96, 16
_ROW, _BOTTOM = 34, 52
_LINES_HEIGHT, _LINES_LEFT = 420, 56
_INK, _FAINT = "#1f2328", "#d0d4d9"
_DASHES = ("", "7 4", "2 3", "10 3 2 3", "4 2", "12 5")
_MOST_TICKS = 8


@dataclass(frozen=True)
class FigureRow:
    """A method and its shares, one a split."""

    title: str
    colour: str
    shares: Sequence[float]


@dataclass(frozen=True)
class FigureLine:
    """A method and its points: where on the axis, the mean share, its spread."""

    title: str
    colour: str
    points: Sequence[tuple[float, float, float]]


def rows_svg(rows: Sequence[FigureRow], axis: str) -> str:
    """Return a row a method: every share a dot, the mean with its standard deviation beside it."""
    shares = [share for row in rows for share in row.shares]
    low = max(0.0, floor(10 * min(shares, default=0.0) - 0.2) / 10)
    height, right = _TOP + _ROW * len(rows) + _BOTTOM, _WIDTH - _RIGHT

    def at(share: float) -> float:
        return _LEFT + (right - _LEFT) * (share - low) / (1 - low)

    parts = [_grid_line(at(tick), _TOP, height - _BOTTOM) for tick in _share_ticks(low)]
    for place, row in enumerate(rows):
        y = _TOP + _ROW * (place + 0.5)
        parts.append(_text(_LEFT - 10, y, row.title, "end"))
        if not row.shares:
            continue
        mean, spread = mean_and_spread(row.shares)
        first, last = at(max(low, mean - spread)), at(min(1.0, mean + spread))
        parts.append(_line(first, y, last, y, row.colour, 5, opacity=0.35))
        parts += [_dot(at(share), y, 2.5, row.colour, 0.55) for share in row.shares]
        parts.append(_dot(at(mean), y, 5, row.colour))
        parts.append(_text(right + 10, y, f"{100 * mean:.1f} ± {100 * spread:.1f}", "start"))
    bottom = height - _BOTTOM + 16
    parts += [_text(at(tick), bottom, f"{100 * tick:.0f} %", "middle") for tick in _share_ticks(low)]
    parts.append(_text((_LEFT + right) / 2, bottom + 22, axis, "middle"))
    return _svg(height, parts)


def lines_svg(lines: Sequence[FigureLine], axis: str) -> str:
    """Return a line a method: mean shares along an axis with their standard deviations."""
    places = sorted({x for line in lines for x, _, _ in line.points}) or [0.0, 1.0]
    span = (places[-1] - places[0]) or 1.0
    top, bottom, right = _TOP, _LINES_HEIGHT - _BOTTOM, _WIDTH - 16

    def at(x: float) -> float:
        return _LINES_LEFT + 10 + (right - _LINES_LEFT - 20) * (x - places[0]) / span

    def up(share: float) -> float:
        return bottom - (bottom - top) * min(1.0, max(0.0, share))

    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_line(_LINES_LEFT, up(tick), right, up(tick), _FAINT, 1))
        parts.append(_text(_LINES_LEFT - 8, up(tick), f"{100 * tick:.0f} %", "end"))
    ticks = places[:: -(-len(places) // _MOST_TICKS)]
    parts += [_text(at(x), bottom + 16, f"{x:g}", "middle") for x in ticks]
    parts.append(_text((_LINES_LEFT + right) / 2, bottom + 38, axis, "middle"))
    for place, line in enumerate(lines):
        dashes = _DASHES[place % len(_DASHES)]
        corners = " ".join(f"{at(x):.1f},{up(mean):.1f}" for x, mean, _ in line.points)
        parts.append(
            f'<polyline points="{corners}" fill="none" stroke="{line.colour}" stroke-width="2" '
            f'stroke-dasharray="{dashes}"/>'
        )
        for x, mean, spread in line.points:
            parts.append(_line(at(x), up(mean - spread), at(x), up(mean + spread), line.colour, 1.2))
            parts.append(_dot(at(x), up(mean), 3, line.colour))
        y = _LINES_HEIGHT + 18 * place
        parts.append(_line(_LINES_LEFT, y, _LINES_LEFT + 44, y, line.colour, 2.5, dashes=dashes))
        parts.append(_text(_LINES_LEFT + 54, y, line.title, "start"))
    return _svg(_LINES_HEIGHT + 18 * len(lines), parts)


def _share_ticks(low: float) -> list[float]:
    step = 0.1 if low > 0.45 else 0.2
    return [float(tick) for tick in np.arange(1.0, low - 1e-9, -step)]


def mean_and_spread(shares: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some shares and their standard deviation."""
    return float(np.mean(shares)), float(np.std(shares, ddof=1)) if len(shares) > 1 else 0.0


def _svg(height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height:g}" '
        f'viewBox="0 0 {_WIDTH} {height:g}" font-family="Helvetica, Arial, sans-serif" font-size="13">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    look = f'dy="0.35em" text-anchor="{anchor}" fill="{_INK}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>'


def _line(
    x1: float, y1: float, x2: float, y2: float, colour: str, width: float, *, opacity: float = 1.0,
    dashes: str = "",
) -> str:  # fmt: skip
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width:g}" stroke-opacity="{opacity:g}" stroke-dasharray="{dashes}"/>'
    )


def _grid_line(x: float, top: float, bottom: float) -> str:
    return _line(x, top, x, bottom, _FAINT, 1)


def _dot(x: float, y: float, radius: float, colour: str, opacity: float = 1.0) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}" fill-opacity="{opacity:g}"/>'
