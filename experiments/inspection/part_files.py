"""Parts as files for other programs: a table with the names of the features, or arrays as they are."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

import numpy as np

from experiments.engine.record import versions
from experiments.inspection.parts import Parts
from experiments.table_files import as_csv


def to_csv(parts: Parts, names: Sequence[str]) -> str:
    """Return the parts as a table: a row a part, a column a feature, the features' names on top.

    Numbers have as many digits as it takes to read the same ones back, at the precision they have.
    """
    # str, not repr: NumPy's shortest digits that give back this very number in this precision.
    rows = ([number, *map(str, row)] for number, row in enumerate(parts.components, 1))
    return as_csv(["part", *_distinct(names)], rows)


def to_npz(parts: Parts, names: Sequence[str]) -> bytes:
    """Return parts, coefficients, mean and all names as arrays of NumPy, without pickles."""
    ds, rows = parts.ds, parts.rows
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        components=parts.components,
        embedding=parts.embedding,
        mean=np.asarray(parts.mean),
        feature_names=np.array(list(names)),
        image_shape=np.array(parts.image_shape or (), dtype=np.int64),
        rows=rows.train,
        y=np.full(rows.train.size, -1) if ds.y is None else ds.y[rows.train],
        y_given=rows.y_partial[rows.train],
        class_names=np.array(ds.target_names, dtype=str),
        discriminative=np.array(parts.discriminative),
        view=np.array(parts.view),
        request=np.array(parts.request.canonical()),
        versions=np.array(json.dumps(versions())),
    )
    return buffer.getvalue()


def _distinct(names: Sequence[str]) -> list[str]:
    """Return the names with a number after repeated ones, so that columns have distinct names.

    >>> _distinct(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    counts: dict[str, int] = {}
    distinct = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        distinct.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return distinct
