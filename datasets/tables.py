"""The small tables that come with scikit-learn: one way to load them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.dataset import Dataset
from datasets.schema import Card, Option

SCALE = Option(
    "scale",
    "bool",
    True,
    label="Same range for every measurement",
    meaning="Stretch every measurement to the range 0 to 1, so that none outweighs the others by its unit.",
)


def stretched(X: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return the columns stretched to the range 0 to 1; one that never changes becomes 0.

    >>> stretched(np.array([[1.0, 7.0], [2.0, 7.0], [5.0, 7.0]]))
    array([[0.  , 0.  ],
           [0.25, 0.  ],
           [1.  , 0.  ]], dtype=float32)
    """
    low = X.min(axis=0)
    width = X.max(axis=0) - low
    return np.asarray((X - low) / np.where(width > 0, width, 1), dtype=np.float32)


def load_table(card: Card, loader: Callable[[], Any], *, scale: bool) -> Dataset:
    """Return a data set of scikit-learn as ours; `loader` gives its `Bunch`."""
    bunch = loader()
    return Dataset(
        id=card.id,
        title=card.title,
        views={"measurements": stretched(bunch.data) if scale else bunch.data.astype(np.float32)},
        y=bunch.target.astype(np.int64),
        target_names=tuple(str(name) for name in bunch.target_names),
        feature_names=tuple(str(name) for name in bunch.feature_names),
        options={"scale": scale},
        card=card,
    )
