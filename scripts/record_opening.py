"""Writes ui/static/opening.bin, the run that the first page shows until a worker is there.

python -m scripts.record_opening

It is the run itself (`ui/live/opening_run.py`) at some of its iterations: every part, scaled to its own
largest entry, in grey; how strongly one figure uses each; how long it really took.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from time import perf_counter

import numpy as np
from PIL import Image
from threadpoolctl import threadpool_limits

from experiments.requests.prepare import prepare
from ui.blocks import packed
from ui.live.opening_run import PACE, REQUEST, SAMPLE

RECORDING = Path(__file__).resolve().parent.parent / "ui" / "static" / "opening.bin"
# Shades apart by less are not told apart in a picture of this size.
_SHADES = 32


def recording() -> bytes:
    """Return the recorded run as one block for the browser."""
    prepared = prepare(REQUEST)
    seconds = _seconds()
    weights, pictures, iterations = [], [], []
    for step in prepared.estimator.iterate(prepared.X):
        if not _is_recorded(step.iteration):
            continue
        parts, use = step.state["components"], step.state["embedding"][SAMPLE]
        largest = np.maximum(parts.max(axis=1), 1e-12)
        iterations.append(step.iteration)
        weights.append(use * largest)
        pictures.append(np.rint(parts / largest[:, None] * (_SHADES - 1)) * (255 / (_SHADES - 1)))
    shape = prepared.ds.image_shape
    assert shape is not None
    height, width = shape
    # A row a moment, in it the parts from left to right.
    tiles = np.array(pictures, dtype=np.uint8).reshape(len(pictures), -1, height, width)
    sheet = tiles.transpose(0, 2, 1, 3).reshape(len(pictures) * height, -1)
    buffer = BytesIO()
    Image.fromarray(sheet).save(buffer, "WEBP", lossless=True, quality=100, method=6)
    header = {
        "iterations": iterations,
        "shape": shape,
        "parts": len(weights[0]),
        "pace": PACE,
        "seconds": seconds,
    }
    original = np.rint(255 * np.asarray(prepared.X)[SAMPLE]).astype("u1")
    blocks = {
        "weights": np.array(weights, "<f4"),
        "original": original,
        "pictures": np.frombuffer(buffer.getvalue(), "u1"),
    }
    return packed(header, blocks)


def _is_recorded(iteration: int) -> bool:
    """Return whether an iteration is recorded: all at first, when much happens, then every other one."""
    return iteration < 24 or iteration % 2 == 0


def _seconds() -> float:
    """Return how long the run takes on one core, at its best of several."""
    took = []
    with threadpool_limits(1):
        for _ in range(9):
            prepared = prepare(REQUEST)
            begun = perf_counter()
            prepared.estimator.fit(prepared.X)
            took.append(perf_counter() - begun)
    return round(min(took), 3)


if __name__ == "__main__":
    RECORDING.write_bytes(recording())
