"""Answers for the Bases page: parts in order, samples rebuilt, who uses a part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.service import Handle
from experiments.inspection.parts import Order, Parts, parts_of
from experiments.requests.library import Dataset, method_spec
from ui.blocks import packed
from ui.pictures import KEY, Theme, parts_sheet, samples_sheet, smaller
from ui.run_state import ENDED_BADLY
from ui.service import service
from ui.tips import class_in_words
from ui.word_sheet import MOST_PARTS, word_parts
from ui.words import PART_KINDS, class_name, sample

NO_PARTS = "{} finds no parts: it goes straight from samples to classes or groups."
_USERS = 6
_FEATURES = 8
_WORDS_OF_TEXT = 90
# A sheet beside others is never shown wider than this, even on a projector.
_WIDEST = 1400


@lru_cache(maxsize=16)
def _cached_parts(run: str, view: str | None) -> Parts | None:
    handle = service().get(run)
    return None if handle is None else parts_of(handle, view)


def displayed_parts(handle: Handle, view: str | None) -> Parts | None:
    """Return the parts of a finished run in a view (cached); None if it has none."""
    return _cached_parts(handle.id, view) if handle.ended else None


def sheet(handle: Handle, view: str | None, order: Order, theme: Theme) -> bytes:
    """Return all parts in an order, with a description of each, as one block."""
    parts = displayed_parts(handle, view)
    if handle.status in ENDED_BADLY or parts is None:
        wrong = handle.status in ENDED_BADLY
        reason = handle.message if wrong else NO_PARTS.format(method_spec(handle.request.method).title)
        return packed({"none": reason, "wrong": wrong}, {}, {"parts": None})
    numbers = parts.ordered(order)
    header: dict[str, Any] = {
        "label": f"{len(numbers)} parts found by {parts.spec.title}",
        "numbers": numbers.tolist(),
        "count": len(numbers),
        "tips": [tip(parts, int(number)) for number in numbers],
        "marks": [int(number < parts.discriminative) for number in numbers],
        "discriminative": parts.discriminative,
        "mean": f"mean sparsity {parts.sparsity.mean():.2f}",
        "facts": in_words(parts, handle),
        "rebuilds": not parts.obstacle,
        "obstacle": parts.obstacle,
    }
    picture = None
    if parts.image_shape:
        picture = smaller(
            parts_sheet(parts.components[numbers], parts.image_shape, theme, signed=parts.spec.signed),
            _WIDEST,
        )
    else:
        header["words"] = word_parts(parts.components[numbers], names_of(parts), _FEATURES)
        for name in ("numbers", "tips", "marks"):
            header[name] = header[name][:MOST_PARTS]
    return packed(header, {}, {"parts": picture})


def rebuilt(handle: Handle, view: str | None, place: int, off: Sequence[int]) -> bytes:
    """Return what all parts of a sample lack, and those left on; a ValueError says what is wrong."""
    parts = _some(handle, view)
    rebuild = parts.rebuilt(place, off)
    header: dict[str, Any] = {
        "name": sample_name(parts, place),
        "whole_error": rebuild.whole_error,
        "left_error": rebuild.left_error,
        "words": _errors_in_words(
            len(parts.components), len(set(off)), rebuild.whole_error, rebuild.left_error
        ),
    }
    triple = np.stack([rebuild.original, rebuild.whole, rebuild.left])
    if not parts.image_shape:
        header["lines"] = _lines(names_of(parts), triple)
    return packed(header, {})


def users(handle: Handle, view: str | None, part: int, theme: Theme) -> bytes:
    """Return the samples that use a part most; a ValueError says what is wrong."""
    parts = _some(handle, view)
    places = parts.users(part, _USERS)
    header = {
        "places": places.tolist(),
        "names": [sample_name(parts, int(place), text=True) for place in places],
        "classes": _classes_of(parts, places),
    }
    picture = None
    if parts.image_shape:
        samples = np.stack([parts.original(int(place)) for place in places])
        samples = samples / (samples.max(axis=1, keepdims=True) + 1e-12)
        picture = samples_sheet(samples, parts.image_shape, theme, columns=_USERS)
    return packed(header, {}, {"parts": picture})


def tip(parts: Parts, number: int) -> str:
    """Return the description of a part."""
    lines = [
        f"part {number + 1}",
        f"{parts.weight[number]:.1%} of the weight",
        f"sparsity {parts.sparsity[number]:.2f}",
    ]
    if parts.best_class is not None:
        lines.append(
            f"on average most for {class_name(parts.ds, parts.ds.target_names[parts.best_class[number]])}"
        )
    if number < parts.discriminative:
        lines.append(PART_KINDS[0])
    return " · ".join(lines)


def in_words(parts: Parts, handle: Handle) -> str:
    """Return a few facts about all parts together."""
    entries = "pixels" if parts.image_shape else "words" if parts.view in parts.ds.texts else "features"
    facts = [f"{parts.zeros.mean():.0%} of the {entries} are (almost) zero"]
    if parts.concentration is not None:
        facts.append(f"concentration {parts.concentration.mean():.2f}")
    accuracy = handle.scores.get("accuracy_euclidean")
    if accuracy is not None:
        facts.append(f"recognises {accuracy:.0%} of the unlabelled")
    if parts.discriminative:
        many = "one that tells" if parts.discriminative == 1 else f"{parts.discriminative} that tell"
        facts.append(f"framed: U¹, the {many} classes apart")
    return "; ".join(facts) + "." + (f" {KEY[parts.spec.signed]}" if parts.image_shape else "")


def names_of(parts: Parts) -> Sequence[str]:
    """Return what the features are called."""
    return parts.feature_names or [f"feature {index + 1}" for index in range(parts.components.shape[1])]


def sample_name(parts: Parts, place: int, *, text: bool = False) -> str:
    """Return what a training sample is called, with the beginning of its text if it has one and `text`."""
    ds, row = parts.ds, parts.row(place)
    name = ds.sample_names[row] if ds.sample_names else f"{sample(ds)} {row + 1}"
    if text and parts.view in ds.texts and not ds.sample_names:
        name = " ".join(ds.texts[parts.view][row].split())[:_WORDS_OF_TEXT] or name
    return f"{name} · {_class_of(ds, row)}"


def _classes_of(parts: Parts, places: Iterable[int]) -> str:
    """Return of which classes some samples are, the most frequent first; nothing without classes."""
    if parts.ds.y is None:
        return ""
    counts = Counter(_class_of(parts.ds, parts.row(int(place))) for place in places)
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in counts.most_common())


def _class_of(ds: Dataset, row: int) -> str:
    return class_in_words(ds, row) or "class unknown"


def _some(handle: Handle, view: str | None) -> Parts:
    parts = displayed_parts(handle, view)
    if parts is None:
        raise ValueError("This run has no parts to add up, or has not come to its end.")
    return parts


def _errors_in_words(count: int, off: int, whole: float, left: float) -> str:
    everything = f"All {count} parts together: {whole:.0%} missing."
    return everything if not off else f"{everything} The {count - off} left on: {left:.0%} missing."


def _lines(names: Sequence[str], triple: NDArray[Any]) -> list[list[Any]]:
    """Return the features that matter most to a sample, each as it is, from all parts, from those left."""
    size = np.abs(triple[:2]).max(axis=0)
    count = min(_FEATURES, size.size)
    chosen = np.argsort(-size, kind="stable")[:count]
    if size.size <= _FEATURES:
        chosen = np.sort(chosen)  # All of them: in the order people know.
    most = float(size[chosen].max()) or 1.0
    return [
        [
            names[int(index)],
            *({"text": f"{value:.2g}", "share": float(value / most)} for value in triple[:, index]),
        ]
        for index in chosen
    ]
