"""The menus of methods: grouped by family, and only those that can work on the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from experiments.requests.library import Spec, method_specs, possible, why_not
from ui import state
from ui.sidebar import Chosen

# In the order in which one would teach them.
FAMILIES = {
    "nonnegative": "non-negative parts",
    "subspace": "subspaces",
    "tensor": "tensors",
    "kernel": "kernels",
    "multiview": "several views",
    "propagation": "spreading labels",
    "classifiers": "classifiers",
}
# Where the usual choice is not to be had, the first of these that is.
_NEXT_BEST = ("n2s2l", "nmf", "semi_nmf", "pca")

Filter = Callable[[Spec], bool]


def method_menu(
    label: str,
    *,
    name: str,
    default: str,
    choice: Chosen,
    accept: Filter | None = None,
    **options: Any,
) -> Spec:
    """Show a menu of the methods that can work on the data, and return the one chosen."""
    methods = offered(choice, accept)
    chosen = state.control(
        st.selectbox, label, list(methods), name=name, default=usual(methods, default),
        accept=methods.__contains__, format_func=lambda id: listed(methods[id]),
        help=left_out(choice, accept) or None, **options,
    )  # fmt: skip
    return methods[chosen]


def methods_menu(
    label: str,
    *,
    name: str,
    default: list[str],
    most: int,
    choice: Chosen,
    accept: Filter | None = None,
    **options: Any,
) -> list[Spec]:
    """Show a menu in which up to `most` methods can be chosen, and return them."""
    methods = offered(choice, accept)
    start = [id for id in default if id in methods] or [usual(methods, default[0])]
    chosen = state.control(
        st.multiselect, label, list(methods), name=name, default=start, max_selections=most,
        accept=lambda ids: set(ids) <= set(methods) and len(ids) <= most,
        format_func=lambda id: listed(methods[id]), help=left_out(choice, accept) or None, **options,
    )  # fmt: skip
    return [methods[id] for id in chosen]


def offered(choice: Chosen, accept: Filter | None = None) -> dict[str, Spec]:
    """Return the methods that can work on the data and that the page accepts, by id, family after family."""
    methods = [spec for spec in possible(choice.data, choice.rows).values() if accept is None or accept(spec)]
    order = list(FAMILIES)
    return {spec.id: spec for spec in sorted(methods, key=lambda spec: order.index(spec.family))}


def usual(methods: dict[str, Spec], default: str) -> str:
    """Return the default, or what comes nearest to it among these methods."""
    return next((id for id in (default, *_NEXT_BEST) if id in methods), next(iter(methods)))


def listed(spec: Spec) -> str:
    """Return how a method is called in a menu: typing its family finds it too."""
    return f"{spec.title} · {FAMILIES[spec.family]}"


def left_out(choice: Chosen, accept: Filter | None = None) -> str:
    """Return in words which methods the menu leaves out and why; nothing if there are none."""
    reasons: dict[str, list[str]] = {}
    ds, rows = choice.data, choice.rows
    for spec in method_specs().values():
        missing = why_not(spec, ds, rows)
        if missing and (accept is None or accept(spec)):
            reasons.setdefault(missing, []).append(spec.title)
    return " ".join(
        f"Not listed: {', '.join(names)} ({'needs' if len(names) == 1 else 'need'} {what})."
        for what, names in reasons.items()
    )
