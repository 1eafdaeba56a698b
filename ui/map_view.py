"""Samples as points on a plane: who is who, who is joined to whom, and a choice of some of them.

A canvas of our own: thousands of points, a graph's edges as lines, the present point's neighbours lit up.
Classes are told apart by colour and shape together, so that nobody needs to see every colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from experiments.table_files import TableFile
from ui import state
from ui.assets import component
from ui.blocks import packed
from ui.downloads import downloads
from ui.palette import classes

_VIEW = component("map_view", "map")
_MOST_EDGES = 60_000


@dataclass(frozen=True)
class Film:
    """The classes of all points at several moments, to be played one after the other.

    `codes` has a row a moment (-1: no class yet), `strengths` how sure each is, from 0 to 1; `captions`
    says of each moment what there is to see. Films of the same `group` on one page are played together.
    """

    codes: NDArray[Any]
    strengths: NDArray[Any]
    captions: Sequence[str]
    group: str = ""


def map_view(
    key: str,
    points: ArrayLike,
    *,
    label: str,
    colours: ArrayLike | None = None,
    names: Sequence[str] = (),
    tips: Sequence[str] = (),
    edges: tuple[ArrayLike, ArrayLike] | None = None,
    crossing: ArrayLike | None = None,
    marks: ArrayLike = (),
    hints: ArrayLike = (),
    film: Film | None = None,
    choice: str | None = None,
    legend: bool = True,
    height: int = 520,
    on_pick: Callable[[], None] | None = None,
) -> None:
    """Show points (n × 2); `label` is their text alternative, `tips` a description of each.

    `colours` holds a class code each (-1 unknown) and `names` what the codes are called. `edges` are pairs of
    row numbers (m × 2) and weights; those that `crossing` marks stand out. `marks` are the rows drawn solid
    with a ring (the labelled ones, for instance), `hints` those that ask for attention.

    With `on_pick` (or a `choice`) points can be chosen by clicking, by drawing around them or by keyboard;
    `picked` tells which. `choice` names the occasion: another one forgets what was chosen.
    """
    places = np.ascontiguousarray(points, dtype="<f4").reshape(-1, 2)
    codes = np.full(len(places), -1) if colours is None else np.asarray(colours)
    pairs, weights, across = _bounded(edges, crossing)
    header: dict[str, Any] = {
        "label": label, "names": list(names), "legend": legend, "tips": list(tips), "height": height,
        "choice": choice if choice is not None else "" if on_pick else None,
        "palette": {"light": classes("light"), "dark": classes("dark")},
        "film": None if film is None else {"captions": list(film.captions), "group": film.group},
    }  # fmt: skip
    blocks = {
        "places": places,
        "codes": codes.astype("<i4"),
        "pairs": pairs.astype("<i4"),
        "weights": weights.astype("<f4"),
        "marks": _flags(marks, len(places)),
        "hints": _flags(hints, len(places)),
        "crossing": across,
    }
    if film is not None:
        blocks["film_codes"] = np.asarray(film.codes, dtype="<i4")
        blocks["film_strengths"] = np.round(np.asarray(film.strengths) * 255).astype("u1")
    _VIEW(key=key, data=packed(header, blocks), on_picked_change=on_pick or state.rerun_page)
    downloads(key, table=lambda: _table(label, places, codes, names))


def _table(label: str, places: NDArray[Any], codes: NDArray[Any], names: Sequence[str]) -> TableFile:
    """Return where the points lie, and their classes."""
    class_names = [names[code] if 0 <= code < len(names) else "" for code in codes]
    rows = [
        [row, *place, name]
        for row, (place, name) in enumerate(zip(places.tolist(), class_names, strict=True))
    ]
    return TableFile(label, ["row", "across", "up", "class"], rows)


def picked(key: str, choice: str = "") -> tuple[int, ...]:
    """Return the rows chosen on a map, for this choice, in rising order."""
    picked_value = state.component_value(key, "picked") or {}
    if not isinstance(picked_value, dict) or picked_value.get("choice") != choice:
        return ()
    return tuple(sorted({int(row) for row in picked_value.get("rows", ())}))


def _bounded(
    edges: tuple[ArrayLike, ArrayLike] | None, crossing: ArrayLike | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.uint8]]:
    """Return pairs, weights (the heaviest 1) and which edges stand out; of too many edges the heaviest."""
    pairs, weights = ((), ()) if edges is None else edges
    pairs, weights = np.asarray(pairs, "<i4").reshape(-1, 2), np.abs(np.asarray(weights, np.float64))
    across = np.zeros(len(pairs), "u1") if crossing is None else np.asarray(crossing).astype("u1")
    if len(pairs) > _MOST_EDGES:
        heaviest = np.sort(np.argsort(-weights, kind="stable")[:_MOST_EDGES])
        pairs, weights, across = pairs[heaviest], weights[heaviest], across[heaviest]
    return pairs, weights / (weights.max(initial=0.0) or 1), across


def _flags(rows: ArrayLike, count: int) -> NDArray[np.uint8]:
    """Return one byte each from row numbers or from a mask."""
    values = np.asarray(rows)
    flags = np.zeros(count, dtype="u1")
    if values.size:
        flags[values.astype(np.int64) if values.dtype != bool else values] = 1
    return flags
