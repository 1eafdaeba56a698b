"""Handwritten digits: the 8x8 test set of the UCI Optical Recognition data, shipped with scikit-learn."""

from __future__ import annotations

import numpy as np

from datasets.dataset import Dataset
from datasets.image_views import VIEWS, image_views
from datasets.schema import Card

CARD = Card(
    id="digits",
    title="Handwritten digits",
    summary="1 797 handwritten digits as tiny 8x8 images; everything runs on them in a moment.",
    kind="images",
    source="scikit-learn, sklearn.datasets.load_digits",
    licence="CC BY 4.0",
    credit=(
        "E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, "
        "UCI Machine Learning Repository, 1998."
    ),
    class_unit="digit",
    options=(VIEWS,),
)

# The images count the dark pixels in 4x4 blocks, so 16 is full ink.
FULL_INK = 16


def load(*, views: str) -> Dataset:
    """Load all digits, ink 1 and paper 0."""
    # Imported here: it takes a second, which listing the catalogue should not cost.
    from sklearn.datasets import load_digits

    pixels, codes = load_digits(return_X_y=True)
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=image_views(pixels.astype(np.float32) / np.float32(FULL_INK), (8, 8), views),
        y=codes.astype(np.int64),
        target_names=tuple(str(digit) for digit in range(10)),
        image_shape=(8, 8),
        options={"views": views},
        card=CARD,
    )
