"""A data set as files in a folder: numbers as .npy, words as UTF-8 in .npy, the rest as JSON; no pickles.

Large arrays are mapped from their files. Words have files of their own because a JSON text is decoded in
one piece, while everything else in the process waits.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.dataset import Dataset, FloatArray, Matrix
from datasets.schema import Card, Option

CARD_FILE = "card.json"
_CONTENT, _LABELS, _GIVEN, _WORDS, _ENDS = "content.json", "y.npy", "given.npy", "words.npy", "ends.npy"
_SPARSE = ("data", "indices", "indptr")
# A smaller file is read at once: that takes less than keeping a map of it.
MAPPED_FROM = 1_000_000
# Words may be cut in the middle of what Python calls a surrogate.
_CODING = ("utf-8", "surrogatepass")
_Section = tuple[str, str, tuple[str, ...]]


def write(dataset: Dataset, folder: Path) -> None:
    """Write a data set with a card into a folder that is there."""
    assert dataset.card is not None
    sections = _sections(dataset)
    content = {
        "id": dataset.id,
        "title": dataset.title,
        "options": dict(dataset.options),
        "reading": dict(dataset.reading),
        "files": dataset.files,
        "image_shape": dataset.image_shape,
        "views": [
            (name, *_written(folder, number, view))
            for number, (name, view) in enumerate(dataset.views.items())
        ],
        "words": [(what, view, len(words)) for what, view, words in sections],
    }
    _write_words(folder, [word for *_, words in sections for word in words])
    for name, codes in ((_LABELS, dataset.y), (_GIVEN, dataset.given)):
        if codes is not None:
            np.save(folder / name, codes, allow_pickle=False)
    (folder / _CONTENT).write_text(json.dumps(content), encoding="utf-8")
    (folder / CARD_FILE).write_text(json.dumps(asdict(dataset.card)), encoding="utf-8")


def read(folder: Path) -> Dataset:
    """Return the data set of a folder; a FileNotFoundError if there is none."""
    content: dict[str, Any] = json.loads((folder / _CONTENT).read_text(encoding="utf-8"))
    listed = content.pop("views")
    views = {name: _read(folder, number, *kind) for number, (name, *kind) in enumerate(listed)}
    words = _read_words(folder, content.pop("words"))
    shape = content.pop("image_shape")
    return Dataset(
        views=views,
        y=_codes(folder / _LABELS),
        given=_codes(folder / _GIVEN),
        image_shape=None if shape is None else tuple(shape),
        card=read_card(folder),
        target_names=words["target_names"].get("", ()),
        sample_names=words["sample_names"].get(""),
        view_features=words["view_features"],
        texts=words["texts"],
        **content,
    )


def _codes(path: Path) -> npt.NDArray[Any] | None:
    return np.load(path, allow_pickle=False) if path.exists() else None


def read_card(folder: Path) -> Card:
    """Return the card of the data set of a folder; a FileNotFoundError if there is none."""
    content = json.loads((folder / CARD_FILE).read_text(encoding="utf-8"))
    languages = tuple((view, language) for view, language in content["languages"])
    return Card(**content | {"options": tuple(map(_option, content["options"])), "languages": languages})


def _option(content: dict[str, Any]) -> Option:
    listed = {name: tuple(content[name]) for name in ("choices", "choice_labels")}
    return Option(**content | listed)


def renamed(dataset: Dataset, id: str) -> Dataset:
    """Return a data set under another id, which its card has too."""
    assert dataset.card is not None
    return replace(dataset, id=id, card=replace(dataset.card, id=id))


def _sections(dataset: Dataset) -> list[_Section]:
    sections: list[_Section] = [("target_names", "", dataset.target_names)]
    if dataset.sample_names is not None:
        sections.append(("sample_names", "", dataset.sample_names))
    for what, of_views in (("view_features", dataset.view_features), ("texts", dataset.texts)):
        sections += [(what, view, tuple(words)) for view, words in of_views.items()]
    return sections


def _write_words(folder: Path, words: Sequence[str]) -> None:
    encoded = [word.encode(*_CODING) for word in words]
    ends = np.cumsum([len(word) for word in encoded], dtype=np.int64)
    np.save(folder / _WORDS, np.frombuffer(b"".join(encoded), dtype=np.uint8), allow_pickle=False)
    np.save(folder / _ENDS, ends, allow_pickle=False)


def _read_words(folder: Path, listed: Sequence[Sequence[Any]]) -> Mapping[str, dict[str, tuple[str, ...]]]:
    letters = memoryview(np.load(folder / _WORDS, allow_pickle=False))
    ends = np.load(folder / _ENDS, allow_pickle=False).tolist()
    starts, start = [0, *ends], 0
    words: dict[str, dict[str, tuple[str, ...]]] = {
        what: {} for what in ("target_names", "sample_names", "view_features", "texts")
    }
    for what, view, count in listed:
        places = range(start, start + count)
        words[what][view] = tuple(str(letters[starts[place] : ends[place]], *_CODING) for place in places)
        start += count
    return words


def _written(folder: Path, number: int, view: Matrix) -> tuple[str, tuple[int, int]]:
    if isinstance(view, np.ndarray):
        np.save(folder / f"{number}.npy", view, allow_pickle=False)
        return "dense", view.shape
    for part in _SPARSE:
        np.save(folder / f"{number}.{part}.npy", getattr(view, part), allow_pickle=False)
    return "sparse", view.shape


def _read(folder: Path, number: int, kind: str, shape: Sequence[int]) -> Matrix:
    if kind == "dense":
        return mapped(folder / f"{number}.npy")
    data, indices, indptr = (mapped(folder / f"{number}.{part}.npy") for part in _SPARSE)
    return sparse.csr_array((data, indices, indptr), shape=(shape[0], shape[1]), copy=False)


def mapped(path: Path) -> FloatArray:
    """Return the array of a .npy file, mapped if it is large (and a mapped file may be removed)."""
    large = path.stat().st_size > MAPPED_FROM and os.name == "posix"
    array: npt.NDArray[Any] = np.load(path, mmap_mode="r" if large else None, allow_pickle=False)
    return np.asarray(array)
