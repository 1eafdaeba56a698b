"""What corruption does to pictures: a few of them as they are, and below them covered or noisy."""

from __future__ import annotations

import numpy as np
import streamlit as st

from experiments.requests.corruption import KINDS, is_noise, largest_amount, settings, spoil
from experiments.requests.library import Dataset
from experiments.requests.noise import NOISES
from ui import state, theme, words
from ui.fragments import fragment
from ui.pictures import samples_sheet, smaller
from ui.sheet_view import sheet_view

_PICTURES = 10
_WIDEST = 1400
_ALL = (*KINDS, *NOISES)


@fragment
def show(ds: Dataset, seed: int) -> None:
    """Show the controls and the pictures; `seed` decides where the patches lie, as it does in a run."""
    assert ds.image_shape is not None
    left, right = st.columns([2, 3], gap="medium")
    with left:
        kind = state.control(
            st.selectbox, "Kind", list(_ALL), name="look.kind", default="grey", accept=_ALL.__contains__,
            format_func=lambda name: f"{'Noise' if is_noise(name) else 'Patch'}: {name}",
        )  # fmt: skip
    most, noisy = largest_amount(kind, ds.image_shape), is_noise(kind)
    with right:
        amount = state.control(
            st.slider, "Amount" if noisy else "Side of the patch in pixels", 0, most,
            name="look.noise" if noisy else "look.patch", default=20 if noisy else round(0.4 * most),
            accept=lambda value: 0 <= value <= most, format="%d %%" if noisy else "%d",
            key=f"spoil {noisy} {most}",
        )  # fmt: skip
    index = np.unique(np.linspace(0, ds.n_samples - 1, min(ds.n_samples, _PICTURES)).astype(int))
    images = np.clip(np.asarray(ds.X)[index], 0, 1)
    spoiled = spoil(images, ds.image_shape, seed=seed, **settings(kind, amount))
    sheet = samples_sheet(
        np.concatenate([images, spoiled]), ds.image_shape, theme.current(), columns=index.size
    )
    sheet_view(
        "spoiled", smaller(sheet, _WIDEST), label=f"{index.size} pictures, and the same with {kind}",
        tips=["as it is"] * index.size + [f"{kind}, {amount}{' %' if noisy else ' pixels'}"] * index.size,
    )  # fmt: skip
    places = "" if noisy else f" The seed decides where the patch lies on each of the {words.samples(ds)}."
    st.caption(f"Above as they are, below as a method meets them on the pages Occlusion and Noise.{places}")
    state.publish("spoiled")
