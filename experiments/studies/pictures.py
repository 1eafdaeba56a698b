"""What a figure of a paper shows beside its numbers: parts, or samples as they were spoiled.

They are made by the command line and shipped with the numbers, so that the server fits and spoils nothing.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import datasets
from experiments.requests.corruption import is_noise, settings, spoil
from experiments.studies.study import Candidate, Study
from experiments.trials import evaluate
from experiments.trials.keepsake import Keepsake, from_text

MOST_PARTS = 20
_SCALE = 127


@dataclass(frozen=True)
class Picture:
    """Tiles of one height and width, −127 to 127, packed as text; `key` is that of the trial they show.

    `labels` say what each tile is; parts have none.
    """

    title: str
    shape: tuple[int, int]
    labels: tuple[str, ...]
    packed: str
    key: str = ""

    @property
    def tiles(self) -> NDArray[np.int8]:
        """Return the tiles, one a row."""
        unpacked = np.frombuffer(zlib.decompress(base64.b64decode(self.packed)), dtype=np.int8)
        return unpacked.reshape(-1, self.shape[0] * self.shape[1])

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Picture:
        """Return the picture whose fields JSON has kept."""
        return cls(**{**plain, "shape": tuple(plain["shape"]), "labels": tuple(plain["labels"])})


def pictures_of(study: Study, before: tuple[Picture, ...] = ()) -> tuple[Picture, ...]:
    """Return the pictures of a study; parts that are there `before` and of the same trials stay."""
    if study.draws == "parts":
        return _parts(study, {one.key: one for one in before})
    return _samples(study) if study.draws == "samples" else ()


def part_keys(study: Study) -> dict[str, str]:
    """Return the keys of the trials whose parts are drawn, by row: of the first split of its first cell."""
    keys: dict[str, str] = {}
    for place, trials in study.plan.table(1).trials.items():
        keys.setdefault(place[0], trials[0].key)
    return keys


def _parts(study: Study, before: Mapping[str, Picture]) -> tuple[Picture, ...]:
    trials = {trial.key: trial for trial in study.plan.table(1).in_turn()}
    made = []
    for row, key in part_keys(study).items():
        if key in before:
            made.append(before[key])
            continue
        keepsake = Keepsake.unpacked(from_text(evaluate(replace(trials[key], pictured=True)).keepsake))
        assert keepsake is not None
        shape = (keepsake.shape[0], keepsake.shape[1])
        made.append(Picture(row, shape, (), _packed(keepsake.parts[:MOST_PARTS]), key))
    return tuple(made)


def _samples(study: Study) -> tuple[Picture, ...]:
    """Return the first sample of the first data set behind everything that the study spoils samples with."""
    candidates = [candidate for cell in study.plan.cells for candidate in cell.measured]
    request = candidates[0].request
    ds = datasets.load(request.dataset, **request.dataset_options)
    assert ds.image_shape is not None
    clean = np.asarray(ds.X[:1], dtype=np.float64)
    groups: dict[str, dict[str, NDArray[np.float64]]] = {}
    for how in filter(None, map(_spoilt, candidates)):
        tiles = groups.setdefault(how["kind"], {"as it is": clean})
        if how.get("size") or how.get("level"):
            tiles.setdefault(_amount(how), spoil(clean, ds.image_shape, **how))
    return tuple(
        Picture(kind, ds.image_shape, tuple(tiles), _packed(_SCALE * np.concatenate([*tiles.values()])))
        for kind, tiles in groups.items()
    )


def _spoilt(candidate: Candidate) -> Mapping[str, Any] | None:
    """Return the corruption that a candidate is measured behind; None if there is none."""
    if candidate.request.corruption:
        return candidate.request.corruption
    wanted = candidate.measure.settings
    return settings(wanted["kind"], wanted["amount"]) if "amount" in wanted else None


def _amount(how: Mapping[str, Any]) -> str:
    return f"{how['level']:.0%}" if is_noise(how["kind"]) else f"{how['size']} pixels"


def _packed(tiles: NDArray[Any]) -> str:
    plain = np.round(tiles).astype(np.int8).tobytes()
    return base64.b64encode(zlib.compress(plain, 9)).decode("ascii")
