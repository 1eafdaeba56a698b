"""Do pictures stand upright or lie on their side? Evidence from what upright faces and digits look like.

Rows and columns exchanged, a picture is as smooth as before, and light from one side makes any mean of
pictures lopsided: neither says what is up. But half of what is handed over are faces or handwritten digits,
and those of the catalogue (the faces of ORL, the digits of scikit-learn) show how they stand. Each picture is
compared with its nearest among them, as it is and turned. All pictures together decide only if they

* resemble those at all,
* nearly all say the same, by a clear difference, and
* are what they seem: digits are ink on paper, and of several kinds; bars in all places are not.

Everything else (textures, objects, half profiles, faces lit from one side alone) is left to whoever knows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

Pictures = npt.NDArray[Any]
# Pictures are compared at this many pixels a side: fewer show no strokes, more show persons.
_SIDE = 10
# Of forty people: the others are for tests. And of 1797 digits.
_PEOPLE, _DIGITS = range(1, 41, 2), 240
# What varies less than this share of what varies most is margin.
_MARGIN = 0.25
# How near to the lightest or the darkest value counts as paper.
_NEAR = 0.1


@dataclass(frozen=True)
class _Rule:
    """When a comparison is believed: likeness of the better reading, and by how much and how surely."""

    likeness: float
    difference: float
    sureness: float
    share: float


_FACES, _INK = _Rule(0.6, 0.09, 9.0, 0.75), _Rule(0.5, 0.1, 9.0, 0.78)
# So much of a picture is paper; faces have no such value.
_PAPER = 0.3
_KINDS_OF_DIGIT = 5.5
# Below this sureness a comparison is not even worth a guess.
_GUESS = 4.0


@dataclass(frozen=True)
class Verdict:
    """Whether pictures stand as they are (above 0) or lie on their side (below), and whether that is sure."""

    leaning: float
    certain: bool


@dataclass(frozen=True)
class _Comparison:
    difference: float
    sureness: float
    share: float
    likeness: float
    nearest: npt.NDArray[np.int64]

    def fulfils(self, rule: _Rule) -> bool:
        return (
            self.likeness >= rule.likeness
            and abs(self.difference) >= rule.difference
            and abs(self.sureness) >= rule.sureness
            and self.share >= rule.share
        )


def verdict(pictures: Pictures) -> Verdict:
    """Judge pictures (samples, height, width) by the faces and digits that are known to stand upright."""
    pictures = _without_margin(pictures)
    as_read, turned = _normalised(pictures), _normalised(pictures.transpose(0, 2, 1))
    low, high = float(pictures.min()), float(pictures.max())
    near = _NEAR * (high - low)
    paper = max(float((pictures < low + near).mean()), float((pictures > high - near).mean()))
    if paper < _PAPER:
        comparison = _compared(as_read @ _faces().T, turned @ _faces().T)
        believed = comparison.fulfils(_FACES)
    else:
        digits, kinds = _digits()
        comparison = _compared(abs(as_read @ digits.T), abs(turned @ digits.T))
        believed = comparison.fulfils(_INK) and _kinds(kinds[comparison.nearest]) >= _KINDS_OF_DIGIT
    return Verdict(comparison.difference if believed or abs(comparison.sureness) >= _GUESS else 0.0, believed)


def prepare() -> None:
    """Load what pictures are compared with."""
    _faces()
    _digits()


def _compared(as_read: Pictures, turned: Pictures) -> _Comparison:
    """Compare how like the references (columns) each picture (row) is in either reading."""
    likenesses = as_read.max(axis=1), turned.max(axis=1)
    differences = likenesses[0] - likenesses[1]
    mean, spread = float(differences.mean()), float(differences.std())
    better = as_read if mean >= 0 else turned
    return _Comparison(
        difference=mean,
        sureness=mean / (spread / sqrt(len(differences)) + 1e-9) if len(differences) > 1 else 0.0,
        share=float((differences * np.sign(mean) > 0).mean()),
        likeness=float(better.max(axis=1).mean()),
        nearest=better.argmax(axis=1),
    )


def _kinds(codes: npt.NDArray[Any]) -> float:
    """Return how many kinds there are, each counted by its share (the exponential of the entropy)."""
    shares = np.bincount(codes) / len(codes)
    shares = shares[shares > 0]
    return float(np.exp(-(shares * np.log(shares)).sum()))


def _without_margin(pictures: Pictures) -> Pictures:
    varies = pictures.std(axis=0)
    least = _MARGIN * varies.max()
    lines, columns = np.flatnonzero(varies.max(axis=1) > least), np.flatnonzero(varies.max(axis=0) > least)
    if lines.size < 2 or columns.size < 2:
        return pictures
    return pictures[:, lines[0] : lines[-1] + 1, columns[0] : columns[-1] + 1]


def _normalised(pictures: Pictures) -> npt.NDArray[np.float64]:
    """Return pictures at the common size as rows of mean 0 and length 1."""
    made = np.empty((len(pictures), _SIDE * _SIDE))
    for row, picture in zip(made, pictures, strict=True):
        image = Image.fromarray(np.ascontiguousarray(picture, dtype=np.float32))
        row[:] = np.asarray(image.resize((_SIDE, _SIDE), Image.Resampling.BOX), dtype=np.float64).ravel()
    made -= made.mean(axis=1, keepdims=True)
    return np.asarray(made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12))


@cache
def _faces() -> npt.NDArray[np.float64]:
    from datasets.dataset import DataUnavailableError
    from datasets.orl import picture

    made = []
    for person in _PEOPLE:
        for number in (1, 4, 7):
            try:
                face = picture(person, number, 48).reshape(48, 48).astype(np.float32)
            except DataUnavailableError:
                # Without them nothing is like a face, and whoever hands faces over is asked.
                return np.zeros((1, _SIDE * _SIDE))
            # The whole picture, without its margin, and from the brows down, as people crop them.
            made += [_normalised(part[None])[0] for part in (face, face[6:-6, 5:-5], face[12:])]
    return np.stack(made)


@cache
def _digits() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    return _normalised(bunch.images[:_DIGITS]), np.asarray(bunch.target[:_DIGITS], dtype=np.int64)
