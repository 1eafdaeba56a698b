"""The data sets of Partwise: a catalogue of small modules, one a data set."""

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
