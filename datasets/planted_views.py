"""Planted views: one set of samples seen in several ways, some clear, some noisy, one perhaps of no use.

What the views share is known, and so is which of them deserves weight.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from datasets.dataset import Dataset
from datasets.schema import Card, Option

# Features of a view, in turn: methods must not depend on views being equally wide.
WIDTHS = (40, 60, 30, 80, 50, 70)

CARD = Card(
    id="planted_views",
    title="Planted views",
    summary="Groups of samples seen in several views of falling quality; what the views share is known.",
    kind="table",
    source="Made by this program.",
    licence="None needed: made here.",
    credit="Partwise.",
    class_unit="group",
    options=(
        Option("groups", "int", 5, low=2, high=12, meaning="How many groups (and shared factors)."),
        Option("views", "int", 3, low=2, high=6, meaning="How many views there are."),
        Option(
            "private", "int", 2, low=0, high=10,
            label="Factors of one view alone",
            meaning="Factors that each view has for itself and that say nothing about the groups.",
        ),
        Option(
            "noise", "float", 0.3, low=0.0, high=2.0,
            meaning="Random errors of the last view, as a share of its size; the first view has none.",
        ),
        Option(
            "useless", "bool", False,
            label="Last view pure chance",
            meaning="Make the last view pure chance: it should get no weight.",
        ),
        Option("samples", "int", 300, low=60, high=3000, meaning="How many samples are made."),
    ),
)  # fmt: skip


def load(*, groups: int, views: int, private: int, noise: float, useless: bool, samples: int) -> Dataset:
    """Make the views, always the same ones; `parts` are the shared factors as the first view sees them."""
    rng = np.random.default_rng(2)
    y = np.arange(samples, dtype=np.int64) % groups
    shared = np.minimum(rng.gamma(1.0, 0.15, (samples, groups)), 0.5)
    shared[np.arange(samples), y] += rng.uniform(0.6, 1.0, samples)
    made: dict[str, npt.NDArray[np.float32]] = {}
    first = np.empty((0, 0))
    for index in range(views):
        factors = _factors(rng, groups, WIDTHS[index])
        own = rng.gamma(1.0, 0.3, (samples, private)) @ _factors(rng, private, WIDTHS[index])
        clean = shared @ factors + own
        if useless and index == views - 1:
            clean = rng.gamma(1.0, clean.mean(), clean.shape)
        errors = noise * index / (views - 1) * clean.std() * rng.standard_normal(clean.shape)
        made[f"view {index + 1}"] = np.maximum(clean + errors, 0).astype(np.float32)
        first = factors if index == 0 else first
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=made,
        y=y,
        target_names=tuple(f"Group {number}" for number in range(1, groups + 1)),
        options={
            "groups": groups, "views": views, "private": private, "noise": noise, "useless": useless,
            "samples": samples,
        },
        card=CARD,
        parts=first.astype(np.float32),
    )  # fmt: skip


def _factors(rng: np.random.Generator, count: int, width: int) -> npt.NDArray[np.float64]:
    """Return non-negative factors, each of which uses about a third of the features."""
    return rng.gamma(2.0, 0.5, (count, width)) * (rng.random((count, width)) < 1 / 3)
