"""What the occlusion and the noise page share: a face to spoil by hand, and fitted methods that answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from experiments import RunRequest
from experiments.comparisons.features import source, unlike_sources
from experiments.engine.handle import Handle
from experiments.fitted.recognisers import HOWS, How, can_recognise, rows_to_test
from experiments.measures.recognition import Metric
from experiments.requests.corruption import Kind, is_noise, largest_amount, settings
from experiments.requests.library import Dataset, Spec, facts, rows_of
from experiments.requests.objects import Thing
from experiments.trials import Trial
from ui import chosen_params, owner, state, unattended, unlike, words
from ui.assets import component
from ui.figure_view import figure_downloads
from ui.fragments import fragment
from ui.method_menu import methods_menu
from ui.palette import colour
from ui.robustness import MOST_METHODS, own_face
from ui.run_state import STATE
from ui.service import service
from ui.sidebar import Chosen, chosen

_VIEW = component("robustness", "robustness")
_DEFAULT = ["pca", "lda", "nmf", "n2s2l"]
# On the faces shown first, this one is recognised by some of the methods shown first and not by all.
_FIRST_FACE = 47
_TESTED = {"held": "never seen", "seen": "seen clean", "covered": "seen {}"}
_SIGNS: dict[How, str] = {
    "ridge": "steadied",
    "pinv": "of any sign",
    "nnls": "zero or more",
    "robust": "robust",
}


@dataclass(frozen=True)
class Preset:
    """Settings of a paper, chosen by one click."""

    label: str
    help: str
    choices: Mapping[str, Any]


@dataclass(frozen=True)
class SpoiledFace:
    """What tells the two pages apart. `name` begins the names of their choices and is the page's id."""

    name: str
    kinds: tuple[Kind, ...]
    label: str
    spoiled: str
    kind: str
    place: str
    preset: Preset


@dataclass(frozen=True)
class _Options:
    """The settings chosen in the controls."""

    methods: list[Spec]
    kind: Kind
    tested: str
    metric: Metric
    how: How
    own: dict[str, str] | None


@fragment
def show(subject: SpoiledFace) -> None:
    """Show the page."""
    choice = chosen()
    if choice.data.image_shape is None or choice.data.y is None:
        _invite(
            "Only pictures of known people or things can be spoiled and recognised. Choose some at the side."
        )
    elif not choice.rows.labelled.size:
        _invite("No method knows anybody yet. Label some pictures, or let the sidebar label some of each.")
    else:
        _laboratory(choice, subject)
    state.publish(subject.name)


def _invite(sentence: str) -> None:
    st.info(sentence)
    usual = {"data": "orl", "by": "number", "labelled": 2}
    if st.button("Take the ORL faces", on_click=state.choose, args=(usual,)):
        st.rerun()  # The sidebar too.


def _laboratory(choice: Chosen, subject: SpoiledFace) -> None:
    options = _controls(choice, subject)
    if not options.methods:
        st.info("Choose a method to see whom it recognises.")
        return
    runs: dict[str, Spec] = {}
    for spec in options.methods:
        run = _run(choice, spec, options)
        if isinstance(run, Handle):
            runs[run.id] = spec
        else:
            st.error(run)
    for spec in options.methods:
        chosen_params.in_use(choice.dataset, spec.id, key=f"{subject.name} {spec.id}")
    if runs:
        _view(choice, subject, options, runs)
    _unlike_features(choice, options)


def _unlike_features(choice: Chosen, options: _Options) -> None:
    """Say so if some have learnt from the pictures they are asked about, and others not."""
    held_out = {spec.id: _held_out(choice, spec, options.tested) for spec in options.methods}
    # As the curves are measured: see `experiments.comparisons.surveys`.
    seen = options.tested == "covered"
    sources = (
        source(spec, "seen" if seen and not held_out[spec.id] else "unseen") for spec in options.methods
    )
    if unlike_sources(sources):
        unlike.sentence(
            f"Ask all about {words.picture_word(choice.data)}s never seen", {"tested": "held"},
            help="Then every method finds the features of each picture by itself.",
        )  # fmt: skip


