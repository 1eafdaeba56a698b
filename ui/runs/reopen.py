"""A run opened again: every choice set to what it was asked, its result shown as it was found."""

from __future__ import annotations

from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.requests.edits import in_short
from experiments.requests.library import Spec, method_specs
from experiments.store import StoredRun
from ui import state
from ui.by_hand import hand_labels

_GO = "_go"


def pages(run: StoredRun) -> dict[str, str]:
    """Return the pages that can show a run: id and what the button says."""
    spec = method_specs().get(run.request.method)
    offered = {"live": "Live run"}
    if spec is not None and "components" in spec.gives:
        offered["bases"] = "Bases"
    return offered | {"data": "Data"}


def open_on(page: str, request: RunRequest, id: str) -> None:
    """Set the choices and remember where to go; for use in a callback, `follow` goes there."""
    state.choose(_data_choices(request))
    spec = method_specs().get(request.method)
    if spec is not None:
        state.choose(_method_choices(page, request, spec))
    if request.labels:
        hand_labels.replace(request.dataset, request.labels)
    state.choose({"run" if page == "live" else f"{page}.run": id} if page in ("live", "bases") else {})
    go(page)


def go(page: str) -> None:
    """Remember where to go; for use in a callback, `follow` goes there."""
    state.put(_GO, page)


def follow() -> None:
    """Go where the last callback wanted to."""
    page = state.get(_GO)
    if page:
        state.put(_GO, None)
        st.switch_page(f"../pages/{page}.py")


def _data_choices(request: RunRequest) -> dict[str, Any]:
    choices: dict[str, Any] = {"data": request.dataset, "seed": request.seed}
    choices |= {f"data.{request.dataset}.{name}": value for name, value in request.dataset_options.items()}
    if request.split.get("given"):
        choices |= {"by": "given"}
    elif request.split.get("labelled_fraction"):
        choices |= {"by": "share", "share": round(100 * request.split["labelled_fraction"])}
    elif "labelled_per_class" in request.split:
        choices |= {"by": "number", "labelled": request.split["labelled_per_class"]}
    return choices


def _method_choices(page: str, request: RunRequest, spec: Spec) -> dict[str, Any]:
    params = {name: value for name, value in request.params.items() if value is not None}
    if page == "bases":
        return {"compare": [spec.id]} | ({"k": params["n_components"]} if "n_components" in params else {})
    if page != "live":
        return {}
    with_controls = {param.name for param in spec.params if param.kind not in ("seed", "shape")}
    choices = {f"live.{spec.id}.{name}": value for name, value in params.items() if name in with_controls}
    return {"method": spec.id, "edits": in_short(request.edits)} | choices
