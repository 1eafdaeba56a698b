"""A method in miniature: a small run on data that suit it, shared by all visitors, played step by step."""

from __future__ import annotations

from functools import cache
from typing import Any

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.library import Dataset, Spec, facts, load_dataset, method_spec, rows_of
from ui import state, words
from ui.assets import component
from ui.downloads import downloads
from ui.palette import colour
from ui.run_state import STATE
from ui.service import service

_VIEW = component("miniature", "miniature")
_LABELLED = 5
_ITERATIONS = 200
_MOST_PARTS = 20
# On Swimmer the true parts are known, on flowers four numbers say it all, planted views tell what they share.
_PARTS, _SCORES, _VIEWS = "swimmer", "iris", "planted_views"
# On Swimmer those most alike are strangers: who trusts neighbours is at chance there, not among digits.
_NEIGHBOURS = "digits"


@cache
def request(method: str) -> RunRequest:
    """Return the small run that shows a method."""
    spec = method_spec(method)
    data = load_dataset(_data_for(spec))
    bare = RunRequest(data.id, method, {}, split={"labelled_per_class": _LABELLED})
    return RunRequest(data.id, method, _params(spec, data, bare), split=bare.split)


def _data_for(spec: Spec) -> str:
    if "views" in spec.needs:
        return _VIEWS
    if "smooth_neighbors" in {param.name for param in spec.params} and "components" in spec.gives:
        return _NEIGHBOURS
    return _PARTS if "components" in spec.gives else _SCORES


def _params(spec: Spec, data: Dataset, bare: RunRequest) -> dict[str, Any]:
    sizes = facts(data, rows_of(data, bare))
    params = {name: value for name, value in spec.starting_values(sizes).items() if value is not None}
    if "n_components" in params:
        params["n_components"] = min(params["n_components"], sizes.n_parts or _MOST_PARTS)
    if "max_iter" in params:
        params["max_iter"] = min(params["max_iter"], _ITERATIONS)
    solvers = next((param.choices for param in spec.params if param.name == "solver"), ())
    # The published update: slow enough to watch. Propagation in rounds, not all at once.
    for watchable in ("multiplicative", "iterative"):
        if watchable in solvers:
            params["solver"] = watchable
    return params


def run(method: str) -> Handle:
    """Return the small run of a method, which all visitors share."""
    return service().shared(request(method))


def show(spec: Spec) -> None:
    """Show the miniature of a method."""
    data: dict[str, Any] = {
        "run": run(spec.id).id,
        "title": spec.title,
        "preparing": STATE["preparing"],
        "colour": {"light": colour(spec.id, "light"), "dark": colour(spec.id, "dark")},
        "what": in_words(spec, request(spec.id)),
    }
    _VIEW(key="miniature", data=data, on_changed_change=state.rerun_page)
    downloads("miniature", name=spec.id)


def in_words(spec: Spec, run_request: RunRequest) -> str:
    """Return what one sees."""
    curve = " The line is the objective." if run_request.params.get("max_iter") else ""
    return _picture_in_words(spec, run_request) + curve


def _picture_in_words(spec: Spec, run_request: RunRequest) -> str:
    data = load_dataset(run_request.dataset)
    if "components" in spec.gives:
        if "views" in spec.needs:
            return f"{data.title}: each row is a part, as the first view shows it."
        parts = "a direction" if spec.signed else "a part"
        return (
            f"{data.title}, {words.counted(data.n_samples, *words.sample_words(data))}: each tile is {parts}."
        )
    if "embedding" in spec.gives:
        many = "classes" if "predict" in spec.gives else "groups"
        return f"{data.title}: each row is a sample, each column one of the {many}; the stronger, the surer."
    return f"{data.title}: nothing forms here. The labelled samples are kept, and the nearest one decides."
