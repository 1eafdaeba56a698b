"""Checks that the arrays of an imported run have the shapes that its request implies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

import datasets
from experiments.requests.prepare import rows_of
from experiments.requests.request import RunRequest
from experiments.requests.views import view_names

_NUMBERED = re.compile(r"(?P<name>[a-z_]+?)(_(?P<number>\d{1,3}))?")


def check_shapes(request: RunRequest, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Raise a ValueError if an array does not fit the data; data that are not here cannot be compared."""
    if not arrays or not datasets.is_here(request.dataset):
        return
    sides = _Sides(request, arrays)
    for name, array in arrays.items():
        if array.dtype.kind not in "fiub" or not sides.fits(name, array.shape):
            shape = " × ".join(map(str, array.shape)) or "a single value"
            raise ValueError(f"its array {name} ({shape}) does not fit {sides.title}.")


class _Sides:
    """The lengths that a side of an array of this run can have."""

    def __init__(self, request: RunRequest, arrays: Mapping[str, NDArray[Any]]) -> None:
        ds = datasets.load(request.dataset, **request.dataset_options)
        rows = rows_of(ds, request)
        self.title = ds.title
        self.samples = rows.train.size
        self.features = [ds.views[name].shape[1] for name in view_names(ds, request)]
        embeddings = [array for name, array in arrays.items() if name.partition("_")[0] == "embedding"]
        self.parts = {array.shape[-1] for array in embeddings if array.ndim == 2}
        self.sizes = {
            self.samples, rows.labelled.size, ds.n_classes, *self.parts, *(ds.image_shape or ()),
            len(self.features), sum(self.features), *self.features,
        }  # fmt: skip

    def fits(self, name: str, shape: tuple[int, ...]) -> bool:
        match = _NUMBERED.fullmatch(name)
        what, number = (match["name"], match["number"]) if match else (name, None)
        if what == "embedding":
            return len(shape) == 2 and shape[0] == self.samples
        if what == "components":
            return len(shape) == 2 and shape[1] in self._columns(number) and self._is_parts(shape[0])
        if what == "mean":
            return len(shape) == 1 and shape[0] in self._columns(number)
        return all(side in self.sizes for side in shape)

    def _columns(self, number: str | None) -> list[int]:
        if number is None:
            return [sum(self.features)]
        return self.features[int(number) : int(number) + 1]

    def _is_parts(self, count: int) -> bool:
        return count in self.parts if self.parts else count > 0
