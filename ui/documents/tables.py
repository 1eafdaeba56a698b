"""Topics and classes of documents as tables to take along."""

from __future__ import annotations

from experiments.engine.handle import Handle
from experiments.table_files import TableFile
from ui.documents.answers import overview


def topics(handle: Handle) -> TableFile:
    """Return the topics of a run: their words, how much of all there is of them, how many documents."""
    rows = []
    for number, topic in enumerate(overview(handle)["topics"], 1):
        words = " ".join(word for word, _ in topic["words"])
        rows.append([number, topic["title"], topic["share"], topic["main_of"], words])
    return TableFile("Topics", ["topic", "title", "share", "documents", "words"], rows)


def classes(handle: Handle) -> TableFile:
    """Return the classes of documents, and how much of each topic is in them."""
    profiles = overview(handle).get("classes", [])
    count = max((len(one["profile"]) for one in profiles), default=0)
    heads = ["class", "documents", "labelled", "taken for it", *(f"topic {k}" for k in range(1, count + 1))]
    rows = [[one["name"], one["documents"], one["told"], one["taken"], *one["profile"]] for one in profiles]
    return TableFile("Classes and topics", heads, rows)
