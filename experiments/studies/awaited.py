"""Data that no package holds: what a study waits for, and which of a person's files it is."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import datasets
from datasets import Dataset

FOLDER = "PARTWISE_STUDY_DATA"
_MOST_FILES = 200


@dataclass(frozen=True)
class Awaited:
    """A data set that only its owners give away: where, and the shape by which a file of it is recognised.

    `features` are the numbers of features of one sample in which it circulates; none means any.
    """

    id: str
    title: str
    owner: str
    samples: tuple[int, ...]
    classes: int
    features: tuple[int, ...] = ()

    @property
    def shape(self) -> str:
        """The expected shape in words."""
        features = " or ".join(f"{number:,}" for number in self.features) or "any number of"
        samples = " or ".join(f"{number:,}" for number in self.samples)
        return f"{samples} samples of {features} features, {self.classes} classes"

    def fits(self, ds: Dataset) -> bool:
        """Return whether a data set has the samples, the classes and the features of this one."""
        return (
            ds.n_samples in self.samples
            and ds.n_classes == self.classes
            and (not self.features or ds.n_features in self.features)
        )


FERET = Awaited(
    "feret",
    "FERET (70 people)",
    "NIST (the Color FERET database, by application)",
    (420,),
    70,
    (56 * 46, 80 * 80, 64 * 64, 32 * 32, 112 * 92),
)
PIE = Awaited("pie", "CMU PIE (five poses)", "Carnegie Mellon University", (680,), 68, (32 * 32, 64 * 64))
AR = Awaited(
    "ar", "AR faces", "Ohio State University (A. M. Martínez)", (1400,), 100, (192, 792, 3168, 19800)
)
FERET_PAIRS = Awaited(
    "feret_pairs",
    "FERET (200 people)",
    "NIST (the Color FERET database, by application)",
    (400,),
    200,
    (256, 1024, 3600),
)
YALE = Awaited("yale", "Yale faces", "Yale University (UCSD Computer Vision)", (165,), 15, (256, 1024, 4096))
YALE_B = Awaited(
    "yale_b", "Extended Yale B", "Yale University (UCSD Computer Vision)", (2114, 2414), 38, (1024, 4096)
)
CBCL = Awaited(
    "cbcl", "MIT CBCL faces", "MIT Center for Biological and Computational Learning", (2000, 6977), 2, (361,)
)
ITS = Awaited("its", "ITS pedestrians", "the authors of reference 9 of the paper", (2000,), 2, (512,))
USPS = Awaited("usps", "USPS digits", "S. Roweis's page; also OpenML", (2500, 9298, 11000), 10, (256,))
NUS_WIDE = Awaited("nus_wide", "NUS-WIDE-Object", "National University of Singapore", (3100,), 31)
COREL = Awaited("corel5k", "Corel5K", "P. Duygulu's page", (5000,), 50)
REUTERS = Awaited("reuters_multilingual", "Reuters multilingual", "UCI repository (M. Amini)", (1876,), 6)


def recognised(awaited: Iterable[Awaited], folder: str | Path | None = None) -> dict[str, Path]:
    """Return the files of the folder `PARTWISE_STUDY_DATA`, by the id of the data set each of them is.

    Names do not matter. A file that cannot be read is left alone; of two that fit the first by name is taken.
    """
    place = Path(folder or os.environ.get(FOLDER, "") or os.devnull)
    files = sorted(path for path in place.iterdir() if path.is_file()) if place.is_dir() else []
    wanted = tuple(awaited)
    recognised_files: dict[str, Path] = {}
    for path in files[:_MOST_FILES]:
        try:
            ds = datasets.read(path)
        except (ValueError, OSError):
            continue
        for one in wanted:
            if one.fits(ds):
                recognised_files.setdefault(one.id, path)
    return recognised_files
