"""Data that no package holds: what studies wait for, and the shape by which a file of it is recognised."""

from __future__ import annotations

from dataclasses import dataclass

from datasets import Dataset


@dataclass(frozen=True)
class Awaited:
    """A data set that only its owners give away: where, and the shape by which a file of it is recognised.

    `pictures` are the heights and widths in which it circulates or that papers use; none means that it is no
    pictures, and may have any number of features. With `resized`, pictures of any other size will do, too.
    """

    id: str
    title: str
    owner: str
    samples: tuple[int, ...]
    classes: int
    pictures: tuple[tuple[int, int], ...] = ()
    resized: bool = True

    @property
    def features(self) -> tuple[int, ...]:
        """The numbers of features of one sample in which it circulates; none means any."""
        return tuple(dict.fromkeys(height * width for height, width in self.pictures))

    @property
    def shape(self) -> str:
        """The expected shape in words."""
        features = " or ".join(f"{number:,}" for number in self.features) or "any number of"
        samples = " or ".join(f"{number:,}" for number in self.samples)
        return f"{samples} samples of {features} features, {self.classes} classes"

    def fits(self, ds: Dataset) -> bool:
        """Return whether a data set has the samples, the classes and the features of this one."""
        other_size = self.resized and ds.image_shape is not None
        return (
            ds.n_samples in self.samples
            and ds.n_classes == self.classes
            and (not self.pictures or ds.n_features in self.features or other_size)
        )


def _squares(*sides: int) -> tuple[tuple[int, int], ...]:
    return tuple((side, side) for side in sides)


FERET = Awaited(
    "feret",
    "FERET (70 people)",
    "NIST (the Color FERET database, by application)",
    (420,),
    70,
    ((56, 46), (80, 80), (64, 64), (32, 32), (112, 92)),
)
PIE = Awaited("pie", "CMU PIE (five poses)", "Carnegie Mellon University", (680,), 68, _squares(32, 64))
AR = Awaited(
    "ar",
    "AR faces",
    "Ohio State University (A. M. Martínez)",
    (1400,),
    100,
    ((16, 12), (33, 24), (66, 48), (165, 120)),
)
FERET_PAIRS = Awaited(
    "feret_pairs",
    "FERET (200 people)",
    "NIST (the Color FERET database, by application)",
    (400,),
    200,
    _squares(16, 32, 60),
)
YALE = Awaited(
    "yale", "Yale faces", "Yale University (UCSD Computer Vision)", (165,), 15, _squares(16, 32, 64)
)
YALE_B = Awaited(
    "yale_b",
    "Extended Yale B",
    "Yale University (UCSD Computer Vision)",
    (2114, 2414),
    38,
    _squares(32, 64),
)
CBCL = Awaited(
    "cbcl",
    "MIT CBCL faces",
    "MIT Center for Biological and Computational Learning",
    (2000, 6977),
    2,
    _squares(19),
    resized=False,
)
ITS = Awaited(
    "its",
    "ITS pedestrians",
    "the authors of reference 9 of the paper",
    (2000,),
    2,
    ((32, 16),),
    resized=False,
)
USPS = Awaited(
    "usps",
    "USPS digits",
    "S. Roweis's page; also OpenML",
    (2500, 9298, 11000),
    10,
    _squares(16),
    resized=False,
)
NUS_WIDE = Awaited("nus_wide", "NUS-WIDE-Object", "National University of Singapore", (3100,), 31)
COREL = Awaited("corel5k", "Corel5K", "P. Duygulu's page", (5000,), 50)
REUTERS = Awaited("reuters_multilingual", "Reuters multilingual", "UCI repository (M. Amini)", (1876,), 6)

_UCI = "UCI repository"
DERMATOLOGY = Awaited("dermatology", "Dermatology", _UCI, (358, 366), 6)
HORSE = Awaited("horse", "Horse colic", _UCI, (368,), 2)
SONAR = Awaited("sonar", "Sonar", _UCI, (208,), 2)
SOYBEAN = Awaited("soybean", "Soybean (small)", _UCI, (47,), 4)
VOWEL = Awaited("vowel", "Vowel", _UCI, (528, 990), 11)
