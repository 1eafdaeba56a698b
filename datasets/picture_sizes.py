"""Pictures of a file in one of the sizes that somebody needs them in: an option of the data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from datasets.dataset import Dataset
from datasets.schema import Option

NAME, STORED = "size", "stored"


def size_option(shapes: Sequence[tuple[int, int]]) -> Option:
    """Return the option that offers pictures as they are stored, or of these heights and widths.

    >>> size_option([(33, 24)]).choices
    ('stored', '33x24')
    """
    choices = tuple(written(shape) for shape in shapes)
    labels = tuple(f"{height} × {width}" for height, width in shapes)
    return Option(
        NAME,
        "choice",
        STORED,
        choices=(STORED, *choices),
        choice_labels=("as stored", *labels),
        label="Size of the pictures",
        meaning="Height and width in pixels; pictures of another size are resized.",
    )


def written(shape: tuple[int, int]) -> str:
    """Return how the option names a height and a width."""
    return "x".join(map(str, shape))


def in_size(ds: Dataset, size: str) -> Dataset:
    """Return a data set with its pictures in a size that the option names."""
    if size == STORED or ds.image_shape is None or written(ds.image_shape) == size:
        return ds
    # Imported late: the decoders of pictures are needed here only.
    from datasets.reading.smaller import resized_pictures

    height, width = map(int, size.split("x"))
    views = {
        name: resized_pictures(np.asarray(view), ds.image_shape, (height, width))
        for name, view in ds.views.items()
    }
    return replace(ds, views=views, image_shape=(height, width), options={**ds.options, NAME: size})
