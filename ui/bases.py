"""The parts that several methods find in the same data, side by side, and how sparse they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from experiments.library import Spec, runnable
from experiments.service import Handle
from experiments.sparsity import energy, hoyer, spatial_concentration, zero_fraction
from ui import charts, state, theme
from ui.live_view import live_view, subject_of
from ui.palette import colour
from ui.pictures import parts_sheet
from ui.service import service
from ui.sheet_view import sheet_view
from ui.sidebar import Chosen, chosen

_MOST = 4
_ORDERS = {"weight": "most weight first", "sparsity": "sparsest first", "number": "as found"}


@dataclass(frozen=True)
class Basis:
    """The parts of a finished run, in the order shown."""

    spec: Spec
    handle: Handle
    parts: NDArray[Any]
    order: NDArray[np.int64]
    weight: NDArray[np.float64]
    sparsity: NDArray[np.float64]
    discriminative: int


@st.fragment
def show() -> None:
    """Show the page."""
    choice = chosen()
    methods = {name: spec for name, spec in runnable().items() if "components" in spec.gives}
    names, rank, order = _controls(choice, methods)
    if not names:
        st.info("Choose a method to see its parts.")
    else:
        handles = {name: _shared(choice, methods[name], rank) for name in names}
        columns = st.columns(len(names), gap="medium")
        for column, (name, handle) in zip(columns, handles.items(), strict=True):
            with column:
                _column(choice, methods[name], handle, order)
        finished = [basis for name, h in handles.items() if (basis := _basis(methods[name], h, order))]
        if finished:
            _compare(choice, finished)
    state.publish("bases")


def _controls(choice: Chosen, methods: dict[str, Spec]) -> tuple[list[str], int, str]:
    facts = choice.facts
    most = max(2, min(200, facts.n_samples - 1, facts.n_features))
    start = min(most, max(2, methods["nmf"].param("n_components").starting_value(facts)))
    first, second, third = st.columns([2.4, 1.4, 1], vertical_alignment="bottom")
    with first:
        names = state.control(
            st.multiselect, "Methods", list(methods), name="compare", default=["pca", "nmf", "n2s2l"],
            accept=lambda chosen: set(chosen) <= set(methods) and len(chosen) <= _MOST,
            format_func=lambda id: methods[id].title, max_selections=_MOST,
        )  # fmt: skip
    with second:
        rank = state.control(
            st.slider, "Number of parts (k)", 2, most, name="k", default=start,
            accept=lambda value: 2 <= value <= most,
        )  # fmt: skip
    with third:
        order = state.control(
            st.selectbox, "Order", list(_ORDERS), name="order", default="weight", accept=_ORDERS.__contains__,
            format_func=_ORDERS.get,
        )  # fmt: skip
    return names, rank, order


def _shared(choice: Chosen, spec: Spec, rank: int) -> Handle | str:
    """Return the run everybody shares for this choice, or the reason why there can be none."""
    params = {name: value for name, value in spec.starting_values(choice.facts).items() if value is not None}
    if "n_components" in params:
        params["n_components"] = rank
    if "n_discriminative" in params:
        params["n_discriminative"] = min(params["n_discriminative"], rank - 1)
    try:
        return service().shared(choice.request(spec.id, params))
    except ValueError as refusal:
        return str(refusal)


def _column(choice: Chosen, spec: Spec, handle: Handle | str, order: str) -> None:
    if isinstance(handle, str) or handle.status in ("failed", "interrupted"):
        st.markdown(f"**{spec.title}**")
        st.error(handle if isinstance(handle, str) else handle.message)
        return
    basis = _basis(spec, handle, order)
    if basis is None:
        live_view(f"forming {spec.id}", handle, subject_of(spec), form="parts")
        return
    st.markdown(f"**{spec.title}** — mean sparsity **{basis.sparsity.mean():.2f}**")
    sheet = parts_sheet(
        basis.parts[basis.order], choice.data.image_shape, theme.current(), signed=spec.signed
    )
    sheet_view(
        f"basis {spec.id}", sheet, label=f"{len(basis.parts)} parts found by {spec.title}",
        tips=[_tip(basis, int(index)) for index in basis.order],
        marks=[bool(index < basis.discriminative) for index in basis.order],
    )  # fmt: skip
    st.caption(_facts(basis, choice))


def _basis(spec: Spec, handle: Handle | str, order: str) -> Basis | None:
    if isinstance(handle, str) or not handle.ended or handle.reader is None:
        return None
    _, arrays = handle.reader.latest()
    if "components" not in arrays:
        return None
    parts = arrays["components"]
    weight = energy(parts, arrays["embedding"])
    sparsity = hoyer(parts)
    keys = {"weight": -weight, "sparsity": -sparsity, "number": np.arange(len(parts))}
    has_q = any(param.name == "n_discriminative" for param in spec.params)
    q = min(handle.ending.get("discriminative") or 0, len(parts)) if has_q else 0
    return Basis(spec, handle, parts, np.argsort(keys[order], kind="stable"), weight, sparsity, q)


def _tip(basis: Basis, index: int) -> str:
    share = basis.weight[index] / basis.weight.sum()
    role = " · tells classes apart" if index < basis.discriminative else ""
    return f"part {index + 1} · {share:.1%} of the weight · sparsity {basis.sparsity[index]:.2f}{role}"


def _facts(basis: Basis, choice: Chosen) -> str:
    entries = "pixels" if choice.data.image_shape else "features"
    facts = [f"{zero_fraction(basis.parts).mean():.0%} of the {entries} are (almost) zero"]
    if choice.data.image_shape:
        facts.append(
            f"concentration {spatial_concentration(basis.parts, choice.data.image_shape).mean():.2f}"
        )
    found = basis.handle.scores.get("accuracy_euclidean")
    if found is not None:
        facts.append(f"recognises {found:.0%} of the unlabelled")
    if basis.discriminative:
        facts.append("framed parts tell classes apart")
    return "; ".join(facts) + "."


def _compare(choice: Chosen, bases: list[Basis]) -> None:
    st.subheader("How sparse is each part?")
    st.caption(
        "Each point is one part. Hoyer's measure is 0 when every pixel of a part weighs the same, "
        "1 when a single pixel has all the weight."
    )
    look = theme.current()
    charts.distributions(
        "sparsity",
        {basis.spec.title: basis.sparsity for basis in bases},
        {basis.spec.title: colour(basis.spec.id, look) for basis in bases},
        "sparsity of a part",
    )
