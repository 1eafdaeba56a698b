"""How the samples spread over the classes, and how many of each are labelled."""

from __future__ import annotations

import numpy as np
import streamlit as st

from experiments import Split
from experiments.requests.library import Dataset
from ui import charts, words


def show(ds: Dataset, rows: Split) -> None:
    """Show the classes as bars: labelled, unlabelled, and what has no class in a sentence."""
    assert ds.y is not None
    counts = {
        kind: np.bincount(ds.y[index][ds.y[index] >= 0], minlength=ds.n_classes)
        for kind, index in (("labelled", rows.labelled), ("unlabelled", rows.unlabelled))
    }
    axis = words.class_unit(ds)
    charts.class_counts("classes", _short(ds.target_names), counts, axis, words.samples(ds))
    sizes = np.bincount(ds.y[ds.y >= 0], minlength=ds.n_classes)
    unit, many = words.class_unit(ds), words.samples(ds)
    most, fewest = int(sizes.max()), int(sizes.min())
    if most == fewest:
        sentences = [f"Every {unit} has {words.number(most)} {many}."]
    else:
        sentences = [
            f"The largest {unit} has {words.number(most)} {many}, the smallest {words.number(fewest)}."
        ]
    if unknown := int(np.sum(ds.y < 0)):
        sentences.append(f"{words.counted(unknown, *words.sample_words(ds))} have no class at all.")
    st.caption(" ".join(sentences))


def _short(names: tuple[str, ...]) -> list[str]:
    """Return the last words of names that end in numbers ("person 7"), as long as they stay different."""
    short = [name.split()[-1] if name[-1:].isdigit() else name for name in names]
    return short if len(set(short)) == len(names) else list(names)
