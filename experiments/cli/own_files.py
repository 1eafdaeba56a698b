"""Files of one's own on the command line: a path where the id of a data set could be."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import datasets
from datasets.text import TEXT_OPTIONS

Reader = Callable[[str, str, str], Any]
# How the corrections of `datasets.understand` are written; the rest are words as they are.
_KINDS = {
    **dict.fromkeys(("flip", "transpose", "triplets"), "bool"),
    **dict.fromkeys(("size", "samples"), "int"),
    **{option.name: option.kind for option in TEXT_OPTIONS},
}
_NONE = ("none", "false", "no")


def is_file(text: str) -> bool:
    """Say whether this is meant as a path rather than as the id of a data set."""
    path = Path(text)
    return text not in datasets.names() and (path.is_file() or bool(path.suffix) or os.sep in text)


def take_in(text: str, corrections: Mapping[str, str], read: Reader) -> tuple[str, str]:
    """Read a file with these corrections; return its id as a data set, and what was understood.

    `read` makes a value of a name, a kind and a text. An UploadError says what is wrong.
    """
    values = {name: _value(name, written, read) for name, written in corrections.items()}
    understood = datasets.understand(text, **values)
    # The id follows from the content: the same file gives the same request.
    return datasets.keep(understood.dataset, understood.dataset.id), understood.summary


def _value(name: str, text: str, read: Reader) -> Any:
    if name in ("label", "image_shape") and text.lower() in _NONE:
        return False
    if name == "image_shape":
        return tuple(read(name, "shape", text))
    if name == "views":
        return text.split(",")
    return read(name, _KINDS[name], text) if name in _KINDS else text
