"""What the occlusion and the noise page share: a face to spoil by hand, and fitted methods that answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

import streamlit as st

from experiments.comparisons.comparison import Contestant
from experiments.comparisons.features import source, unlike_sources
from experiments.engine.handle import Handle
from experiments.fitted.recognisers import rows_to_test
from experiments.requests.corruption import Kind, is_noise, largest_amount
from experiments.requests.library import rows_of
from experiments.requests.objects import Thing
from ui import chosen_params, owner, state, unattended, unlike, words
from ui.assets import component
from ui.contestants import title
from ui.downloads import file_stem
from ui.fragments import fragment
from ui.palette import colour
from ui.robustness import taking
from ui.robustness.options import Options, SpoiledFace, controls, shape_of
from ui.robustness.requests import held_out, request_of
from ui.run_state import STATE
from ui.run_words import titles
from ui.service import service
from ui.sidebar import Chosen, chosen

_VIEW = component("robustness", "robustness")
# On the faces shown first, this one is recognised by some of the methods shown first and not by all.
_FIRST_FACE = 47


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
    options = controls(choice, subject)
    if not options.methods:
        st.info("Choose a method to see whom it recognises.")
        return
    runs: dict[str, Handle] = {}
    for one in options.methods:
        run = _run(choice, one, options)
        if isinstance(run, Handle):
            runs[run.id] = run
        else:
            st.error(run)
    for id in dict.fromkeys(one.spec.id for one in options.methods):
        chosen_params.in_use(choice.dataset, id, key=f"{subject.name} {id}")
    if runs:
        _view(choice, subject, options, runs)
    _unlike_features(choice, options)


def _unlike_features(choice: Chosen, options: Options) -> None:
    """Say so if some have learnt from the pictures they are asked about, and others not."""
    specs = [one.spec for one in options.methods]
    n_held_out = {spec.id: held_out(choice, spec, options.tested) for spec in specs}
    # As the curves are measured: see `experiments.comparisons.surveys`.
    seen = options.tested == "covered"
    sources = (source(spec, "seen" if seen and not n_held_out[spec.id] else "unseen") for spec in specs)
    if unlike_sources(sources):
        unlike.sentence(
            f"Ask all about {words.picture_word(choice.data)}s never seen", {"tested": "held"},
            help="Then every method finds the features of each picture by itself.",
        )  # fmt: skip


def _run(choice: Chosen, one: Contestant, options: Options) -> Handle | str:
    """Return the run everybody shares for this choice, or the reason why there can be none."""
    try:
        return service().shared(request_of(choice, one, options))
    except ValueError as refusal:
        return f"{title(one)}: {refusal}"


def _view(choice: Chosen, subject: SpoiledFace, options: Options, runs: Mapping[str, Handle]) -> None:
    ds, shape = choice.data, shape_of(choice.data)
    count = int(rows_to_test(ds, rows_of(ds, next(iter(runs.values())).request)).size)
    if not count:
        st.info("Every picture is labelled: label fewer, so that some are left to be recognised.")
        return
    most = largest_amount(options.kind, shape)
    default = (min(_FIRST_FACE, count - 1), *_middle(options.kind, shape))
    place = state.get(
        subject.place, default, lambda value: _fits(value, count, options.kind, shape), _read_place
    )
    state.put(subject.place, place, default)
    named = titles(runs.values())
    data: dict[str, Any] = {
        "runs": [
            {"id": run.id, "method": run.request.method, "title": named[run.id]}
            | {"colour": {look: colour(run.request.method, look) for look in ("light", "dark")}}
            for run in runs.values()
        ],
        "shape": list(shape), "count": count, "most": most, "noise": is_noise(options.kind),
        "axis": words.amount_title(options.kind),
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
    survey = taking.SurveyRequest(options.kind, options.metric, options.how, tuple(runs), owner.token())
    taking.offer(survey, key, file_stem(subject.name, ds.id), size=place[3])
    name = f"{subject.label} on {ds.title}: {', '.join(named.values())}"
    unattended.offer_table(name, subject.name, partial(taking.work, survey), key=f"{subject.name} unattended")


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