def _controls(choice: Chosen, subject: SpoiledFace) -> _Options:
    menu, preset = st.columns([4, 1], vertical_alignment="bottom")
    with menu:
        methods = methods_menu(
            "Methods",
            name="recognisers",
            default=_DEFAULT,
            most=MOST_METHODS,
            choice=choice,
            accept=can_recognise,
            wrap=True,
        )
    with preset:
        pressed = st.button(
            subject.preset.label, help=subject.preset.help, width="stretch",
            on_click=state.choose, args=(subject.preset.choices,),
        )  # fmt: skip
    if pressed:
        st.rerun()  # The sidebar too.
    kind = state.control(
        st.segmented_control, subject.label, list(subject.kinds), name=subject.kind, default=subject.kinds[0],
        accept=subject.kinds.__contains__, required=True,
    )  # fmt: skip
    # Side by side and folded: on a telephone the face comes first, not what is asked of it.
    left, right = st.columns(2)
    with left, st.expander("How it is tested"):
        tested, metric, how = _tested(choice.data, subject), _metric(), _coefficients(methods)
    with right:
        own = own_face.chosen(_shape(choice.data), words.picture_word(choice.data))
    return _Options(methods, kind, tested, metric, how, own)


def _metric() -> Metric:
    metric: Metric = state.control(
        st.segmented_control, "Features are compared", list(words.METRICS), name="metric",
        default="euclidean", accept=words.METRICS.__contains__, format_func=words.METRICS.get, required=True,
        help="Nearest is who differs least (Euclidean distance), or who lies in the same direction "
        "(cosine), whatever the contrast.",
    )  # fmt: skip
    return metric


def _shape(ds: Dataset) -> tuple[int, int]:
    assert ds.image_shape is not None, "only pictures get this far"
    return ds.image_shape


def _tested(ds: Dataset, subject: SpoiledFace) -> str:
    label = f"{subject.spoiled.capitalize()} are {words.picture_word(ds)}s"
    tested: str = state.control(
        st.segmented_control, label, list(_TESTED), name="tested", default="held",
        accept=_TESTED.__contains__, required=True,
        format_func=lambda way: _TESTED[way].format(subject.spoiled),
        help="Half of the pictures without a label are kept from all methods, to test on. Or the "
        "methods learn from the pictures tested on, clean or spoiled like them. In that last case, as in the "
        "paper, methods that use no labels learn from the labelled pictures alone, by the published updates.",
    )  # fmt: skip
    return tested


def _coefficients(methods: list[Spec]) -> How:
    """Show the control for how coefficients are computed, where there is a choice."""
    if not any(spec.weighs_parts for spec in methods):
        return "ridge"
    how: How = state.control(
        st.segmented_control, "Weights of parts", list(HOWS), name="weights", default="ridge",
        accept=HOWS.__contains__, format_func=_SIGNS.get, required=True,
        help="How much of each part a new picture holds: held back a little, so that parts that are nearly "
        "alike do no harm; by pseudo-inverse, as in the papers; by non-negative least squares; or robustly, "
        "where pixels that fit badly count less: those of the patch. Only methods that add up parts have the "
        "choice. Robust curves take minutes.",
    )  # fmt: skip
    return how


def _request(choice: Chosen, spec: Spec, options: _Options) -> RunRequest:
    ds = choice.data
    held_out = _held_out(choice, spec, options.tested)
    bare = choice.request(spec.id, {})
    bare = replace(bare, split={**bare.split, "held_out_per_class": held_out})
    if options.tested == "covered":
        # Those in the panel have learnt from pictures spoiled as much as in the middle of the paper's figure.
        amount = 20 if is_noise(options.kind) else round(min(_shape(ds)) * 20 / 64)
        bare = replace(bare, corruption=settings(options.kind, amount))
    sizes = facts(ds, rows_of(ds, bare))
    params = chosen_params.starting_values(spec, sizes, choice.dataset)
    if options.tested == "covered" and held_out and "solver" in params:
        # As in the benchmark of Figure 4. From hardly more pictures than parts, ours goes on to parts so
        # alike that their pseudo-inverse makes much of covered pixels: 54 % behind 20 of them, not 66 %.
        params["solver"] = "multiplicative"
    return replace(bare, params=params)


