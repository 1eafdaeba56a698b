"""Answers for the occlusion and noise pages about one face: what methods rebuild and whom they recognise."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from math import isfinite
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from experiments.engine.handle import Handle
from experiments.engine.record import ENDED_WELL
from experiments.fitted.recognisers import HOWS, How, Mask, Recogniser, rows_to_test, soon_at_hand
from experiments.inspection.decomposition import Summands
from experiments.measures.recognition import Metric
from experiments.requests.corruption import (
    KINDS,
    Kind,
    Patch,
    is_noise,
    largest_amount,
    left_uncovered,
    patch,
    settings,
    spoil,
)
from experiments.requests.library import load_dataset, rows_of
from experiments.requests.noise import NOISES
from ui.blocks import packed
from ui.pictures import samples_sheet
from ui.robustness import MOST_METHODS
from ui.service import service
from ui.strip import decomposed

log = logging.getLogger(__name__)
# Sent instead of the number of a face: the picture that came through the same socket.
OWN = -1
_LONGEST_QUESTION = 400
_LARGEST_SIDE = 512
_MOST_TERMS = 6
# The noise is the same wherever the patch is dragged and however often one asks.
_SEED = 0


@dataclass(frozen=True)
class FaceQuery:
    """What is done to which face; `number` tells the answer apart from older ones.

    `amount` is the side of the patch in pixels, or the noise in percent; `apart` is the run that takes the
    face apart into its parts.
    """

    number: int
    face: int
    kind: Kind
    amount: int
    left: int
    top: int
    metric: Metric
    how: How
    clean: bool
    apart: str = ""


class Panel:
    """Several runs on the same data and split that answer about one spoiled face at a time.

    An uploaded picture is stored in the panel only, and the panel exists as long as its socket.
    """

    def __init__(self, handles: Sequence[Handle]) -> None:
        if not 1 <= len(handles) <= MOST_METHODS:
            raise ValueError(f"Ask one to {MOST_METHODS} runs at a time, not {len(handles)}.")
        request = handles[0].request
        self.data = load_dataset(request.dataset, **request.dataset_options)
        if self.data.image_shape is None or self.data.y is None:
            raise ValueError(f"{self.data.title} does not hold images of known classes.")
        if len({self._ground(handle) for handle in handles}) > 1:
            raise ValueError("Only runs on the same data and split can be compared.")
        self.rows = rows_to_test(self.data, rows_of(self.data, request))
        self.own: NDArray[np.float32] | None = None
        self._handles = handles
        self._recognisers: dict[str, Recogniser] = {}

    def understood(self, text: str) -> FaceQuery:
        """Return the question a message asks; a ValueError says what is wrong with it."""
        if len(text) > _LONGEST_QUESTION:
            raise ValueError("The message is too long.")
        try:
            query = FaceQuery(**json.loads(text))
        except TypeError as error:
            raise ValueError(f"The message is not a question: {error}.") from None
        numbers = (query.number, query.face, query.amount, query.left, query.top)
        if not all(type(number) is int for number in numbers) or min(numbers[0], *numbers[2:]) < 0:
            raise ValueError("Numbers must be whole and zero or more.")
        check_setting(query.kind, query.metric, query.how)
        if query.face >= self.rows.size or query.face < (0 if self.own is None else OWN):
            raise ValueError("There is no such face.")
        assert self.data.image_shape is not None
        height, width = self.data.image_shape
        across = 0 if is_noise(query.kind) else query.amount
        inside = query.left + across <= width and query.top + across <= height
        if query.amount > largest_amount(query.kind, self.data.image_shape) or not inside:
            raise ValueError("There is no such amount, or the patch lies outside of the face.")
        return query

    def take_own(self, pixels: bytes) -> None:
        """Take a picture of somebody's own: grey values row by row, a byte a pixel."""
        assert self.data.image_shape is not None
        if len(pixels) != self.data.n_features:
            raise ValueError("The picture does not have the shape of the data.")
        self.own = (np.frombuffer(pixels, np.uint8)[None] / 255).astype(np.float32)

    def answer(self, query: FaceQuery) -> bytes:
        """Return header and pictures: for each fitted method its reconstruction and the nearest person."""
        assert self.data.y is not None
        assert self.data.image_shape is not None
        shape = self.data.image_shape
        face, row, truth = self._face(query.face)
        done: Any = settings(query.kind, query.amount)
        if not is_noise(query.kind):
            done["position"] = (query.top, query.left)
        spoiled = spoil(face, shape, seed=_SEED, **done)
        left = left_uncovered(1, shape, seed=_SEED, **done) if query.how == "masked" else None
        tiles: list[NDArray[Any]] = []
        header: dict[str, Any] = {
            "number": query.number, "face": query.face, "row": row,
            "name": "" if truth is None else self.data.target_names[truth],
            "entries": self._entries(query, (spoiled, left), truth, tiles),
        }  # fmt: skip
        header["strip"], blocks = self._apart(query, spoiled, left)
        pictures = samples_sheet(np.stack(tiles), shape, "light", columns=2) if tiles else None
        # The browser lays a patch over the clean face by itself; noise it cannot make.
        displayed = spoiled if is_noise(query.kind) else face if query.clean else None
        sample = None if displayed is None else samples_sheet(displayed, shape, "light")
        return packed(header, blocks, {"parts": pictures, "sample": sample})

    def _apart(
        self, query: FaceQuery, spoiled: Any, left: Mask | None
    ) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """Return the strip of the run that was asked for; None as long as it has none."""
        who = self._recognisers.get(query.apart)
        sum_of = None if who is None else who.summands(spoiled, query.how, left)
        if sum_of is None:
            return None, {"values": np.empty(0, "u1")}
        weights, parts, mean = sum_of
        face = Summands(spoiled[0], weights[0], parts, mean, self.data.image_shape)
        return decomposed(face, _MOST_TERMS)

    def _face(self, number: int) -> tuple[Any, int, int | None]:
        """Return the pixels of a face, its row in the data (-1: none), and its class code (None: unknown)."""
        if number == OWN:
            return self.own, OWN, None
        assert self.data.y is not None
        row = int(self.rows[number])
        return self.data.X[row : row + 1], row, int(self.data.y[row])

    def _entries(
        self,
        query: FaceQuery,
        face: tuple[Any, Mask | None],
        truth: int | None,
        tiles: list[NDArray[Any]],
    ) -> list[dict[str, Any]]:
        """Return the JSON entry of each method; its two pictures are added to `tiles`.

        `face` holds the spoiled pixels, and which of them are known to be as they were.
        """
        entries: list[dict[str, Any]] = []
        for handle in self._handles:
            entry = {"id": handle.id} | _progress(handle)
            if entry["state"] == "ready":
                try:
                    who = self._recognisers.get(handle.id) or soon_at_hand(handle, service().jobs)
                    if who is None:
                        entry["state"] = "fitting"
                    else:
                        self._recognisers[handle.id] = who
                        entry |= self._verdict(who, query, face, truth, tiles)
                except Exception as error:
                    # One method that cannot answer must not silence the others.
                    log.exception("No answer from %s", handle.request.method)
                    entry |= {"state": "failed", "message": f"This method has no answer: {error}"}
            entries.append(entry)
        return entries

    def _verdict(
        self,
        who: Recogniser,
        query: FaceQuery,
        face: tuple[Any, Mask | None],
        truth: int | None,
        tiles: list[NDArray[Any]],
    ) -> dict[str, Any]:
        spoiled, left = face
        rebuilt = who.rebuilt(spoiled, query.how, left)
        entry: dict[str, Any] = {"tile": len(tiles), "rebuilt": rebuilt is not None}
        blank: Any = spoiled[0] * 0
        tiles.append(blank if rebuilt is None else rebuilt[0])
        if truth is None:
            # Whose face this is, no method can know: naming somebody would only look like an answer.
            tiles.append(blank)
            return entry
        nearest = who.recognise(spoiled, query.metric, query.how, left)
        tiles.append(self.data.X[nearest.row[0]])
        return entry | {
            "row": int(nearest.row[0]), "name": who.names[nearest.code[0]],
            "right": bool(nearest.code[0] == truth),
            "margin": _share(float(nearest.margin[0]), float(nearest.distance[0])),
        }  # fmt: skip

    def _ground(self, handle: Handle) -> str:
        """Return what runs must share to be compared on the same faces."""
        plain = json.loads(handle.request.canonical())
        split = rows_of(self.data, handle.request)
        rows = [split.labelled.tolist(), rows_to_test(self.data, split).tolist()]
        return json.dumps([*(plain[name] for name in ("dataset", "dataset_options", "view", "seed")), rows])


def check_setting(kind: str, metric: str, how: str) -> None:
    """Raise a ValueError unless corruption, distance and kind of coefficients exist."""
    if kind not in KINDS + NOISES or metric not in get_args(Metric) or how not in HOWS:
        raise ValueError("There is no such patch or noise, distance or kind of coefficients.")
    if how == "masked" and kind in NOISES:
        raise ValueError("Noise lies all over a picture: there is no patch to know.")


def _progress(handle: Handle) -> dict[str, Any]:
    handle.touch()
    if not handle.ended:
        made = max(0, handle.reader.version[0] - 1) if handle.reader else 0
        return {"state": "fitting", "iteration": made}
    if handle.status in ENDED_WELL:
        return {"state": "ready"}
    return {"state": "failed", "message": handle.message or f"This run has {handle.status}."}


def _share(margin: float, distance: float) -> float | None:
    """Return how much farther the next person is, in shares of the distance to the nearest."""
    return margin / distance if isfinite(margin) and distance > 0 else None


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
