"""Setting up a sweep: method, parameters with their ranges, what counts, splits, and how long it may take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from experiments.requests.library import Dataset, Facts, Param, Spec
from experiments.trials import MeasureRequest
from experiments.trials.catalogue import measures
from experiments.tuning import Axis, Sweep, axis
from experiments.tuning.axis import READ_AXES, READ_LABELS, Scale
from experiments.tuning.sweep import Continuation, Strategy
from ui import controls, state
from ui.method_menu import method_menu
from ui.sidebar import Chosen
from ui.tune import words

MOST_TUNED = 3
_FIRST = ("alpha", "beta")
_NOT_TUNED = ("max_iter", "tol")
_STRATEGIES: dict[Strategy, str] = {"grid": "Grid", "guided": "Guided", "sobol": "Spread evenly"}
_CONTINUATIONS: dict[Continuation, str] = {
    "sketched": "at the beginning, after a first look at every cell",
    "": "at the beginning",
    "provisional": "at its neighbour's end, for a quick map",
    "refined": "at its neighbours' ends, both ways, refined",
}
_VALUES, _SPLITS, _TRIALS = 9, 3, 60
# Decades to each side of where a method starts.
_DECADES = 2.0


@dataclass(frozen=True)
class Setup:
    """A sweep as it is set up, and for how many minutes it may go on (0: to its end)."""

    sweep: Sweep
    minutes: float


def setup(choice: Chosen, bar: DeltaGenerator) -> Setup:
    """Show the controls, the finer ones in a `bar`; a ValueError says what makes no sense."""
    first, second, third = st.columns([1.1, 1.5, 1.8], vertical_alignment="bottom")
    with first:
        spec = method_menu("Method", name="tune.method", default="n2s2l", choice=choice)
    with second:
        tuned = _tuned(spec)
    with third:
        counts = _counts(choice, spec)
    with bar, st.popover("Ranges and splits"):
        axes = [_range(spec, name, choice.facts) for name in tuned]
        splits, strategy, trials, minutes = _effort()
        continuation = _continuation(strategy)
        fixed = _fixed(choice, spec, tuned)
    if not tuned:
        raise ValueError("Choose a parameter to tune.")
    if not counts:
        raise ValueError("Choose what counts.")
    sweep = Sweep(
        choice.request(spec.id, fixed),
        tuple(axes),
        tuple(counts),
        splits,
        strategy=strategy,
        budget=0 if strategy == "grid" else trials,
        continuation=continuation,
        goals=tuple(item.name for item in counts[:2]) if strategy == "guided" and len(counts) > 2 else (),
    )
    return Setup(sweep, minutes)


def _tuned(spec: Spec) -> list[str]:
    offered = {param.name: param.label for param in spec.params if _may_be_tuned(param)}
    if "embedding" in spec.gives or spec.weighs_parts:
        offered |= READ_LABELS
    chosen: list[str] = state.control(
        st.multiselect, "Parameters", list(offered), name=f"tune.{spec.id}.over", default=_usual(spec),
        accept=lambda names: set(names) <= set(offered) and len(names) <= MOST_TUNED,
        format_func=offered.get, max_selections=MOST_TUNED,
        help="One gives a curve, two a map, three several maps.",
    )  # fmt: skip
    return chosen


def _may_be_tuned(param: Param) -> bool:
    return param.kind in ("int", "float", "choice", "flag") and param.name not in _NOT_TUNED


def _usual(spec: Spec) -> list[str]:
    numbers = [param for param in spec.params if _may_be_tuned(param) and param.kind in ("int", "float")]
    weights = [param.name for param in numbers if param.scale == "log" and not param.advanced]
    usual = [name for name in _FIRST if spec.has(name)] or weights
    return (usual or [param.name for param in numbers if not param.advanced])[:2]


def _counts(choice: Chosen, spec: Spec) -> list[MeasureRequest]:
    offered = {name: MeasureRequest(name) for name in _measures(choice.data, spec)}
    names: list[str] = state.control(
        st.multiselect, "What counts (the first one decides)", list(offered), name="tune.measures",
        default=_usual_measures(choice, list(offered)), accept=lambda names: set(names) <= set(offered),
        format_func=lambda name: words.title(offered[name]), key=f"tune.measures {' '.join(offered)}",
        help="Honest is to choose by labelled samples that are held back from the method. Accuracy on the "
        "unlabelled needs the truth, which whoever chooses does not have: papers choose by it, and the page "
        "says how much that flatters.",
    )  # fmt: skip
    return [offered[name] for name in names]


def _measures(ds: Dataset, spec: Spec) -> list[str]:
    applicable = []
    for described in measures().values():
        needs = described.needs
        if ("truth" in needs and ds.y is None) or ("images" in needs and ds.image_shape is None):
            continue
        if any(gift in needs and gift not in spec.gives for gift in ("components", "embedding", "transform")):
            continue
        applicable.append(described.id)
    return applicable


def _usual_measures(choice: Chosen, offered: list[str]) -> list[str]:
    ds = choice.data
    if ds.y is None or not choice.rows.labelled.size:
        return [name for name in offered if name in ("coherence", "error")][:1]
    once = choice.split.get("labelled_per_class") == 1
    return ["accuracy"] if once else [name for name in ("inner_accuracy", "accuracy") if name in offered]


def _range(spec: Spec, name: str, facts: Facts) -> Axis:
    if name in READ_AXES or spec.param(name).kind in ("choice", "flag"):
        made = axis(spec.id, name, facts=facts)
        st.caption(f"{made.label}: {', '.join(map(str, made.choices))}")
        return made
    param = spec.param(name)
    low, high = usual_range(param, facts)
    places = st.columns([1, 1, 0.8], vertical_alignment="bottom")
    kind: Any = int if param.kind == "int" else float
    common: dict[str, Any] = {} if kind is int else {"format": "%g"}
    ends = []
    for place, end, value in zip(places, ("from", "to"), (low, high), strict=False):
        label = f"{param.symbol or param.label} {end}"
        with place:
            ends.append(
                state.control(
                    st.number_input, label, name=f"tune.{spec.id}.{name}.{end}", default=kind(value),
                    read=kind, **common,
                )
            )  # fmt: skip
    with places[2]:
        count = state.control(
            st.number_input, "Values", 2, 60, name=f"tune.{spec.id}.{name}.values", default=_VALUES,
            accept=lambda value: 2 <= value <= 60,
        )  # fmt: skip
    scale: Scale = "log" if param.scale == "log" and ends[0] > 0 else "linear"
    return axis(spec.id, name, ends[0], ends[1], scale, count, facts)


def usual_range(param: Param, facts: Facts) -> tuple[float, float]:
    """Return from where to where a parameter is tried: around where it starts, within its usual range."""
    start = param.starting_value(facts)
    low = param.low if param.low is not None else param.least or 0
    high = param.high if param.high is not None else max(2 * (start or 1), low + 1)
    if param.scale == "log" and low and low > 0:
        middle = start if start and low <= start <= high else math.sqrt(low * high)
        exponent = round(math.log10(middle))
        return max(low, 10 ** (exponent - _DECADES)), min(high, 10 ** (exponent + _DECADES))
    if param.name == "n_components" and start:
        most = min(facts.n_features, facts.n_samples - 1, round(1.5 * start))
        return max(2, round(start / 4)), max(3, most)
    return low, high


def _effort() -> tuple[int, Strategy, int, float]:
    splits = state.control(
        st.slider, "Splits", 1, 10, name="tune.splits", default=_SPLITS,
        accept=lambda value: 1 <= value <= 10,
        help="How often it is drawn anew what is labelled. From four on a corrected test can tell what "
        "is worse than the best from what is only less lucky.",
    )  # fmt: skip
    strategy: Strategy = state.control(
        st.segmented_control, "How", list(_STRATEGIES), name="tune.how", default="grid",
        accept=_STRATEGIES.__contains__, format_func=_STRATEGIES.get, required=True,
        help="All cells of a grid; or so many trials, spread evenly, or each where those before it "
        "promise most.",
    )  # fmt: skip
    third, fourth = st.columns(2, vertical_alignment="bottom")
    with third:
        trials = state.control(
            st.number_input, "Trials", 4, 5000, name="tune.trials", default=_TRIALS,
            accept=lambda value: 4 <= value <= 5000, disabled=strategy == "grid",
        )  # fmt: skip
    with fourth:
        minutes = state.control(
            st.number_input, "Minutes at most", 0.0, 1440.0, name="tune.minutes", default=0.0,
            accept=lambda value: 0 <= value <= 1440, format="%g",
            help="0: until all is tried. A sweep that goes on without you has as long once more.",
        )  # fmt: skip
    return splits, strategy, trials, minutes


def _continuation(strategy: Strategy) -> Continuation:
    ways = _CONTINUATIONS if strategy == "grid" else {"": _CONTINUATIONS[""]}
    way: Continuation = state.control(
        st.selectbox, "Where each fit begins", list(ways), name="tune.continuation", default=next(iter(ways)),
        accept=ways.__contains__, format_func=ways.get, key=f"tune.continuation of {len(ways)}",
        help="A first look takes a few iterations a cell: the whole map is there early, and each cell is "
        "then fitted to its end. From its neighbour's parts a fit takes a few iterations as well; every "
        "seventh cell is also fitted from the beginning, and cells where both ways end apart are marked: "
        "the answer there depends on the way.",
    )  # fmt: skip
    return way


def _fixed(choice: Chosen, spec: Spec, tuned: list[str]) -> Mapping[str, Any]:
    """Show the parameters that are not tuned, and return those that are not worked out from the data."""
    st.markdown("**Everything else about the method**")
    values = controls.parameters(spec, choice.facts, "tune", skip=tuned)
    fixed = {}
    for name, value in values.items():
        param = spec.param(name)
        automatic = param.auto is not None and value == param.starting_value(choice.facts)
        if name not in tuned and value is not None and not automatic and value != param.default:
            fixed[name] = value
    return fixed


def choices_of(sweep: Sweep) -> dict[str, Any]:
    """Return the choices that set up this sweep again, but for its data."""
    prefix = f"tune.{sweep.method}"
    choices: dict[str, Any] = {
        "tune.method": sweep.method,
        f"{prefix}.over": [axis.param for axis in sweep.axes],
        "tune.measures": list(dict.fromkeys(item.measure for item in sweep.measures)),
        "tune.splits": sweep.splits,
        "tune.how": sweep.strategy,
        "tune.continuation": sweep.continuation,
    }
    if sweep.budget:
        choices["tune.trials"] = sweep.budget
    for name, value in sweep.request.params.items():
        choices[f"{prefix}.{name}"] = value
    for tuned in sweep.axes:
        choices |= range_choices(sweep.method, tuned)
    return choices


def range_choices(method: str, tuned: Axis) -> dict[str, Any]:
    """Return the choices that set the range of a parameter; those of a choice cannot be set."""
    if tuned.choices:
        return {}
    prefix = f"tune.{method}.{tuned.param}"
    kind: Any = int if tuned.whole else float
    return {
        f"{prefix}.from": kind(tuned.low), f"{prefix}.to": kind(tuned.high), f"{prefix}.values": tuned.count
    }  # fmt: skip
