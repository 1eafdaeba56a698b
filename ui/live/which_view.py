"""Several views on the live page: which of them a method is given, and in which its parts are shown."""

from __future__ import annotations

import streamlit as st

from experiments.engine.handle import Handle
from experiments.requests.library import Dataset, DataUnavailableError, Spec, load_dataset, view_names
from ui import state

_VIEW, _PARTS_VIEW = "live.view", "live.shown"
_TOGETHER = "all side by side"


def input_view(ds: Dataset, spec: Spec) -> str | tuple[str, ...] | None:
    """Let the visitor say which view a method gets; methods for several views get all of them."""
    names = list(ds.views)
    if len(names) < 2 or "views" in spec.needs:
        return None
    offered = [*names, _TOGETHER]
    view = state.control(
        st.selectbox, "View of the data", offered, name=_VIEW, default=names[0],
        accept=offered.__contains__,
        help="Side by side, every sample has length 1 in each view, so that none counts for more.",
    )  # fmt: skip
    return tuple(names) if view == _TOGETHER else None if view == names[0] else view


def parts_view(handle: Handle | None) -> str | None:
    """Let the visitor say in which view the parts of a run are shown; None if there is nothing to say."""
    if handle is None or handle.reader is None:
        return None
    if not any(name.startswith("components") for name in handle.reader.layout.arrays):
        return None
    request = handle.request
    try:
        names = view_names(load_dataset(request.dataset, **request.dataset_options), request)
    except (ValueError, DataUnavailableError):  # The data of the run are gone: an upload that was erased.
        return None
    if len(names) < 2:
        return None
    view: str | None = state.control(
        st.segmented_control, "Parts in view", list(names), name=_PARTS_VIEW, default=names[0], required=True,
        accept=names.__contains__, key=f"live shown {'|'.join(names)}",
    )  # fmt: skip
    return view
