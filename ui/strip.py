"""One sample as weight × part + … + rest for the browser (`static/strip.js`), which adds up by itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.inspection.decomposition import Summands, Term, summands, why_no_sum
from ui.blocks import packed
from ui.web.checked_request import RefusedError
from ui.web.questions import version_text

MOST_TERMS = 24
# Larger pictures are sent smaller: in the strip they are small.
_LARGEST_SIDE = 64
_MOST_FEATURES, _MOST_WORDS, _LONGEST = 8, 3, 40
Block = tuple[dict[str, Any], dict[str, NDArray[Any]]]


def strip_of_run(
    handle: Handle, place: int, view: str | None, most: int, off: Collection[int], iteration: int | None
) -> bytes:
    """Return a training sample taken apart, at present or at an iteration that was kept.

    Where parts do not add up the header says why (`obstacle`).
    """
    header: dict[str, Any] = {"seen": version_text(handle), "ended": handle.ended}
    reason = why_no_sum(handle) if handle.reader else ""
    displayed_iteration, arrays = _at(handle, iteration)
    sum_of = None if reason else summands(handle, arrays, place, view)
    header |= {
        "shown": displayed_iteration,
        "limit": handle.request.params.get("max_iter"),
        "obstacle": reason,
    }
    if sum_of is None:
        return packed(header | {"terms": []}, {})
    about, blocks = decomposed(sum_of, min(most, MOST_TERMS), off)
    return packed(header | about, blocks)


def _at(handle: Handle, iteration: int | None) -> tuple[int, dict[str, NDArray[Any]]]:
    if iteration is None:
        return handle.reader.latest() if handle.reader else (-1, {})
    try:
        return iteration, handle.snapshot(iteration)
    except KeyError:
        raise RefusedError("This iteration was not kept.", 404) from None


def decomposed(sum_of: Summands, most: int, off: Collection[int] = ()) -> Block:
    """Return the header and the arrays of a strip: an entry a term, the values of all."""
    terms = sum_of.terms(most, off)
    original, values = sum_of.original, np.array([term.values for term in terms])
    header: dict[str, Any] = {"parts": len(sum_of.parts), "shape": None, "names": []}
    if sum_of.shape is not None:
        shape = sum_of.shape
        (original,), values = _smaller(original[None], shape), _smaller(values, shape)
        header["shape"] = list(original.shape)
    else:
        strongest = np.argsort(-np.abs(np.stack([original, sum_of.whole])).max(axis=0), kind="stable")
        strongest = strongest[:_MOST_FEATURES]
        header["names"] = [_name(sum_of.names, int(index)) for index in strongest]
        original, values = original[strongest], values[:, strongest]
    size = float(np.abs(original).max()) or 1.0
    header["original"] = {"weight": size, "signed": bool((original < 0).any())}
    header["terms"] = [
        {
            "kind": term.kind, "number": term.number, "weight": term.weight, "count": term.count,
            "signed": bool((entry < 0).any()), "words": _words(term, sum_of),
        }
        for term, entry in zip(terms, values, strict=True)
    ]  # fmt: skip
    blocks = {"values": np.concatenate([_bytes(entry) for entry in [original / size, *values]])}
    return header, blocks


def _bytes(values: NDArray[Any]) -> NDArray[np.uint8]:
    """Return numbers of at most ±1 as bytes: from 0 on, or around 128 if there are negative ones."""
    bounded = np.clip(np.nan_to_num(values.ravel()), -1, 1)
    scaled = 128 + 127 * bounded if (values < 0).any() else 255 * bounded
    return np.asarray(np.rint(scaled), dtype=np.uint8)


def _smaller(pictures: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """Return pictures whose sides are no longer than what the browser shows, by means of squares."""
    step = -(-max(shape) // _LARGEST_SIDE)
    height, width = shape[0] // step, shape[1] // step
    tiles = pictures.reshape(len(pictures), *shape)[:, : height * step, : width * step]
    return np.asarray(tiles.reshape(len(pictures), height, step, width, step).mean(axis=(2, 4)))


def _words(term: Term, sum_of: Summands) -> list[str]:
    if sum_of.shape is not None or term.kind != "part":
        return []
    heaviest = np.argsort(-np.abs(sum_of.parts[term.number]), kind="stable")[:_MOST_WORDS]
    return [_name(sum_of.names, int(index)) for index in heaviest]


def _name(names: Sequence[str] | None, index: int) -> str:
    return f"feature {index + 1}" if names is None else str(names[index])[:_LONGEST]