def _held_out(choice: Chosen, spec: Spec, tested: str) -> int:
    """Return how many samples of each class are held out from a method."""
    ds = choice.data
    assert ds.y is not None
    sizes, labelled = (np.bincount(codes[codes >= 0]) for codes in (ds.y, ds.y[choice.rows.labelled]))
    smallest, most_labelled = int(sizes[sizes > 0].min()), int(labelled.max(initial=0))
    if tested == "held":
        return min(max(1, (smallest - most_labelled) // 2), smallest - 1)
    alike = smallest == sizes.max() and np.unique(labelled).size == 1
    # Everything but the labelled, if that is the same number of each class.
    return smallest - most_labelled if tested == "covered" and "labels" not in spec.needs and alike else 0


def _run(choice: Chosen, spec: Spec, options: _Options) -> Handle | str:
    """Return the run everybody shares for this choice, or the reason why there can be none."""
    try:
        return service().shared(_request(choice, spec, options))
    except ValueError as refusal:
        return f"{spec.title}: {refusal}"


def _view(choice: Chosen, subject: SpoiledFace, options: _Options, runs: Mapping[str, Spec]) -> None:
    ds, shape = choice.data, _shape(choice.data)
    spec = next(iter(runs.values()))
    count = int(rows_to_test(ds, rows_of(ds, _request(choice, spec, options))).size)
    if not count:
        st.info("Every picture is labelled: label fewer, so that some are left to be recognised.")
        return
    most = largest_amount(options.kind, shape)
    default = (min(_FIRST_FACE, count - 1), *_middle(options.kind, shape))
    place = state.get(
        subject.place, default, lambda value: _fits(value, count, options.kind, shape), _read_place
    )
    state.put(subject.place, place, default)
    data: dict[str, Any] = {
        "runs": [
            {"id": id, "method": spec.id, "title": spec.title}
            | {"colour": {"light": colour(spec.id, "light"), "dark": colour(spec.id, "dark")}}
            for id, spec in runs.items()
        ],
        "shape": list(shape), "count": count, "most": most, "noise": is_noise(options.kind),
        # An object is painted smaller, and not cut off, when its size changes.
        "whole": options.kind in get_args(Thing),
        "kind": options.kind, "metric": options.metric, "how": options.how, "tested": options.tested,
        "place": dict(zip(("face", "left", "top", "amount"), place, strict=True)),
        # Another data set or split: the face and the place in hand mean nothing there.
        "ground": f"{ds.id} {dict(ds.options)} {dict(choice.split)} {choice.seed} {options.tested}",
        "own": options.own,
        "preparing": STATE["preparing"],
        # What one picture is called, and what a class is.
        "what": words.picture_word(ds), "unit": words.class_unit(ds),
    }  # fmt: skip
    key = f"{subject.name} view"
    _VIEW(key=key, data=data, on_place_change=lambda: _remember(subject), on_gone_change=state.rerun_page)
    st.download_button(
        "Download the curves (CSV)", partial(_csv, options, dict(runs)), f"{subject.name}-{ds.id}.csv",
        "text/csv", on_click="ignore", help="Every share there is by now, by method, split, draw and amount.",
    )  # fmt: skip

    setting = urlencode({"kind": options.kind, "metric": options.metric, "how": options.how})
    address = f"accuracy/{','.join(runs)}/figure?{setting}"
    figure_downloads(f"{subject.name} figure", f"{subject.name}-{ds.id}", address=address)
    name = f"{subject.label} on {ds.title}: {', '.join(spec.title for spec in runs.values())}"
    unattended.offer(
        name, subject.name, partial(_work, options, list(runs)), key=f"{subject.name} unattended"
    )


def _work(options: _Options, runs: Sequence[str]) -> list[Trial]:
    from ui.robustness.surveys import curves_work

    handles = [handle for id in runs if (handle := service().get(id)) is not None]
    return curves_work(handles, options.kind, options.metric, options.how)


def _csv(options: _Options, runs: Mapping[str, Spec]) -> str:
    from ui.robustness.surveys import curves_csv

    handles = [handle for id in runs if (handle := service().get(id)) is not None]
    titles = {id: spec.title for id, spec in runs.items()}
    return curves_csv(titles, handles, options.kind, options.metric, options.how, owner.token())


def _middle(kind: Kind, shape: tuple[int, int]) -> tuple[int, int, int]:
    """Return left, top and size of a patch over the middle of a face, or a fair amount of noise."""
    if is_noise(kind):
        return 0, 0, 20
    height, width = shape
    size = round(min(shape) * 5 / 16)
    return (width - size) // 2, (height - size) // 2, size


def _fits(place: Any, count: int, kind: Kind, shape: tuple[int, int]) -> bool:
    if len(place) != 4:
        return False
    face, left, top, amount = place
    across = 0 if is_noise(kind) else amount
    return bool(
        min(place) >= 0
        and face < count
        and amount <= largest_amount(kind, shape)
        and left + across <= shape[1]
        and top + across <= shape[0]
    )


def _read_place(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _remember(subject: SpoiledFace) -> None:
    """Take over where the patch was left, so that the address says it too."""
    reported = state.component_value(f"{subject.name} view", "place")
    if reported:
        state.put(subject.place, tuple(int(reported[name]) for name in ("face", "left", "top", "amount")))
