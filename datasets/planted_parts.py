"""Planted parts: pictures that are sums of known patches, to see whether a method finds them again.

Rank, overlap and noise are chosen, so it can be tried out when a factorization stops being right.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from datasets.dataset import Dataset
from datasets.image_views import VIEWS, image_views
from datasets.schema import Card, Option

SIDE = 24
# Each sample uses about this many parts besides the one of its class.
OTHERS = 2

CARD = Card(
    id="planted_parts",
    title="Planted parts",
    summary="Sums of known patches: choose how many there are, how much they overlap, and how much noise.",
    kind="images",
    source="Drawn by this program.",
    licence="None needed: made here.",
    credit="Partwise.",
    class_unit="main part",
    options=(
        Option("parts", "int", 9, low=2, high=36, meaning="How many parts there are: the rank."),
        Option(
            "overlap", "float", 0.2, low=0.0, high=1.0,
            label="Overlap of neighbours",
            meaning="How far each part reaches into its neighbours: 0 not at all, 1 all the way.",
        ),
        Option(
            "noise", "float", 0.0, low=0.0, high=1.0,
            meaning="Size of the random errors, as a share of the typical brightness of a picture.",
        ),
        Option("samples", "int", 300, low=100, high=3000, meaning="How many pictures are made."),
        VIEWS,
    ),
)  # fmt: skip


def load(*, parts: int, overlap: float, noise: float, samples: int, views: str) -> Dataset:
    """Draw the pictures, always the same ones; the class of a picture is its brightest part."""
    rng = np.random.default_rng(1)
    patches = _patches(parts, overlap)
    main = np.arange(samples) % parts
    weights = rng.gamma(2.0, 0.15, (samples, parts)) * (rng.random((samples, parts)) < OTHERS / parts)
    weights = np.minimum(weights, 0.7)
    weights[np.arange(samples), main] = rng.uniform(0.75, 1.0, samples)
    clean = weights @ patches
    # Brightness below zero does not exist: what noise would push there stays black.
    spoiled = np.maximum(clean + noise * clean.std() * rng.standard_normal(clean.shape), 0)
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=image_views((spoiled / spoiled.max()).astype(np.float32), (SIDE, SIDE), views),
        y=main.astype(np.int64),
        target_names=tuple(f"Part {number}" for number in range(1, parts + 1)),
        image_shape=(SIDE, SIDE),
        options={"parts": parts, "overlap": overlap, "noise": noise, "samples": samples, "views": views},
        card=CARD,
        parts=patches.astype(np.float32),
    )


def _patches(parts: int, overlap: float) -> npt.NDArray[np.float64]:
    """Return the parts: one rectangle for each cell of a grid, grown into the cells beside it."""
    columns = math.ceil(math.sqrt(parts))
    rows = math.ceil(parts / columns)
    patches = np.zeros((parts, SIDE, SIDE))
    for index in range(parts):
        down = _reach(index // columns, rows, overlap)
        across = _reach(index % columns, columns, overlap)
        patches[index, down, across] = 1
    return patches.reshape(parts, SIDE * SIDE)


def _reach(cell: int, cells: int, overlap: float) -> slice:
    # To the right and down only: the parts then form a triangular matrix, so they are always
    # independent and the rank is what was asked for, however much they overlap.
    edges = np.linspace(0, SIDE, cells + 1).round().astype(int)
    start, end = edges[cell], edges[cell + 1]
    beyond = edges[min(cell + 2, cells)] - end
    return slice(int(start), int(end + round(overlap * beyond)))
