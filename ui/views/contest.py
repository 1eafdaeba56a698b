"""Is it worth fusing views? Single views, all side by side, and fused, over several splits."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from experiments.requests.library import Spec, possible
from ui import chosen_params, owner, state, unattended, unlike
from ui.assets import component
from ui.contestants import MOST_OWN, contestants
from ui.downloads import downloads, file_stem
from ui.palette import colour
from ui.sidebar import Chosen
from ui.views.answers import are_unlike, as_csv, as_table, contest_of, is_complete, work_of

_CONTEST = component("contest", "contest")
_COMPARE, _ALIKE = "views.compare", "views.alike"
_ITERATIONS = 200
_MOST_PARTS, _LEAST_PARTS = 50, 10
_METHODS = ("sulf", "nmf", "cnmf", "sgnmf", "cca", "pcsc", "cotraining")
_MEASURES = {
    "accuracy": "accuracy",
    "acc": "clusters: ACC",
    "nmi": "clusters: NMI",
    "nearest": "nearest neighbour",
}
_WAYS = {
    "one view": "One view alone",
    "side by side": "All views side by side",
    "several views": "Methods for several views",
}
_EXPLAINED = {
    "accuracy": "Share of unlabelled samples named rightly: by the method itself if it predicts classes, "
    "else by regularised least squares on its features.",
    "acc": "Share of unlabelled samples in the right class after k-means on their features, each at "
    "length 1, clusters named in the best way.",
    "nmi": "What the k-means clusters tell about the classes, from 0 (nothing) to 100 % (all).",
    "nearest": "Share of unlabelled samples whose nearest labelled sample is of their class.",
}


def show_contest(choice: Chosen) -> None:
    """Show the comparison, or offer to make it."""
    st.header("Is it worth fusing the views?")
    if choice.data.y is None or not choice.rows.labelled.size:
        st.info("Only data with classes, some of them labelled, can tell.")
        return
    k = max(_LEAST_PARTS, min(_MOST_PARTS, choice.data.n_samples // 10))
    alike = state.get(_ALIKE, False)
    rows = contestants(choice, _methods(choice), name="views", most=len(_METHODS) + MOST_OWN, untuned=False)
    own = [one for one in rows if one.params]
    for id in dict.fromkeys(one.spec.id for one in own):
        chosen_params.in_use(choice.dataset, id, key=f"views {id}")
    key = contest_of(choice.request("sulf", {}), k, _ITERATIONS, own=own, alike=alike)
    st.caption(
        f"Each view alone, all of them side by side (every sample of length 1 in each), and methods made for "
        f"several views: five splits, {k} parts, everything else as the methods have it by default."
    )
    if not state.get(_COMPARE, False) and not is_complete(key, owner.token()):
        st.button("Compare them", type="primary", on_click=state.put, args=(_COMPARE, True, False))
        return
    data: dict[str, Any] = {
        "key": key,
        "measures": _MEASURES,
        "explained": _EXPLAINED,
        "ways": _WAYS,
        "colours": {
            look: {method: colour(method, look) for method in _METHODS} for look in ("light", "dark")
        },
    }
    _CONTEST(key="views contest", data=data)
    measure = state.control(
        st.selectbox, "Figure of", list(_MEASURES), name="views.figure", default=next(iter(_MEASURES)),
        accept=_MEASURES.__contains__, format_func=_MEASURES.get, width=220,
    )  # fmt: skip
    downloads(
        "views", name=file_stem("views", choice.dataset, measure), address=f"contest/{key}/figure/{measure}",
        table=partial(as_table, key, owner.token()), numbers=partial(as_csv, key, owner.token()),
    )  # fmt: skip
    if alike:
        st.caption("Methods whose features are not learnt together with all samples are left out.")
        st.button("Compare all", on_click=state.put, args=(_ALIKE, False, False))
    elif are_unlike(key):
        unlike.sentence("Leave out those that find features sample by sample", {_ALIKE: True})
    if not is_complete(key, owner.token()):
        name = f"Several views of {choice.data.title}"
        unattended.offer_table(name, "views", partial(work_of, key), key="views unattended")


def _methods(choice: Chosen) -> list[Spec]:
    able = possible(choice.data, choice.rows)
    return [able[method] for method in _METHODS if method in able]
