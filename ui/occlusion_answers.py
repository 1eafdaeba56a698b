"""What the occlusion page is told while a patch is dragged: pictures and verdicts of fitted methods."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import isfinite
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from experiments.corruption import KINDS, Patch, occlude, patch
from experiments.library import load_dataset, rows_of
from experiments.recognisers import Recogniser, at_hand, recogniser
from experiments.recognition import Metric
from experiments.robustness import Curves
from experiments.service import Handle
from ui.frames import packed
from ui.pictures import samples_sheet

log = logging.getLogger(__name__)
MOST_METHODS = 6
_LONGEST_QUESTION = 400
_LARGEST_SIDE = 512
# The noise of the patch is the same wherever it is dragged.
_SEED = 0


@dataclass(frozen=True)
class Question:
    """Where the patch lies on which of the faces; `number` tells the answer apart from older ones."""

    number: int
    face: int
    left: int
    top: int
    size: int
    kind: Patch
    metric: Metric
    clean: bool


class Panel:
    """Several runs on the same data and split, asked about one covered face at a time."""

    def __init__(self, handles: Sequence[Handle]) -> None:
        if not 1 <= len(handles) <= MOST_METHODS:
            raise ValueError(f"Ask one to {MOST_METHODS} runs at a time, not {len(handles)}.")
        if len({_ground(handle) for handle in handles}) > 1:
            raise ValueError("Only runs on the same data and split can be compared.")
        request = handles[0].request
        self.data = load_dataset(request.dataset, **request.dataset_options)
        if self.data.image_shape is None or self.data.y is None:
            raise ValueError(f"{self.data.title} does not hold images of known classes.")
        split = rows_of(self.data, request)
        self.rows = split.held_out if split.held_out.size else split.unlabelled
        self._handles = handles
        self._found: dict[str, Recogniser] = {}

    def understood(self, text: str) -> Question:
        """Return the question a message asks; a ValueError says what is wrong with it."""
        if len(text) > _LONGEST_QUESTION:
            raise ValueError("The message is too long.")
        try:
            asked = Question(**json.loads(text))
        except TypeError as error:
            raise ValueError(f"The message is not a question: {error}.") from None
        numbers = (asked.number, asked.face, asked.left, asked.top, asked.size)
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError("Numbers must be whole and zero or more.")
        assert self.data.image_shape is not None
        height, width = self.data.image_shape
        inside = asked.left + asked.size <= width and asked.top + asked.size <= height
        if asked.face >= self.rows.size or not inside:
            raise ValueError("There is no such face, or the patch lies outside of it.")
        if asked.kind not in KINDS or asked.metric not in get_args(Metric):
            raise ValueError("There is no such patch or distance.")
        return asked

    def answer(self, asked: Question) -> bytes:
        """Return header and pictures: for each method that is ready what it rebuilds and who is nearest."""
        assert self.data.y is not None
        assert self.data.image_shape is not None
        shape, row = self.data.image_shape, int(self.rows[asked.face])
        truth = int(self.data.y[row])
        face: Any = self.data.X[row : row + 1]
        covered = occlude(face, shape, asked.size, asked.kind, _SEED, position=(asked.top, asked.left))
        tiles: list[NDArray[Any]] = []
        header = {
            "number": asked.number, "face": asked.face, "row": row, "name": self.data.target_names[truth],
            "entries": self._entries(covered, asked.metric, truth, tiles),
        }  # fmt: skip
        pictures = samples_sheet(np.stack(tiles), shape, "light", columns=2) if tiles else None
        clean = samples_sheet(face, shape, "light") if asked.clean else None
        return packed(header, np.empty((0, 3), "<f4"), pictures, clean, budget=None)

    def _entries(
        self, covered: Any, metric: Metric, truth: int, tiles: list[NDArray[Any]]
    ) -> list[dict[str, Any]]:
        """Return what each method says, its two pictures added to `tiles`."""
        entries: list[dict[str, Any]] = []
        # Making a recogniser takes a moment: at most one an answer, so that the others need not wait.
        may_make = True
        for handle in self._handles:
            entry = {"id": handle.id} | _progress(handle)
            if entry["state"] == "ready":
                who = self._found.get(handle.id) or at_hand(handle)
                try:
                    if who is None and may_make:
                        who, may_make = recogniser(handle), False
                    if who is None:
                        entry["state"] = "fitting"
                    else:
                        self._found[handle.id] = who
                        entry |= self._verdict(who, covered, metric, truth, tiles)
                except Exception as error:
                    # One method that cannot answer must not silence the others.
                    log.exception("No answer from %s", handle.request.method)
                    entry |= {"state": "failed", "message": f"This method has no answer: {error}"}
            entries.append(entry)
        return entries

    def _verdict(
        self, who: Recogniser, covered: Any, metric: Metric, truth: int, tiles: list[NDArray[Any]]
    ) -> dict[str, Any]:
        found, rebuilt = who.recognise(covered, metric), who.rebuilt(covered)
        nearest: Any = self.data.X[found.row[0]]
        entry = {
            "tile": len(tiles), "rebuilt": rebuilt is not None, "row": int(found.row[0]),
            "name": self.data.target_names[found.code[0]], "right": bool(found.code[0] == truth),
            "margin": _share(float(found.margin[0]), float(found.distance[0])),
        }  # fmt: skip
        tiles += [nearest * 0 if rebuilt is None else rebuilt[0], nearest]
        return entry


def _ground(handle: Handle) -> str:
    """Return what runs must share to be compared on the same faces."""
    plain = json.loads(handle.request.canonical())
    return json.dumps([plain[name] for name in ("dataset", "dataset_options", "view", "split", "seed")])


def _progress(handle: Handle) -> dict[str, Any]:
    handle.look()
    if not handle.ended:
        made = max(0, handle.reader.version[0] - 1) if handle.reader else 0
        return {"state": "fitting", "iteration": made}
    if handle.status in ("done", "max_iter"):
        return {"state": "ready"}
    return {"state": "failed", "message": handle.message or f"This run has {handle.status}."}


def _share(margin: float, distance: float) -> float | None:
    """Return how much farther the next person is, in shares of the distance to the nearest."""
    return margin / distance if isfinite(margin) and distance > 0 else None


@lru_cache(maxsize=1)
def curves() -> Curves:
    """Return the curves of accuracy against patch size of this server process."""
    return Curves()


def accuracy(handles: Sequence[Handle], kind: Patch, metric: Metric) -> dict[str, Any]:
    """Return what is known so far of each method's accuracy behind patches of each size."""
    if kind not in KINDS or metric not in get_args(Metric):
        raise ValueError("There is no such patch or distance.")
    found: list[dict[str, Any]] = []
    for handle in handles:
        who = at_hand(handle)
        if who is None:
            # The panel makes it as soon as the run has ended; a run that failed never has a curve.
            waiting = not handle.ended or handle.status in ("done", "max_iter")
            found.append({"id": handle.id, "points": [], "complete": not waiting})
            continue
        curve = curves().curve(who, kind, metric)
        found.append({"id": handle.id, "points": curve.mean_and_spread(), "complete": curve.complete})
    return {"curves": found, "complete": all(entry["complete"] for entry in found)}


def patch_picture(kind: Patch, height: int, width: int) -> bytes:
    """Return the patch at its largest as a picture whose transparency is what it does not hide."""
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if not (1 <= height <= _LARGEST_SIDE and 1 <= width <= _LARGEST_SIDE):
        raise ValueError(f"height and width must be from 1 to {_LARGEST_SIDE}")
    layers = np.stack(patch(kind, (height, width), _SEED), axis=-1)
    buffer = BytesIO()
    Image.fromarray((layers * 255 + 0.5).astype(np.uint8), "LA").save(buffer, "PNG")
    return buffer.getvalue()
