"""The handbook of methods, made from their SPECs: nothing here is written twice."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from experiments.requests.library import Param, Spec, method_specs
from ui import state, theme
from ui.fragments import fragment
from ui.handbook import formulas, miniature
from ui.method_menu import FAMILIES
from ui.palette import colour
from ui.runs import reopen

_FIRST = "n2s2l"
_NEEDS = {
    "labels": "labels",
    "pairs": "pairs that belong together or apart",
    "views": "several views of the same samples",
    "tensor": "samples that are tables, such as pictures",
    "nonnegative": "numbers of zero or more",
}
_TAKES = _NEEDS | {
    "holes": "data with unknown entries: NaN in X, or `fit(X, y, mask=…)` with weights from 0 to 1",
    "parts": "parts that stay as they are: `fit(X, fixed=…)`, or on Live run by a click on one",
}


@fragment
def show() -> None:
    """Show one method in full, chosen by its family and its name."""
    reopen.follow()
    spec = _chosen(method_specs())
    with st.container(key="handbook"):
        st.html(_heading(spec))
        text, picture = st.columns([1.5, 1], gap="large")
        with picture:
            _miniature(spec)
        with text:
            mathematics(spec)
        _parameters([param for param in spec.params if param.kind != "seed"])
        _remarks(spec)
    state.publish("methods")


def _chosen(specs: dict[str, Spec]) -> Spec:
    about = state.get("about", _FIRST, specs.__contains__)
    families = {name: [id for id, spec in specs.items() if spec.family == name] for name in FAMILIES}
    family = specs[about].family
    state.control(
        st.pills, "Family", list(families), name="_about.family", default=family, required=True,
        format_func=lambda name: f"{FAMILIES[name].capitalize()} ({len(families[name])})",
        accept=families.__contains__, on_change=_open_family, args=(families,),
    )  # fmt: skip
    members = families[family]
    chosen = state.control(
        st.pills, "Method", members, name="about", default=_FIRST, required=True,
        accept=members.__contains__, format_func=lambda id: specs[id].title, key=f"about in {family}",
    )  # fmt: skip
    return specs[chosen]


def _open_family(families: dict[str, list[str]]) -> None:
    members = families[state.widget_value("_about.family")]
    state.choose({"about": _FIRST if _FIRST in members else members[0]})


def _heading(spec: Spec) -> str:
    dot = f"background:{colour(spec.id, theme.current())}"
    return (
        f'<h2 class="method-title"><i style="{dot}"></i>{escape(spec.title)}</h2>'
        f'<p class="method-summary">{escape(spec.summary)}</p>'
    )


def _miniature(spec: Spec) -> None:
    try:
        miniature.show(spec)
    except ValueError as refusal:
        st.info(f"There is no small run to show: {refusal}")
        return
    st.button("Try it on Live run", on_click=_try, args=(spec.id,), width="stretch", type="primary")


def _try(method: str) -> None:
    """Open the small run itself, with all that it was made from."""
    state.reset(["live.mode"])  # One run, not a race.
    reopen.open_on("live", miniature.request(method), miniature.run(method).id)


def mathematics(spec: Spec) -> None:
    """Show what a method minimises and how, what it needs and what it costs."""
    st.markdown("**What it minimises**" if spec.monotone else "**What it is after**")
    _formula(spec.objective)
    st.markdown("**How it gets there**")
    _formula(spec.update)
    ending = "never rises, which is proven" if spec.monotone else "may rise on the way"
    needs = ", ".join(_NEEDS[need] for need in sorted(spec.needs)) or "nothing but numbers"
    takes = ", ".join(_TAKES[gift] for gift in sorted(spec.takes))
    also = f"  \n**Makes use of** {takes}." if takes else ""
    costs = f"**Costs** {spec.cost} {spec.in_seconds}"
    st.markdown(f"**Needs** {needs}.{also}  \n{costs}  \n**The objective** {ending}.")


def _formula(latex: str) -> None:
    # Inline mathematics may break between its terms, so that long formulas fit a telephone.
    for line in formulas.lines(latex):
        st.markdown(rf"$\displaystyle {line}$")


def _parameters(params: list[Param]) -> None:
    if not params:
        return
    st.subheader("Parameters", anchor=False)
    # A list, not a table: it reads as well on a telephone.
    lines = []
    for param in params:
        facts = f"Default: {_default(param)}."
        paper = f" In the paper: {param.paper.rstrip('.')}." if param.paper else ""
        lines.append(f"* **{param.label}** `{param.name}` — {param.meaning} *{facts}{paper}*")
    st.markdown("\n".join(lines))


def _default(param: Param) -> Any:
    if param.default is not None:
        return param.default
    return "follows from the data" if param.auto else param.unset


def _remarks(spec: Spec) -> None:
    if spec.corrections:
        st.subheader("What is different in print", anchor=False)
        st.write(spec.corrections)
    st.subheader("Read more", anchor=False)
    st.markdown("\n".join(f"* {reference}" for reference in spec.references))
