"""The data sets of Partwise: a catalogue of small modules, one a data set."""

from datasets.catalogue import card, cards, load, names
from datasets.dataset import Dataset, DataUnavailableError
from datasets.schema import Card, Option

__all__ = ["Card", "DataUnavailableError", "Dataset", "Option", "card", "cards", "load", "names"]
