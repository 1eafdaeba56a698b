"""A data set on a plane with a graph of one's choice drawn on it: who is joined to whom, rightly or not."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from experiments import Split
from experiments.inspection.inspection_job import DrawnGraph, GraphQuestion, graph_of, layout_of
from experiments.inspection.layout import MOST as MOST_PLACED
from experiments.inspection.layout import Points, Way, at_once, ways
from experiments.inspection.neighbourhoods import Kind
from experiments.requests.library import Dataset
from ui import owner, state, words
from ui.map_view import map_view
from ui.service import service
from ui.sidebar import Chosen
from ui.tips import tips
from ui.waiting import Desk

WAYS: dict[Way, str] = {"pca": "PCA", "spectral": "spectral", "tsne": "t-SNE"}
KINDS: tuple[Kind, ...] = ("neighbours", "l1", "intrinsic", "penalty")
_MOST_P = 20
# Seconds a page may stand still for a graph, rather than be drawn twice.
PATIENCE = 0.3


@dataclass(frozen=True)
class Wish:
    """A graph somebody wants to see: its kind and size (None: the ℓ1 graph has none, or all of a class)."""

    kind: Kind
    size: int | None


def titles(ds: Dataset) -> dict[Kind, str]:
    """Return what the graphs are called."""
    unit = words.class_unit(ds)
    return {
        "neighbours": "nearest (p-NN)",
        "l1": "mixture (ℓ1)",
        "intrinsic": f"same {unit}",
        "penalty": "near strangers",
    }


def show(choice: Chosen) -> None:
    """Show the map with its controls; for any page, once."""
    way, wish = controls(choice)
    desk = Desk()
    map_of(choice, way, wish, desk)
    desk.watch("The map is being worked out…")


def map_of(choice: Chosen, way: Way, wish: Wish, desk: Desk) -> Points:
    """Show the map with a graph, say what it means, and return where the samples lie."""
    ds = choice.data
    points = placed(ds, way, desk)
    answer = desk.ask(*graph_wish(choice, wish), patience=PATIENCE)
    _draw(choice, points, answer.value)
    if answer.message:
        st.info(answer.message)
    st.caption(_meaning(ds, wish.kind) + _legend(ds))
    return points


def controls(choice: Chosen) -> tuple[Way, Wish]:
    """Show what can be chosen: where the samples lie, which graph, how large."""
    ds = choice.data
    possible = ways(ds.n_samples)
    with st.container(horizontal=True):
        way = state.control(
            st.segmented_control, "Places", possible, name="graph.places", default=usual_way(ds),
            accept=possible.__contains__, format_func=WAYS.get, required=True,
            key=f"graph.places {len(possible)}",
            help="PCA turns the data to where they spread most. Spectral places and t-SNE keep neighbours "
            f"together. t-SNE takes up to {MOST_PLACED['tsne']} samples.",
        )  # fmt: skip
        kind = state.control(
            st.pills, "Graph", list(KINDS), name="graph.kind", default="neighbours",
            accept=KINDS.__contains__, format_func=titles(ds).get, required=True, wrap=True,
        )  # fmt: skip
        size = size_control(ds, kind)
    return way, Wish(kind, size)


def usual_way(ds: Dataset) -> Way:
    """Return how samples are laid out unless somebody wants it otherwise."""
    return ways(ds.n_samples)[-1]


def size_control(ds: Dataset, kind: Kind) -> int | None:
    """Show the slider of a graph's size, if it has one, and return the size."""
    if kind == "neighbours":
        most = most_neighbours(ds)
        size: int = state.control(
            st.slider, "Neighbours (p)", 1, most, name="graph.p", default=min(3, most),
            accept=lambda value: 1 <= value <= most, key=f"graph.p up to {most}",
        )  # fmt: skip
        return size
    if kind == "penalty":
        pairs: int = state.control(
            st.slider, "Pairs a class", 1, 100, name="graph.pairs", default=20,
            accept=lambda value: 1 <= value <= 100,
        )  # fmt: skip
        return pairs
    if kind == "intrinsic":
        nearest = state.control(
            st.slider, "Nearest of its class (0: all)", 0, 20, name="graph.own", default=0,
            accept=lambda value: 0 <= value <= 20,
        )  # fmt: skip
        return nearest or None
    return None


