"""Faces and other pictures: a hundred small cuts from photographs that show a face, a hundred that do not."""

from __future__ import annotations

import numpy as np

from datasets.dataset import Dataset
from datasets.fetching import member
from datasets.image_views import VIEWS, image_views
from datasets.schema import Card, Wheel

WHEEL = Wheel(
    requirement="scikit-image==0.26.0",
    sha256="74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af",
    size=13_711_217,
    members=("skimage/data/lfw_subset.npy",),
    # The package has compiled code, but the pictures are the same in every file of it.
    target=(
        "--platform=manylinux_2_24_x86_64",
        "--platform=manylinux_2_28_x86_64",
        "--python-version=3.11",
        "--implementation=cp",
        "--abi=cp311",
    ),
)
CARD = Card(
    id="lfw_subset",
    title="Faces or not",
    summary="100 faces and 100 cuts from the background of photographs, 25x25 pixels.",
    kind="images",
    source="scikit-image 0.26.0 on PyPI, skimage/data/lfw_subset.npy",
    licence="Not stated with the data: photographs of people in the news, collected for research.",
    credit="G. Huang and others, Labeled Faces in the Wild, University of Massachusetts, 2007.",
    options=(VIEWS,),
    wheel=WHEEL,
)
SIDE = 25


def load(*, views: str) -> Dataset:
    """Load all pictures: first the faces, then the others."""
    pictures = np.load(member(WHEEL, "lfw_subset.npy"), allow_pickle=False)
    half = len(pictures) // 2
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=image_views(
            pictures.reshape(len(pictures), SIDE * SIDE).astype(np.float32), (SIDE, SIDE), views
        ),
        y=np.repeat(np.array([0, 1], dtype=np.int64), half),
        target_names=("face", "no face"),
        image_shape=(SIDE, SIDE),
        options={"views": views},
        card=CARD,
    )
