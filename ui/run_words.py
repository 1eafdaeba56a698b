"""Runs in words: names, settings, differences between several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.edits import in_short
from experiments.requests.library import Spec, card, method_specs
from experiments.store import StoredRun
from ui import chosen_params
from ui.run_state import STORED

# What solvers are called where people read of them; others go by their own name.
SOLVERS = {"multiplicative": "published"}
_MOST_PARAMS = 4
_SYMBOL = re.compile(r"\(([^)]{1,3})\)\s*$")
_SPLIT = {
    "labelled_per_class": "labelled a class",
    "labelled_fraction": "labelled share",
    "held_out_per_class": "held out a class",
    "held_out_fraction": "held out share",
    "order": "rows of a class",
}


def ended(run: StoredRun) -> str:
    """Return how a run has ended, and whether that was elsewhere."""
    words = STORED.get(run.status, run.status)
    return f"{words}, brought in" if run.imported else words


def called(run: StoredRun) -> str:
    """Return what a run is called: its name, or else its method."""
    return run.name or method_title(run.request.method)


def method_title(method: str) -> str:
    """Return the title of a method, or its id if there is no such method any more."""
    spec = method_specs().get(method)
    return spec.title if spec else method


def titles(runs: Iterable[StoredRun | Handle]) -> dict[str, str]:
    """Return by id what runs are called: the method, and what differs where it stands more than once."""
    by_id = {run.id: run.request for run in runs}
    return {id: _distinct_title(request, list(by_id.values())) for id, request in by_id.items()}


def _distinct_title(request: RunRequest, among: Sequence[RunRequest]) -> str:
    twins = [other.params for other in among if other.method == request.method]
    differing = {
        name: value
        for name, value in request.params.items()
        if any(other.get(name) != value for other in twins)
    }
    title = method_title(request.method)
    return f"{title} ({chosen_params.words(request.method, differing)})" if differing else title


def data_title(dataset: str) -> str:
    """Return the title of a data set, also of one that is gone."""
    try:
        return card(dataset).title
    except ValueError:
        return "uploaded data" if dataset.startswith("upload-") else dataset


def data_facts(run: StoredRun) -> str:
    """Return how the data of a run were prepared, briefly."""
    request = run.request
    facts = [f"{name.replace('_', ' ')} {_short(value)}" for name, value in _unusual_options(run).items()]
    if request.split.get("given"):
        facts.append("split of the file")
    elif request.split.get("labelled_fraction"):
        facts.append(f"{request.split['labelled_fraction']:.0%} labelled")
    elif "labelled_per_class" in request.split:
        facts.append(f"{request.split['labelled_per_class']} labelled of each class")
    if request.labels:
        facts.append(f"{len(request.labels)} by hand")
    if request.corruption:
        facts.append(str(request.corruption.get("kind", "spoiled")))
    if request.seed:
        facts.append(f"seed {request.seed}")
    return " · ".join(facts)


def params(run: StoredRun | Handle) -> str:
    """Return the main parameters of a run, briefly."""
    spec = method_specs().get(run.request.method)
    param_values = run.request.params
    if spec is None:
        return ""
    param_texts = [
        f"{_symbol(spec, param.name)} {_short(param_values[param.name])}"
        for param in spec.params
        if param.kind in ("int", "float")
        and not param.advanced
        and param.name != "max_iter"
        and param_values.get(param.name) is not None
    ]
    solver = [_short(_value("solver", param_values["solver"]))] if "solver" in param_values else []
    return " · ".join([*param_texts[:_MOST_PARAMS], *solver])


def settings(run: StoredRun) -> dict[str, str]:
    """Return all settings of the request, as text by label; those that differ most often come first."""
    request, spec = run.request, method_specs().get(run.request.method)
    texts: dict[str, Any] = {"method": method_title(request.method), "data": data_title(request.dataset)}
    order = [param.name for param in spec.params] if spec else []
    names = sorted(request.params, key=lambda name: order.index(name) if name in order else len(order))
    param_values = {name: _value(name, request.params[name]) for name in names}
    advanced = {param.name for param in spec.params if param.advanced} if spec else set()
    texts |= {_label(spec, name): value for name, value in param_values.items() if name not in advanced}
    texts["seed"] = request.seed
    texts |= {_SPLIT.get(name, name): value for name, value in request.split.items() if value}
    if request.labels:
        texts["labelled by hand"] = len(request.labels)
    if request.pairs:
        texts["pairs by hand"] = len(request.pairs)
    if request.edits:
        texts["parts edited"] = in_short(request.edits)
    texts |= {f"spoiled: {name}": value for name, value in (request.corruption or {}).items()}
    texts |= {f"data: {name.replace('_', ' ')}": value for name, value in request.dataset_options.items()}
    texts["view"] = request.view
    texts |= {_label(spec, name): value for name, value in param_values.items() if name in advanced}
    return {name: _short(value) for name, value in texts.items() if value is not None}


def differing(runs: Sequence[StoredRun]) -> dict[str, list[str]]:
    """Return the settings in which runs differ, a text for each run ("–" where it has none)."""
    every = [settings(run) for run in runs]
    names = dict.fromkeys(name for texts in every for name in texts)
    table = {name: [texts.get(name, "–") for texts in every] for name in names}
    return {name: values for name, values in table.items() if len(set(values)) > 1}


def _unusual_options(run: StoredRun) -> Mapping[str, Any]:
    try:
        usual = {option.name: option.default for option in card(run.request.dataset).options}
    except ValueError:
        return {}
    options = run.request.dataset_options
    return {name: value for name, value in options.items() if value != usual.get(name)}


def _symbol(spec: Spec, name: str) -> str:
    label = spec.param(name).label
    match = _SYMBOL.search(label)
    return match[1] if match else label.lower()


def _label(spec: Spec | None, name: str) -> str:
    if spec is None or name not in {param.name for param in spec.params}:
        return name
    return spec.param(name).label


def _value(name: str, value: Any) -> Any:
    if value is None:
        return "automatic"
    return SOLVERS.get(str(value), value) if name == "solver" else value


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " × ".join(_short(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
