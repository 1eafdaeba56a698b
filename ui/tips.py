"""A sample in one line: its name, its class, whether it is labelled."""

from __future__ import annotations

from experiments import Split
from experiments.requests.library import Dataset
from experiments.requests.titles import sample_title
from ui.words import class_name


def class_of(ds: Dataset, row: int) -> str:
    """Return the name of a sample's true class, nothing if it is unknown."""
    return "" if ds.y is None or ds.y[row] < 0 else ds.target_names[ds.y[row]]


def class_in_words(ds: Dataset, row: int) -> str:
    """Return the same for a sentence: digit 1."""
    return class_name(ds, class_of(ds, row))


def tips(ds: Dataset, rows: Split) -> list[str]:
    """Return a line for every sample."""
    marks = ["labelled" if code >= 0 else "" for code in rows.y_partial]
    parts = ((class_in_words(ds, row), sample_title(ds, row), marks[row]) for row in range(ds.n_samples))
    return [" · ".join(filter(None, part)) for part in parts]
