"""Answers for the documents page: topics, the map, lists of documents, one text, a search.

Answers are plain data for JSON. Texts, titles and words are those of strangers' documents: they are
sent as text and shown as text.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any

import numpy as np

from experiments.documents.corpus import Corpus, corpus, word_views
from experiments.documents.corpus_search import column_of, find_documents, find_words, neighbours_of
from experiments.documents.passages import marked
from experiments.documents.topics import class_profiles, title, top_words, word_topics
from experiments.engine.handle import Handle
from experiments.requests.intake import is_upload
from experiments.requests.library import is_here
from experiments.requests.titles import sample_title
from ui.run_state import ENDED_BADLY, state_of
from ui.web.checked_request import RefusedError
from ui.web.questions import version_text
from ui.word_sheet import MOST_PARTS, word_parts

_A_PAGE = 40
_WORDS = 7
_LONGEST_TEXT = 20_000
_MOST_ON_MAP = 4000
_MOST_CLASSES = 80
# A word is lit up in a text if it weighs at least this part of what the heaviest of the topic does.
_LIT_FROM = 0.02
_MOST_LIT = 200
_LONGEST_QUERY = 200
_MOST_STORED = 6

_lock = Lock()
_corpora: OrderedDict[str, tuple[Any, Corpus | None]] = OrderedDict()


def reading(handle: Handle) -> Corpus | None:
    """Return the corpus of a run, None if it has no topics yet; computed once for each version of the run."""
    if is_upload(handle.request.dataset) and not is_here(handle.request.dataset):
        # Whoever erases an upload erases what was computed from it, too.
        with _lock:
            _corpora.pop(handle.id, None)
        raise ValueError("These documents have been erased.")
    version = handle.version
    with _lock:
        stored = _corpora.get(handle.id)
        if stored is not None and stored[0] == version:
            _corpora.move_to_end(handle.id)
            return stored[1]
    made = corpus(handle)
    with _lock:
        _corpora[handle.id] = (version, made)
        _corpora.move_to_end(handle.id)
        while len(_corpora) > _MOST_STORED:
            _corpora.popitem(last=False)
    return made


def overview(handle: Handle, beside: str = "") -> dict[str, Any]:
    """Return the topics, their words (in the view `beside` too), the classes and the map."""
    docs = reading(handle)
    header: dict[str, Any] = {
        "seen": version_text(handle), "status": handle.status, "ended": handle.ended,
        "state": state_of(handle), "badly": handle.status in ENDED_BADLY,
        # That all iterations are made, the state says already.
        "message": "" if handle.status == "max_iter" else handle.message,
        "note": handle.note, "limit": handle.request.params.get("max_iter"),
        "iteration": max(0, handle.reader.version[0] - 1) if handle.reader else 0, "topics": [],
    }  # fmt: skip
    if docs is None:
        return header
    return header | {
        "topics": _topics(docs), "beside": _beside(docs, beside),
        "classes": _classes(docs), "map": _map(docs),
        "documents": int(docs.rows.size), "labelled": int((docs.training_labels >= 0).sum()),
        "accuracy": docs.accuracy,
    }  # fmt: skip


def documents(
    handle: Handle,
    topic: int | None = None,
    group: int | None = None,
    predicted: bool = False,
    start: int = 0,
) -> dict[str, Any]:
    """Return a page of documents: those with most of a topic first, those of a class, or both.

    With `predicted` the unlabelled ones predicted as the class, the most confident first.
    """
    docs = _required_corpus(handle)
    chosen = np.ones(docs.rows.size, bool)
    if group is not None:
        chosen = (docs.predicted == group) & (docs.training_labels < 0) if predicted else docs.codes == group
    if topic is not None:
        share = docs.mix[:, _within(topic, docs.mix.shape[1])]
        order = np.argsort(-share, kind="stable")
        places = order[(chosen & (share > 0))[order]]
    else:
        places = np.flatnonzero(chosen)
        if predicted:
            places = places[np.argsort(docs.nearest[1][places], kind="stable")]
    start = max(0, start)
    return {
        "total": int(places.size),
        "start": start,
        "documents": _listed(docs, places[start : start + _A_PAGE], topic),
    }


def document(handle: Handle, row: int, topic: int | None = None, beside: str = "") -> dict[str, Any]:
    """Return one document: its texts with the topic's words lit up, and its mix of topics.

    Left open, the topic is the one the document has most of.
    """
    docs = _required_corpus(handle)
    if row not in docs.rows:
        raise RefusedError("There is no such document.", 404)
    place = docs.place_of(row)
    main = int(docs.main[place])
    topic = main if topic is None else _within(topic, docs.mix.shape[1])
    views = [docs.view, *([beside] if beside in word_views(docs.ds) and beside != docs.view else [])]
    order = np.argsort(-docs.mix[place], kind="stable")
    return _entry(docs, place, topic if topic >= 0 else None) | {
        "topic": topic,
        "taken": _name(docs, int(docs.predicted[place])),
        "mix": [[int(j), _rounded(docs.mix[place, j])] for j in order if docs.mix[place, j] >= 0.01],
        "texts": [_text(docs, view, row, topic) for view in views],
    }


def search(handle: Handle, query: str) -> dict[str, Any]:
    """Return the words a query may mean, with the topics they are in and words near them, and documents."""
    docs = _required_corpus(handle)
    query = query[:_LONGEST_QUERY]
    places = find_documents(docs, query)
    return {
        "words": [_word(docs, int(column)) for column in find_words(docs, query)],
        "documents": _listed(docs, places, None),
    }


def _required_corpus(handle: Handle) -> Corpus:
    docs = reading(handle)
    if docs is None:
        raise ValueError("This run has found no topics yet.")
    return docs


def _topics(docs: Corpus) -> list[dict[str, Any]]:
    weight = docs.mix.mean(axis=0)
    counts = np.bincount(docs.main[docs.main >= 0], minlength=docs.mix.shape[1])
    words = word_parts(docs.components, docs.words, _WORDS)
    return [
        {
            "title": title(words[j], j),
            "words": words[j],
            "share": _rounded(weight[j]),
            "main_of": int(counts[j]),
        }
        for j in range(len(words))
    ]


def _beside(docs: Corpus, view: str) -> dict[str, Any] | None:
    if view not in word_views(docs.ds) or view == docs.view:
        return None
    return {"view": view, "topics": word_parts(docs.parts_in(view), docs.ds.view_features[view], _WORDS)}


def _classes(docs: Corpus) -> list[dict[str, Any]]:
    """Return each class: its numbers of documents, of labelled ones and of predicted ones."""
    names = docs.class_names[:_MOST_CLASSES]
    size = max(len(docs.class_names), 1)
    profile = class_profiles(docs.mix, docs.codes, size)
    hand = {name for _, name in docs.request.labels}
    counted = [
        np.bincount(codes[codes >= 0], minlength=size)
        for codes in (
            docs.codes,
            docs.training_labels,
            np.where(docs.training_labels < 0, docs.predicted, -1),
        )
    ]
    return [
        {
            "name": name, "documents": int(counted[0][code]), "told": int(counted[1][code]),
            "taken": int(counted[2][code]), "hand": name in hand,
            "profile": [_rounded(value) for value in profile[code][:MOST_PARTS]],
        }
        for code, name in enumerate(names)
    ]  # fmt: skip


def _map(docs: Corpus) -> dict[str, Any]:
    """Return places in thousandths; of many documents an evenly spread part, the same every time."""
    of_topics, of_documents = docs.places
    plotted_rows = np.unique(
        np.linspace(0, docs.rows.size - 1, min(_MOST_ON_MAP, docs.rows.size)).astype(int)
    )
    at = np.round(of_documents[plotted_rows] * 1000).astype(int)
    return {
        "topics": np.round(of_topics * 1000).astype(int).tolist(),
        "rows": docs.rows[plotted_rows].tolist(), "x": at[:, 0].tolist(), "y": at[:, 1].tolist(),
        "topic": docs.main[plotted_rows].tolist(), "class": docs.codes[plotted_rows].tolist(),
    }  # fmt: skip


def _listed(docs: Corpus, places: Iterable[int], topic: int | None) -> list[dict[str, Any]]:
    return [_entry(docs, int(place), topic) for place in places]


def _entry(docs: Corpus, place: int, topic: int | None) -> dict[str, Any]:
    row, main = int(docs.rows[place]), int(docs.main[place])
    counted = main if topic is None else topic
    return {
        "row": row,
        "title": sample_title(docs.ds, row, longest=90, unnamed="document"),
        "class": _name(docs, int(docs.codes[place])),
        "told": bool(docs.training_labels[place] >= 0),
        "hand": row in dict(docs.request.labels),
        "main": main,
        "share": _rounded(docs.mix[place, counted]) if counted >= 0 else 0.0,
    }


def _name(docs: Corpus, code: int) -> str:
    return docs.class_names[code] if code >= 0 else ""


def _text(docs: Corpus, view: str, row: int, topic: int) -> dict[str, Any]:
    """Return the text of a document in pieces; where there is no text, its words by weight."""
    lit = _lit(docs, view, topic)
    texts = docs.ds.texts.get(view)
    if texts is not None:
        text = texts[row]
        pieces = marked(text[:_LONGEST_TEXT], lit)
        return {"view": view, "pieces": pieces, "cut": len(text) > _LONGEST_TEXT, "words": False}
    weights: Any = docs.ds.views[view][[row]]
    weights = weights.toarray()[0] if hasattr(weights, "toarray") else weights[0]
    names = docs.ds.view_features[view]
    order = [int(word) for word in np.argsort(-weights, kind="stable")[:_MOST_LIT] if weights[word] > 0]
    pieces = [piece for word in order for piece in ((names[word], lit.get(names[word], 0.0)), (" ", 0.0))]
    return {"view": view, "pieces": pieces, "cut": False, "words": True}


def _lit(docs: Corpus, view: str, topic: int) -> dict[str, float]:
    if topic < 0:
        return {}
    part = docs.parts_in(view)[topic : topic + 1]
    words = top_words(part, docs.ds.view_features[view], _MOST_LIT)[0]
    most = words[0][1] if words else 1.0
    return {word: _rounded(weight / most) for word, weight in words if weight >= _LIT_FROM * most}


def _word(docs: Corpus, column: int) -> dict[str, Any]:
    share = word_topics(docs.shares, column)
    order = np.argsort(-share, kind="stable")[:4]
    return {
        "word": docs.words[column],
        "documents": int((column_of(docs, column) > 0).sum()),
        "topics": [[int(j), _rounded(share[j])] for j in order if share[j] >= 0.03],
        "near": list(neighbours_of(docs, column)),
    }


def _within(topic: int, count: int) -> int:
    if not 0 <= topic < count:
        raise ValueError(f"There is no topic {topic + 1}; there are {count}.")
    return topic


def _rounded(value: Any) -> float:
    return round(float(value), 4)
