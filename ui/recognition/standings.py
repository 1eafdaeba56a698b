"""Where samples stand after a run, worked out behind the page; and where they lie on its map."""

from __future__ import annotations

import streamlit as st

from experiments.engine.handle import Handle
from experiments.fitted.fitted_job import places_of, standing_of
from experiments.fitted.standing import Standing
from experiments.inspection.layout import Points
from experiments.requests.library import Dataset
from ui import state
from ui.graphs import graph_map
from ui.service import service
from ui.waiting import Desk, Wish

_PLACES = {"look": "as they look", "seen": "as the method sees them"}
_MOVED = "_standings.moved"


def wish(handle: Handle) -> Wish:
    """Return where the samples stand after a run as something to wait for."""
    return ("standing", handle.id), lambda: standing_of(handle, service().jobs)


def places(ds: Dataset, current: Standing | None, desk: Desk) -> Points:
    """Show the choice of places and return where the samples lie."""
    way = state.control(
        st.segmented_control, "Places", list(_PLACES), name="label.places", default="look",
        accept=_PLACES.__contains__, format_func=_PLACES.get, required=True,
        help="By the samples themselves, always the same; or by the features of the method, which move with "
        "every label.",
    )  # fmt: skip
    if way == "seen" and current is not None and len(current.train) == ds.n_samples:
        moved_points = _moved(current, desk)
        if moved_points is not None:
            return moved_points
    return graph_map.placed(ds, graph_map.usual_way(ds), desk)


def _moved(current: Standing, desk: Desk) -> Points | None:
    """Return places by features; until they are computed, those by the previous features."""
    # A few kilobytes: small enough to be kept in the session.
    stored: tuple[Points, ...] = state.get(_MOVED) or ()
    before = next((points for points in stored if len(points) == len(current.train)), None)
    handle = service().get(current.run)
    if handle is None:
        return before
    answer = desk.ask(
        ("moved", handle.id), lambda: places_of(handle, service().jobs, before), patience=graph_map.PATIENCE
    )
    if answer.done and not answer.message:
        places: Points = answer.value
        state.put(_MOVED, (places,))
        return places
    return before
