"""The parts that several methods find in the same data, side by side, and how sparse they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import streamlit as st

from experiments.engine.service import Handle
from experiments.inspection.parts import Order
from experiments.requests.library import Facts, Spec, method_spec
from ui import chosen_params, keys, param_slider, run_words, state
from ui.assets import component
from ui.bases import charts, downloads
from ui.bases.answers import NO_PARTS, displayed_parts
from ui.fragments import fragment
from ui.method_menu import left_out, methods_menu
from ui.palette import colour
from ui.run_state import STATE
from ui.service import service
from ui.sidebar import Chosen, chosen
from ui.watching import watched
from ui.words import kind_of

_VIEW = component("bases", "bases")
_KEY, _RUN, _DISPLAYED, _SLIDERS = "bases view", "bases.run", "_bases.shown", "bases"
_MOST = 4
_MOST_PARTS = 200
_ORDERS = {
    "weight": "most weight first",
    "sparsity": "sparsest first",
    "class": "by class",
    "number": "as found",
}
_DEFAULTS = {
    "images": ["pca", "nmf", "n2s2l"],
    "table": ["pca", "nmf", "n2s2l"],
    "documents": ["nmf", "n2s2l"],
}
_MEANING = (
    "How many parts each method is to find. While you move it, their parts follow; let go, and each method "
    "begins at its own start, so that the address alone decides what is found."
)
# Of more topics or mixtures nobody reads the words at first sight.
_FIRST_PARTS = {"documents": 24, "table": 8}


@fragment
def show() -> None:
    """Show the page."""
    choice = chosen()
    specs, rank, order, view = _controls(choice)
    if specs:
        opened = _opened(choice, rank)
        runs = {spec.id: _shared(choice, spec, rank, view) for spec in specs}
        if opened and opened.request.method in runs:
            runs[opened.request.method] = opened
            _say_whose(opened)
        # Lessons ask what has become of them.
        state.put(_DISPLAYED, ",".join(run.id for run in runs.values() if isinstance(run, Handle)))
        for spec in specs:
            chosen_params.in_use(choice.dataset, spec.id, key=f"bases {spec.id}")
        _explore(choice, specs, runs, order, view, rank)
        parts_by_method = {
            spec.id: parts
            for spec in specs
            if isinstance(handle := runs[spec.id], Handle) and (parts := displayed_parts(handle, view))
        }
        rows = [(spec, parts_by_method.get(spec.id)) for spec in specs if _finds_parts(spec)]
        if rows:
            charts.compare(rows, pictures=_shape(choice, view) is not None)
            downloads.offer(parts_by_method, choice, order)
    else:
        st.info("Choose a method to see its parts.")
    if missing := left_out(choice, _finds_parts):
        st.caption(missing)
    state.publish("bases")


def _finds_parts(spec: Spec) -> bool:
    return "components" in spec.gives


def _controls(choice: Chosen) -> tuple[list[Spec], int, Order, str | None]:
    views = list(choice.data.views)
    compared = state.get("compare", [])
    widths = [2, 1] + ([1] if len(views) > 1 else [])
    if keys.presenting():  # In one row: before a room there is no scrolling.
        menu, *places = st.columns([4, *widths], vertical_alignment="bottom")
    else:
        menu, places = st.container(), st.columns(widths, vertical_alignment="bottom")
    with menu:
        specs = methods_menu(
            "Methods", name="compare", default=_DEFAULTS[kind_of(choice.data)], most=_MOST, choice=choice,
            # A link may ask for a method without parts: then the page says so.
            accept=lambda spec: _finds_parts(spec) or spec.id in compared,
        )  # fmt: skip
    view = None
    if len(views) > 1:
        with places[2]:
            view = state.control(
                st.selectbox, "View", views, name="bases.view", default=views[0], accept=views.__contains__,
                help="Methods for several views use all of them and show their parts in this one; "
                "the others see only this one.",
            )  # fmt: skip
    with places[0]:
        rank = _rank(choice, _facts(choice, view))
    with places[1]:
        order: Order = state.control(
            st.selectbox, "Order", list(_ORDERS), name="order", default="weight",
            accept=_ORDERS.__contains__, format_func=_ORDERS.get,
        )  # fmt: skip
    return specs, rank, order, view


def _rank(choice: Chosen, facts: Facts) -> int:
    most = max(1, min(_MOST_PARTS, facts.n_samples - 1, facts.n_features))
    if most < 3:
        st.caption(f"{facts.n_features} features: {most} {'part' if most == 1 else 'parts'}.")
        return most
    # One number for all methods, so that they compare: the one NMF starts with.
    usual = method_spec("nmf").param("n_components")
    start = min(most, max(2, int(usual.starting_value(facts))), _FIRST_PARTS.get(kind_of(choice.data), most))
    number = usual.but(words="Number of parts", low=2, high=most, preferred=start, paper="")
    param_slider.take_in(number, facts, "k")
    return int(param_slider.show(number, facts, "k", _MEANING, turns=f"{_SLIDERS}.k"))


def _facts(choice: Chosen, view: str | None) -> Facts:
    facts = choice.facts
    return facts if view is None else replace(facts, n_features=choice.data.views[view].shape[1])


def _shape(choice: Chosen, view: str | None) -> tuple[int, int] | None:
    """Return height and width of the parts in a view, None if they are no pictures."""
    first = view in (None, next(iter(choice.data.views)))
    return choice.data.image_shape if first else None


def _opened(choice: Chosen, rank: int) -> Handle | None:
    """Return the run that was opened here, as long as it is of these data with as many parts."""
    handle = watched(state.get(_RUN))
    if handle is None or handle.request.params.get("n_components", rank) != rank:
        return None
    opened, current = handle.request, choice.request(handle.request.method, {}, labels=handle.request.labels)
    bare = replace(opened, params={}, view=None, corruption=None, pairs=())
    return handle if bare.key == current.key else None


def _say_whose(opened: Handle) -> None:
    spec = method_spec(opened.request.method)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{spec.title}: the parts of the run you opened ({run_words.params(opened)}).")
        st.button("Show the usual ones", on_click=state.put, args=(_RUN, None), type="tertiary")


def _shared(choice: Chosen, spec: Spec, rank: int, view: str | None) -> Handle | str:
    """Return the run everybody shares for this choice, or the reason why there can be none."""
    if not _finds_parts(spec):
        return NO_PARTS.format(spec.title)
    params = chosen_params.starting_values(spec, _facts(choice, view), choice.dataset)
    for name, (less, most) in _along(spec, params).items():
        params[name] = max(1, rank - less if most is None else min(rank - less, most))
    request = choice.request(spec.id, params)
    if "views" not in spec.needs and view not in (None, next(iter(choice.data.views))):
        request = replace(request, view=view)
    try:
        return service().shared(request)
    except ValueError as refusal:
        return str(refusal)


def _along(spec: Spec, params: Mapping[str, Any]) -> dict[str, tuple[int, int | None]]:
    """Return what goes along with the number of parts: how much less each is, and how much at most."""
    along: dict[str, tuple[int, int | None]] = {}
    if "n_components" in params:
        # There are only so many directions between classes, whatever is wished for.
        along["n_components"] = 0, params["n_components"] if spec.projects_between_classes else None
    if "n_discriminative" in params:
        along["n_discriminative"] = 1, params["n_discriminative"]
    return along


def _explore(
    choice: Chosen,
    specs: Sequence[Spec],
    runs: Mapping[str, Handle | str],
    order: Order,
    view: str | None,
    k: int,
) -> None:
    shape = _shape(choice, view)
    opened = [run.id for run in runs.values() if isinstance(run, Handle) and not run.shared]
    ground, basis = _ground(choice), _short([view, k, *opened])
    data: dict[str, Any] = {
        "methods": [_method(choice, spec, runs[spec.id], view) for spec in specs],
        "ground": ground,
        "preparing": STATE["preparing"],
        "following": param_slider.FOLLOWING,
        "basis": basis,
        "look": _look(ground, basis, choice.rows.train.size),
        "order": order,
        "view": view,
        "kind": "images" if shape else "words",
        "shape": shape,
        "samples": int(choice.rows.train.size),
    }
    _VIEW(key=_KEY, data=data, on_look_change=_remember, on_changed_change=state.rerun_page)


def _method(choice: Chosen, spec: Spec, run: Handle | str, view: str | None) -> dict[str, Any]:
    params = chosen_params.starting_values(spec, _facts(choice, view), choice.dataset)
    along = _along(spec, params)
    turned_by = param_slider.followed(run, spec, _SLIDERS) if isinstance(run, Handle) and along else []
    return {
        "id": spec.id,
        "title": spec.title,
        "colour": {"light": colour(spec.id, "light"), "dark": colour(spec.id, "dark")},
        "run": run.id if isinstance(run, Handle) else None,
        "refusal": run if isinstance(run, str) else "",
        "wrong": isinstance(run, str) and _finds_parts(spec),
        "turns": param_slider.turns_of(turned_by, along={"k": along}),
    }


def _ground(choice: Chosen) -> str:
    """Return a short name for what samples are numbered by."""
    return _short([choice.dataset, dict(choice.options), dict(choice.split), choice.seed])


def _short(plain: list[Any]) -> str:
    return sha256(json.dumps(plain, sort_keys=True, default=str).encode()).hexdigest()[:8]


# What is looked at, as text for the address: ground ~ sample ~ basis ~ method.part.part ~ method.part …
def _look(ground: str, basis: str, samples: int) -> dict[str, Any]:
    """Return which sample is rebuilt and which parts are off, as the address says; it may say nonsense."""
    written_ground, sample, numbered, *methods = [*str(state.get("bases.look", "")).split("~"), "", "", ""]
    if written_ground != ground or not sample.isdecimal() or int(sample) >= samples:
        return {"sample": 0, "off": {}}
    off = {}
    for method, *numbers in (entry.split(".") for entry in methods if entry and numbered == basis):
        off[method] = [int(number) for number in numbers if number.isdecimal() and int(number) < _MOST_PARTS]
    return {"sample": int(sample), "off": off}


def _remember() -> None:
    """Take over what is looked at, so that the address says it too."""
    look = state.component_value(_KEY, "look")
    if look:
        off = [".".join([method, *map(str, numbers)]) for method, numbers in look["off"].items()]
        state.put("bases.look", "~".join([look["ground"], str(look["sample"]), look["basis"], *off]), "")
