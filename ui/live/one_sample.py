"""One sample of a run and what its parts make of it: two pictures, or the numbers that matter most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.inspection.decomposition import rebuilds, summands
from ui.pictures import Sheet, Theme, samples_sheet

_MOST_FEATURES = 8


@dataclass(frozen=True)
class RebuiltSample:
    """A sample beside the sum of its parts: as a picture, or as (feature, value, value rebuilt)."""

    sheet: Sheet | None
    features: list[list[Any]]


def one_sample(
    handle: Handle, arrays: dict[str, NDArray[Any]], theme: Theme, place: int = 0, view: str | None = None
) -> RebuiltSample | None:
    """Return a training sample (by its place) rebuilt; None if the method does not add up to samples."""
    # Discriminating directions do not add up to a face. What adds up in a bent space is shown, and said to.
    if not rebuilds(handle):
        return None
    sum_of = summands(handle, arrays, place, view)
    if sum_of is None:
        return None
    if sum_of.shape is not None:
        both = np.stack([sum_of.original, sum_of.whole])
        return RebuiltSample(samples_sheet(both, sum_of.shape, theme, columns=2), [])
    return RebuiltSample(
        None, [] if sum_of.names is None else _most(sum_of.original, sum_of.whole, sum_of.names)
    )


def _most(original: NDArray[Any], rebuilt: NDArray[Any], names: Any) -> list[list[Any]]:
    order = np.argsort(-np.abs(original), kind="stable")[:_MOST_FEATURES]
    return [
        [str(names[i])[:40], float(f"{original[i]:.3g}"), float(f"{rebuilt[i]:.3g}")]
        for i in order
        if original[i] != 0
    ]
