"""What the occlusion and the noise page ask: methods, kinds, how it is tested, how pictures are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from experiments.comparisons.comparison import Contestant
from experiments.fitted.recognisers import HOWS, How, can_recognise
from experiments.measures.recognition import Metric
from experiments.requests.corruption import Kind, is_noise
from experiments.requests.library import Dataset, Spec
from ui import state, words
from ui.contestants import contestants
from ui.method_menu import methods_menu
from ui.robustness import MOST_METHODS, own_face
from ui.sidebar import Chosen

METHODS = "recognisers"
_DEFAULT = ["pca", "lda", "nmf", "n2s2l"]
_TESTED = {"held": "never seen", "seen": "seen clean", "covered": "seen {}"}
_SIGNS: dict[How, str] = {
    "ridge": "steadied",
    "pinv": "of any sign",
    "nnls": "zero or more",
    "robust": "robust",
    "masked": "patch known",
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
class Options:
    """The settings chosen in the controls."""

    methods: list[Contestant]
    kind: Kind
    tested: str
    metric: Metric
    how: How
    own: dict[str, str] | None


def controls(choice: Chosen, subject: SpoiledFace) -> Options:
    """Show the controls and return what is chosen."""
    specs = methods_menu(
        "Methods", name=METHODS, default=_DEFAULT, most=MOST_METHODS, choice=choice, accept=can_recognise,
        wrap=True,
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = state.control(
            st.segmented_control, subject.label, list(subject.kinds), name=subject.kind,
            default=subject.kinds[0], accept=subject.kinds.__contains__, required=True,
        )  # fmt: skip
        methods = contestants(choice, specs, name=METHODS, most=MOST_METHODS)
        # As wide as its words: they say of which paper the figure is.
        pressed = st.button(
            subject.preset.label,
            help=subject.preset.help,
            on_click=state.choose,
            args=(subject.preset.choices,),
        )
    if pressed:
        st.rerun()  # The sidebar too.
    # Side by side and folded: on a telephone the face comes first, not what is asked of it.
    left, right = st.columns(2)
    with left, st.expander("How it is tested"):
        tested, metric, how = _tested(choice.data, subject), _metric(), _coefficients(specs, kind)
    with right:
        own = own_face.chosen(shape_of(choice.data), words.picture_word(choice.data))
    return Options(methods, kind, tested, metric, how, own)


def _metric() -> Metric:
    metric: Metric = state.control(
        st.segmented_control, "Features are compared", list(words.METRICS), name="metric",
        default="euclidean", accept=words.METRICS.__contains__, format_func=words.METRICS.get, required=True,
        help="Nearest is who differs least (Euclidean distance), or who lies in the same direction "
        "(cosine), whatever the contrast.",
    )  # fmt: skip
    return metric


def shape_of(ds: Dataset) -> tuple[int, int]:
    """Return height and width of the pictures of a data set that holds pictures."""
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


def _coefficients(methods: list[Spec], kind: Kind) -> How:
    """Show the control for how coefficients are computed, where there is a choice."""
    if not any(spec.weighs_parts for spec in methods):
        return "ridge"
    offered = [how for how in HOWS if how != "masked" or not is_noise(kind)]
    how: How = state.control(
        st.segmented_control, "Weights of parts", offered, name="weights", default="ridge",
        accept=offered.__contains__, format_func=_SIGNS.get, required=True,
        help="How much of each part a new picture holds: held back a little, so that parts that are nearly "
        "alike do no harm; by pseudo-inverse, as in the papers; by non-negative least squares; or robustly, "
        "where pixels that fit badly count less: those of the patch. If it is known where the patch lies, "
        "only the pixels beside it need to fit. Only methods that add up parts have the choice. "
        "Robust curves take minutes.",
    )  # fmt: skip
    looking = [spec.title for spec in methods if not spec.weighs_parts]
    if how == "masked" and looking:
        st.caption(f"They need every pixel and look at the patch as well: {', '.join(looking)}.")
    return how
