"""Documentation of functions and classes: several thousand English texts that are on every machine.

They are read from the source files of libraries this program needs anyway; nothing is imported.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from datasets.dataset import Dataset, DataUnavailableError
from datasets.docstring_source import PACKAGES, Entry, collected
from datasets.schema import Card, Option
from datasets.text import TEXT_OPTIONS, text_views

# A sub-package with fewer documents is no class of its own: its documents have no known class.
FEWEST = 25

CARD = Card(
    id="docstrings",
    title="Python documentation",
    summary=(
        "Descriptions of several thousand functions and classes of NumPy, SciPy and four more libraries, "
        "in three views: summary, body, parameters."
    ),
    kind="documents",
    source=f"The source files of the installed packages {', '.join(PACKAGES)}",
    licence="Those of the packages: BSD 3-Clause (NumPy, SciPy, scikit-learn, pandas), MIT, Apache 2.0",
    credit="The authors of NumPy, SciPy, scikit-learn, pandas, Plotly and Streamlit.",
    class_unit="package",
    options=(
        Option(
            "classes",
            "choice",
            "package",
            choices=("package", "sub-package"),
            label="A class is a",
            meaning="What counts as a class: the library a text is from, or the part of the library.",
        ),
        *TEXT_OPTIONS,
    ),
)


def load(*, classes: str, **options: int | float | bool | str) -> Dataset:
    """Load every text that has a summary, a body and a parameter section."""
    entries = _entries()
    y, names = _classes(entries, classes)
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        y=y,
        target_names=names,
        options={"classes": classes, **options},
        card=CARD,
        sample_names=tuple(f"{entry.module}: {entry.name}" for entry in entries),
        **text_views(
            {
                # The body comes first: it is the longest, and says most about the subject.
                "body": [entry.body for entry in entries],
                "summary": [entry.summary for entry in entries],
                "parameters": [entry.parameters for entry in entries],
            },
            options,
        ),
    )


@lru_cache(maxsize=1)
def _entries() -> tuple[Entry, ...]:
    entries = collected()
    if not entries:
        raise DataUnavailableError(
            "The installed packages hold no documentation to read (perhaps Python ran with -OO when they "
            "were built). Install them anew with: pip install --force-reinstall -r requirements.txt"
        )
    return entries


def _classes(entries: tuple[Entry, ...], classes: str) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    depth = 1 if classes == "package" else 2
    groups = [".".join(entry.module.split(".")[:depth]) for entry in entries]
    sizes = Counter(groups)
    names = tuple(sorted(name for name, size in sizes.items() if size >= FEWEST))
    code = {name: index for index, name in enumerate(names)}
    return np.array([code.get(group, -1) for group in groups], dtype=np.int64), names