def most_neighbours(ds: Dataset) -> int:
    """Return up to how many neighbours a sample may have in a graph."""
    return min(_MOST_P, ds.n_samples - 1)


def current(kind: Kind, ds: Dataset) -> Wish:
    """Return a graph at the size last chosen for its kind, without a control."""
    names = {"neighbours": ("graph.p", 3), "penalty": ("graph.pairs", 20), "intrinsic": ("graph.own", 0)}
    if kind not in names:
        return Wish(kind, None)
    size = state.get(*names[kind])
    return Wish(kind, min(size, ds.n_samples - 1) or None)


def placed(ds: Dataset, way: Way, desk: Desk) -> Points:
    """Return where the samples lie; as long as that is being worked out, the quickest places there are."""
    for better in dict.fromkeys((way, ways(ds.n_samples)[0])):
        answer = desk.ask(*_place_wish(ds, better), patience=PATIENCE)
        if answer.done and not answer.message:
            places: Points = answer.value
            return places
    return at_once(ds.X)


def _place_wish(ds: Dataset, way: Way) -> tuple[Hashable, Callable[[], Points]]:
    visitor = owner.token()
    return ("places", *_of(ds), way), lambda: layout_of(ds, way, service().jobs, visitor)


def graph_wish(choice: Chosen, wish: Wish) -> tuple[Hashable, Callable[[], DrawnGraph]]:
    """Return a graph as something to wait for."""
    wanted, visitor = graph_question(choice, wish), owner.token()
    key = ("graph", *_of(choice.data), wish, wanted.codes.tobytes())
    return key, lambda: graph_of(wanted, service().jobs, visitor)


def graph_question(choice: Chosen, wish: Wish) -> GraphQuestion:
    """Return what is asked of a worker."""
    return GraphQuestion(choice.data, choice.rows.y_partial, wish.kind, wish.size)


def _of(ds: Dataset) -> tuple[Hashable, ...]:
    return ds.id, tuple(sorted(ds.options.items()))


def _draw(choice: Chosen, points: Points, drawn: DrawnGraph | None) -> None:
    """Draw the samples by their true class with a graph on top, the labelled ones ringed."""
    ds, rows = choice.data, choice.rows
    joined = None if drawn is None else (drawn.pairs, drawn.weights)
    map_view(
        f"map {choice.dataset}", points, label=_summary(ds, rows, joined), colours=ds.y,
        names=ds.target_names, tips=tips(ds, rows), edges=joined,
        crossing=None if joined is None else _crossing(ds, joined[0]), marks=rows.labelled,
    )  # fmt: skip


def _crossing(ds: Dataset, pairs: np.ndarray) -> np.ndarray:
    """Return which edges join two different classes."""
    if ds.y is None:
        return np.zeros(len(pairs), dtype=bool)
    ends = ds.y[pairs]
    crossing: np.ndarray = (ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])
    return crossing


def _summary(ds: Dataset, rows: Split, joined: tuple[np.ndarray, np.ndarray] | None) -> str:
    summary = f"Map of {words.counted(ds.n_samples, *words.sample_words(ds))}, {rows.labelled.size} labelled"
    if joined is None:
        return f"{summary}."
    wrong = int(_crossing(ds, joined[0]).sum())
    return f"{summary}, {words.counted(len(joined[0]), 'edge')}, {wrong} of them between two classes."


def _legend(ds: Dataset) -> str:
    if ds.y is None:
        return " Ringed: labelled."
    return f" Ringed: labelled. Dashed: joins two {words.class_units(ds)}."


def _meaning(ds: Dataset, kind: Kind) -> str:
    unit, many = words.class_unit(ds), words.samples(ds)
    return {
        "neighbours": f"Each of the {many} is joined to the p that look most like it, labelled or not.",
        "l1": f"Each of the {many} is rebuilt from as few others as possible and joined to those it needs.",
        "intrinsic": f"Labelled {many} of the same {unit} are joined: what a method keeps together.",
        "penalty": f"Labelled {many} of two {words.class_units(ds)} are joined where they are closest: "
        "what it drives apart.",
    }[kind]
