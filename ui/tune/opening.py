"""A cell opened elsewhere as the very run it was, or its values used wherever the method is compared."""

from __future__ import annotations

from typing import Any

from experiments.requests.library import Spec, method_spec
from experiments.tuning import Axis, Sweep
from experiments.tuning.axis import Value
from experiments.tuning.sweep import Point
from ui import chosen_params, owner
from ui.runs import reopen
from ui.service import service

_PAGES = {"live": "Open on Live run", "bases": "Open on Bases"}


def offered(spec: Spec) -> dict[str, str]:
    """Return what can be done with a cell: id and what the button says."""
    pages = {page: words for page, words in _PAGES.items() if page != "bases" or "components" in spec.gives}
    return pages | {"use": "Use these everywhere"}


def act(sweep: Sweep, what: str, at: Any) -> None:
    """Do what a button beside the map asks for, for the cell at these places; for use in a callback."""
    point = point_at(sweep, at)
    if point is None or what not in offered(method_spec(sweep.method)):
        return
    if what == "use":
        use(sweep, point)
        return
    request = sweep.trial(point, 0).request
    # Live runs are steered by who opens them; on other pages everybody looks at the same.
    handle = service().submit(request, owner=owner.token()) if what == "live" else service().shared(request)
    reopen.open_on(what, request, handle.id)


def use(sweep: Sweep, point: Point) -> None:
    """Use the values of a point wherever the method is compared on these data."""
    chosen_params.choose(sweep.dataset, sweep.method, {**sweep.request.params, **sweep.params(point)})


def point_at(sweep: Sweep, at: Any) -> Point | None:
    """Return the point whose values the browser names, of choices by their places; None if there is none."""
    if not isinstance(at, list) or len(at) != len(sweep.axes):
        return None
    values = [_value(axis, place) for axis, place in zip(sweep.axes, at, strict=True)]
    return None if any(value is None for value in values) else tuple(v for v in values if v is not None)


def _value(axis: Axis, place: Any) -> Value | None:
    if not isinstance(place, (int, float)) or isinstance(place, bool):
        return None
    if axis.choices:
        return axis.choices[int(place)] if 0 <= place < len(axis.choices) and int(place) == place else None
    value: Value = round(place) if axis.whole else float(place)
    return value if -1e-9 <= axis.share(value) <= 1 + 1e-9 else None
