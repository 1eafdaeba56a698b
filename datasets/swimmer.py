"""Swimmer: 256 drawn stick figures whose true parts are known, after Donoho and Stodden (2003).

Each figure is a torso and four limbs, each limb in one of four positions; all 4^4 combinations
occur. A factorization into parts is right exactly when it finds these limbs.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from datasets.dataset import Dataset
from datasets.image_views import VIEWS, image_views
from datasets.schema import Card, Option

SIDE = 32
LIMB_LENGTH = 6

# The joint of each limb (row, column) and which way is outwards. The joints belong to the torso.
LIMBS = {
    "left arm": (8, 14, -1),
    "right arm": (8, 17, 1),
    "left leg": (23, 14, -1),
    "right leg": (23, 17, 1),
}
# Steps (down, outwards) from the joint. Multiples of 45 degrees never share a pixel, and an arm
# pointing down ends above a leg pointing up, so the 17 parts are disjoint.
ARM_POSITIONS = {"up": (-1, 0), "up and out": (-1, 1), "out": (0, 1), "down and out": (1, 1)}
LEG_POSITIONS = {"up and out": (-1, 1), "out": (0, 1), "down and out": (1, 1), "down": (1, 0)}

CARD = Card(
    id="swimmer",
    title="Swimmer",
    summary="256 drawn stick figures: a torso and four limbs in four positions each, true parts known.",
    kind="images",
    source="Drawn by this program.",
    licence="None needed: made here.",
    credit=(
        "After D. Donoho and V. Stodden, When does non-negative matrix factorization give a correct "
        "decomposition into parts?, NIPS 2003."
    ),
    class_unit="position",
    options=(
        Option(
            "limb", "choice", "left arm", choices=tuple(LIMBS), meaning="Limb whose position is the class."
        ),
        VIEWS,
    ),
)


def load(*, limb: str, views: str) -> Dataset:
    """Draw all figures; `parts` holds the torso, then the four positions of each limb."""
    limbs = {name: _limb_parts(name) for name in LIMBS}
    torso = _torso()
    choices = np.array(list(product(range(4), repeat=len(LIMBS))), dtype=np.int64)
    figures = torso + sum(limbs[name][choices[:, i]] for i, name in enumerate(LIMBS))
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=image_views(figures, (SIDE, SIDE), views),
        y=choices[:, list(LIMBS).index(limb)].copy(),
        target_names=tuple(_positions(limb)),
        image_shape=(SIDE, SIDE),
        options={"limb": limb, "views": views},
        card=CARD,
        parts=np.vstack([torso[np.newaxis], *limbs.values()]),
    )


def _positions(limb: str) -> dict[str, tuple[int, int]]:
    return ARM_POSITIONS if limb.endswith("arm") else LEG_POSITIONS


def _limb_parts(limb: str) -> npt.NDArray[np.float32]:
    row, column, outwards = LIMBS[limb]
    along = np.arange(1, LIMB_LENGTH + 1)
    parts = np.zeros((4, SIDE, SIDE), dtype=np.float32)
    for part, (down, out) in zip(parts, _positions(limb).values(), strict=True):
        part[row + down * along, column + out * outwards * along] = 1
    return parts.reshape(4, SIDE * SIDE)


def _torso() -> npt.NDArray[np.float32]:
    # Two pixels wide: on an even grid only that is symmetric.
    image = np.zeros((SIDE, SIDE), dtype=np.float32)
    image[8:24, 15:17] = 1
    for row, column, _ in LIMBS.values():
        image[row, column] = 1
    return image.ravel()
