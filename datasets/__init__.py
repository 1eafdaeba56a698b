"""The data sets of Partwise: a catalogue of small modules, one a data set.

The names are loaded when first used: a thread that needs a part never waits for another that loads the whole,
which in turn would wait for that part.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datasets.catalogue import card, cards, erase, fetch, is_here, load, names
    from datasets.dataset import Dataset, DataUnavailableError
    from datasets.reading import Limits, Understood, UploadError, read, understand
    from datasets.schema import Card, Option, Wheel
    from datasets.uploads import keep

__all__ = [
    "Card",
    "DataUnavailableError",
    "Dataset",
    "Limits",
    "Option",
    "Understood",
    "UploadError",
    "Wheel",
    "card",
    "cards",
    "erase",
    "fetch",
    "is_here",
    "keep",
    "load",
    "names",
    "read",
    "understand",
]
_HOMES = {
    "card": "catalogue",
    "cards": "catalogue",
    "erase": "catalogue",
    "fetch": "catalogue",
    "is_here": "catalogue",
    "load": "catalogue",
    "names": "catalogue",
    "Dataset": "dataset",
    "DataUnavailableError": "dataset",
    "Limits": "reading",
    "Understood": "reading",
    "UploadError": "reading",
    "read": "reading",
    "understand": "reading",
    "Card": "schema",
    "Option": "schema",
    "Wheel": "schema",
    "keep": "uploads",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
