"""Who is whose neighbour: four graphs on one map, compared in a table, and labels spreading along two."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import streamlit as st

from experiments.inspection.inspection_job import spread_of
from experiments.inspection.layout import Points
from experiments.inspection.neighbourhoods import GraphFacts, Kind, LabelSpread, Rule
from experiments.requests.by_hand import class_names
from experiments.requests.library import Dataset
from experiments.table_files import TableFile
from ui import owner, state, words
from ui.downloads import downloads
from ui.fragments import fragment
from ui.graphs import graph_map
from ui.graphs.graph_map import KINDS, PATIENCE, Wish, current, graph_question, graph_wish
from ui.map_view import Film, map_view
from ui.service import service
from ui.sidebar import Chosen, chosen
from ui.tips import tips
from ui.waiting import Desk

_RULES: dict[Rule, str] = {"hgf": "HGF", "cons": "CONS", "lnp": "LNP"}
_SPREAD_ON: tuple[Kind, ...] = ("neighbours", "l1")
_RULE_WORDS: dict[Rule, str] = {
    "hgf": "Each sample takes the average of its neighbours; labelled ones keep their label.",
    "cons": "Each sample listens to its neighbours and a little to its own label; crowded ones count less.",
    "lnp": "Each sample takes the mixture of its neighbours that the graph's weights give.",
}


@fragment
def show() -> None:
    """Show the page."""
    choice = chosen()
    if choice.data.n_samples < 3:
        st.info("Three samples at least make a graph. Choose larger data in the sidebar.")
    else:
        _graphs(choice)
    state.publish("graphs")


def _graphs(choice: Chosen) -> None:
    ds, desk = choice.data, Desk()
    way, wish = graph_map.controls(choice)
    wishes = {kind: wish if kind == wish.kind else current(kind, ds) for kind in KINDS}
    left, right = st.columns([3, 2], gap="medium")
    with left:
        points = graph_map.map_of(choice, way, wish, desk)
    with right, st.container(key="graph_facts"):
        _compare(choice, wishes, desk)
    _spreading(choice, points, wishes, desk)
    desk.watch("Some of it is still being worked out…")


def _compare(choice: Chosen, wishes: dict[Kind, Wish], desk: Desk) -> None:
    """Show what tells the graphs apart, a column a graph."""
    ds = choice.data
    facts_by_kind: dict[Kind, GraphFacts | str | None] = {}
    for kind, wish in wishes.items():
        answer = desk.ask(*graph_wish(choice, wish))
        facts_by_kind[kind] = (answer.message or answer.value.facts) if answer.done else None
    lines: list[tuple[str, Callable[[GraphFacts], str]]] = [
        ("Edges", lambda f: words.number(f.edges)),
        (f"Same {words.class_unit(ds)}", lambda f: "–" if f.purity is None else f"{f.purity:.0%}"),
        ("Neighbours", lambda f: f"{f.degree:.1f}"),
        ("at most", lambda f: words.number(f.most)),
        ("Alone", lambda f: words.number(f.alone)),
        ("Pieces", lambda f: words.number(f.parts)),
        ("Cut off", lambda f: words.number(f.out_of_reach)),
    ]
    heads = ["graph", f"p = {wishes['neighbours'].size}", "ℓ1", "same", "strangers"]
    table = [
        [title, *(say(f) if isinstance(f, GraphFacts) else "–" if f else "…" for f in facts_by_kind.values())]
        for title, say in lines
    ]
    sides = [":--", *["--:"] * len(KINDS)]
    st.markdown("\n".join(f"| {' | '.join(row)} |" for row in (heads, sides, *table)))
    file = TableFile(f"Graphs of {ds.title}", heads, table)
    downloads("graphs", drawn=False, table=lambda: file)
    unit, many = words.class_unit(ds), words.samples(ds)
    st.caption(
        f"Same {unit}: the share of edges (by weight) that join {many} of one {unit}, called purity. "
        f"Neighbours: how many a sample has on average. Alone: {many} without any. Pieces: how many parts "
        f"the graph falls into. Cut off: {many} from which no path leads to a labelled one."
    )


def _named(title: str, wish: Wish) -> str:
    return title.replace("p-NN", f"p = {wish.size}") if wish.kind == "neighbours" else title


def _spreading(choice: Chosen, points: Points, wishes: dict[Kind, Wish], desk: Desk) -> None:
    """Show labels on their way over two graphs."""
    st.header("How far do labels get, and are they right?")
    if not choice.rows.labelled.size:
        st.info("No sample is labelled yet. Label some in the sidebar or by hand on the Recognition page.")
        return
    rule = state.control(
        st.segmented_control, "Rule", list(_RULES), name="graph.rule", default="hgf", required=True,
        accept=_RULES.__contains__, format_func=_RULES.get,
    )  # fmt: skip
    st.caption(_RULE_WORDS[rule])
    for column, kind in zip(st.columns(2, gap="large"), _SPREAD_ON, strict=True):
        with column:
            _heading(choice, kind, wishes[kind])
            answer = desk.ask(*graph_wish(choice, wishes[kind]))
            if answer.done and not answer.message:
                answer = desk.ask(*_spread_wish(choice, wishes[kind], rule), patience=PATIENCE)
            if not answer.done:
                st.caption("This is being worked out…")
            elif answer.message:
                st.info(answer.message)
            else:
                _film(choice, points, kind, answer.value)


def _heading(choice: Chosen, kind: Kind, wish: Wish) -> None:
    """Name a graph; p can be changed beside the film that shows what it does."""
    name = f"**{_named(graph_map.titles(choice.data)[kind], wish)}**"
    if kind != "neighbours" or wish.size is None:
        st.markdown(name)
        return
    most = graph_map.most_neighbours(choice.data)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(name, width="content")
        for words_, step in (("p − 1", -1), ("p + 1", 1)):
            st.button(
                words_, key=f"graph {words_}", disabled=not 1 <= wish.size + step <= most,
                on_click=state.choose, args=({"graph.p": wish.size + step},),
            )  # fmt: skip


def _spread_wish(choice: Chosen, wish: Wish, rule: Rule) -> tuple[Hashable, Callable[[], LabelSpread]]:
    wanted, visitor = graph_question(choice, wish), owner.token()
    n_classes = len(class_names(choice.data, choice.labels))
    key = ("spread", graph_wish(choice, wish)[0], n_classes, rule)
    return key, lambda: spread_of(wanted, n_classes, rule, service().jobs, visitor)


def _film(choice: Chosen, points: Points, kind: Kind, spreading: LabelSpread) -> None:
    ds, rows = choice.data, choice.rows
    many = words.counted(ds.n_samples, *words.sample_words(ds))
    captions = [_caption(ds, spreading, at) for at in range(len(spreading.rounds))]
    map_view(
        f"spread {kind}", points, label=f"Labels spreading over {many}.", colours=rows.y_partial,
        names=class_names(ds, choice.labels), tips=tips(ds, rows), marks=rows.labelled,
        film=Film(spreading.codes, spreading.strengths, captions, "spread"), legend=False, height=420,
    )  # fmt: skip


def _caption(ds: Dataset, spreading: LabelSpread, at: int) -> str:
    right, reached = spreading.accuracy[at], words.number(spreading.reached[at])
    sentence = f"Round {spreading.rounds[at]}: {reached} of {words.number(ds.n_samples)} have a label"
    return sentence + (f", {right:.0%} of those asked about are right" if right is not None else "")
