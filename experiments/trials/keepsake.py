"""What is kept of a fit to be looked at: its parts, small, and its curve; a few tens of kilobytes."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from experiments.engine.array_file import UNREADABLE, arrays_in
from experiments.requests.views import parts_by_view
from experiments.trials.fit import Fit
from experiments.trials.recurring import Recurring, recurring_of

MOST_PARTS, MOST_POINTS = 64, 120
_MOST_PIXELS, _MOST_FEATURES, _MOST_WORDS = 40 * 40, 128, 10


@dataclass(frozen=True)
class Keepsake:
    """The parts of a fit in the first view, and its curve (a row each of iteration and objective).

    `parts` holds bytes, each part scaled to its own largest entry. Where parts are pictures, `shape` is their
    height and width, smaller than they were if need be. Of sparse data only the heaviest features are kept:
    `features` are their columns, part by part; it is empty where all are there. `count` is how many parts
    there were, `discriminative` how many of the first ones tell classes apart. `recurring` is what other
    starts have in common with it, if a measure has made any.
    """

    parts: NDArray[np.int8]
    features: NDArray[np.int32]
    shape: tuple[int, ...]
    curve: NDArray[np.float32]
    count: int
    discriminative: int = 0
    recurring: Recurring | None = None

    def packed(self) -> bytes:
        """Return it as bytes, from which `unpacked` makes it again."""
        file = BytesIO()
        np.savez_compressed(
            file,
            parts=self.parts,
            features=self.features,
            shape=np.array(self.shape, dtype=np.int32),
            curve=self.curve,
            numbers=np.array([self.count, self.discriminative]),
            **({} if self.recurring is None else self.recurring.arrays()),
        )
        return file.getvalue()

    @classmethod
    def unpacked(cls, packed: bytes) -> Keepsake | None:
        """Return the keepsake that `packed` was made from; None if it is damaged."""
        try:
            arrays = arrays_in(BytesIO(packed))
            shape = tuple(int(size) for size in arrays["shape"])
            count, discriminative = (int(number) for number in arrays["numbers"])
            parts, features, curve = (arrays[name] for name in ("parts", "features", "curve"))
            recurring = Recurring.from_arrays(arrays)
            return cls(parts, features, shape, curve, count, discriminative, recurring)
        except UNREADABLE:
            return None


def keepsake_of(fit: Fit) -> Keepsake:
    """Return what is kept of a fit; without parts, the curve alone."""
    matrices = parts_by_view(fit.record.arrays, fit.dataset, fit.request)
    parts = next(iter(matrices.values())) if matrices and "components" in fit.spec.gives else np.zeros((0, 0))
    first = next(iter(matrices), None) == next(iter(fit.dataset.views))
    pixels = fit.dataset.image_shape if first else None
    small, features, shape = _small(parts[:MOST_PARTS], pixels, sparse=bool(fit.dataset.view_features))
    curve, telling = _curve(fit.record.objective), min(fit.record.discriminative or 0, len(parts))
    recurring = recurring_of(fit, MOST_PARTS)
    return Keepsake(small, features, shape, curve, len(parts), telling, recurring)


def as_text(keepsake: Keepsake) -> str:
    """Return a keepsake as text, for results travel as text."""
    return base64.b64encode(keepsake.packed()).decode("ascii")


def from_text(text: str) -> bytes:
    """Return the packed keepsake in a text."""
    return base64.b64decode(text)


def _small(
    parts: NDArray[np.floating], pixels: tuple[int, int] | None, *, sparse: bool
) -> tuple[NDArray[np.int8], NDArray[np.int32], tuple[int, ...]]:
    everything = np.zeros((len(parts), 0), np.int32)
    if pixels is not None:
        tiles, shape = _shrunk(parts, pixels)
        return _scaled(tiles), everything, shape
    if not sparse and parts.shape[-1] <= _MOST_FEATURES:
        return _scaled(parts), everything, ()
    most = min(_MOST_WORDS, parts.shape[-1])
    heaviest = np.argsort(-np.abs(parts), axis=1, kind="stable")[:, :most]
    return _scaled(np.take_along_axis(parts, heaviest, axis=1)), heaviest.astype(np.int32), ()


def _shrunk(
    parts: NDArray[np.floating], pixels: tuple[int, int]
) -> tuple[NDArray[np.floating], tuple[int, int]]:
    """Return pictures whose neighbouring pixels are averaged until they are small enough."""
    times = max(1, int(np.ceil(np.sqrt(pixels[0] * pixels[1] / _MOST_PIXELS))))
    height, width = (max(1, size // times) for size in pixels)
    if times == 1:
        return parts, pixels
    tiles = parts.reshape(-1, *pixels)[:, : height * times, : width * times]
    blocks = tiles.reshape(-1, height, times, width, times).mean(axis=(2, 4))
    return blocks.reshape(len(parts), -1), (height, width)


def _scaled(parts: NDArray[np.floating]) -> NDArray[np.int8]:
    largest = np.abs(parts).max(axis=1, keepdims=True, initial=0)
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(parts / np.where(largest > 0, largest, 1))
    return np.asarray(np.round(127 * np.clip(shares, -1, 1)), dtype=np.int8)


def _curve(objective: NDArray[np.float64]) -> NDArray[np.float32]:
    rows = np.unique(np.linspace(0, max(0, objective.size - 1), MOST_POINTS).round().astype(int))
    rows = rows[rows < objective.size]
    with np.errstate(over="ignore"):
        return np.column_stack([rows, objective[rows]]).astype(np.float32)
