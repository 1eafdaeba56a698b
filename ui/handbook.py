"""The handbook of methods, made from their SPECs: nothing here is written twice."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from experiments.library import Param, Spec, method_specs
from ui import state

_WORDS = {
    "labels": "labels",
    "pairs": "pairs",
    "views": "several views",
    "tensor": "samples that are tables",
    "nonnegative": "data ≥ 0",
}


def show() -> None:
    """Show the table of all methods and one of them in full."""
    specs = method_specs()
    name = state.control(
        st.selectbox, "Method", list(specs), name="about", default="n2s2l", accept=specs.__contains__,
        format_func=lambda id: f"{specs[id].title} — {specs[id].summary}",
    )  # fmt: skip
    _page(specs[name])
    st.divider()
    st.subheader("All methods")
    st.markdown(_table(list(specs.values())))


def _page(spec: Spec) -> None:
    st.subheader(spec.title)
    st.write(spec.summary)
    st.markdown("**What it minimises**" if spec.monotone else "**Its criterion**")
    st.latex(spec.objective)
    st.markdown("**How it gets there**")
    st.latex(spec.update)
    st.markdown("**Parameters**")
    st.markdown(_parameters([param for param in spec.params if param.kind != "seed"]))
    needs = ", ".join(_WORDS[need] for need in sorted(spec.needs)) or "nothing but numbers"
    st.markdown(
        f"**Needs** {needs}. **Costs** {spec.cost} "
        f"**The objective {'never rises, which is proven' if spec.monotone else 'may rise'}.**"
    )
    if spec.corrections:
        st.markdown("**What is different in print**")
        st.write(spec.corrections)
    st.markdown("**Read more**\n" + "\n".join(f"* {reference}" for reference in spec.references))


def _parameters(params: list[Param]) -> str:
    # A list, not a table: it reads as well on a telephone.
    lines = []
    for param in params:
        default = "follows from the data" if param.default is None and param.auto else param.default
        name = f"**{param.symbol}** `{param.name}`" if param.symbol else f"`{param.name}`"
        facts = f"Default: {'all' if default is None else default}."
        paper = f" In the paper: {param.paper}." if param.paper else ""
        lines.append(f"* {name} — {param.meaning} *{facts}{paper}*")
    return "\n".join(lines)


def _table(specs: list[Spec]) -> str:
    lines = ["| method | what it does | needs |", "|---|---|---|"]
    for _, family in groupby(specs, key=lambda spec: spec.family):
        for spec in family:
            needs = ", ".join(_WORDS[need] for need in sorted(spec.needs))
            lines.append(f"| **{spec.title}** `{spec.id}` | {spec.summary} | {needs} |")
    return "\n".join(lines)
