"""What the documents page asks while one reads: topics, the map, lists of documents, one text, a search.

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
from experiments.inspection.titles import sample_title
from experiments.requests.intake import is_upload
from experiments.requests.library import is_here
from ui.run_state import state_of
from ui.web.asked import RefusedError
from ui.web.questions import seen
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
_KEPT = 6

_lock = Lock()
_kept: OrderedDict[str, tuple[Any, Corpus | None]] = OrderedDict()


def reading(handle: Handle) -> Corpus | None:
    """Return what there is to read of a run now, worked out once for each state of the run."""
    if is_upload(handle.request.dataset) and not is_here(handle.request.dataset):
        # Whoever erases an upload means what was made of it, too.
        with _lock:
            _kept.pop(handle.id, None)
        raise ValueError("These documents have been erased.")
    version = handle.version
    with _lock:
        known = _kept.get(handle.id)
        if known is not None and known[0] == version:
            _kept.move_to_end(handle.id)
            return known[1]
    found = corpus(handle)
    with _lock:
        _kept[handle.id] = (version, found)
        _kept.move_to_end(handle.id)
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return found


def overview(handle: Handle, beside: str = "") -> dict[str, Any]:
    """Return the topics, their words (in a second view too, if asked), the classes and the map."""
    now = reading(handle)
    found: dict[str, Any] = {
        "seen": seen(handle), "status": handle.status, "ended": handle.ended,
        "state": state_of(handle),
        "message": handle.message, "note": handle.note, "limit": handle.request.params.get("max_iter"),
        "iteration": max(0, handle.reader.version[0] - 1) if handle.reader else 0, "topics": [],
    }  # fmt: skip
    if now is None:
        return found
    return found | {
        "topics": _topics(now), "beside": _beside(now, beside), "classes": _classes(now), "map": _map(now),
        "documents": int(now.rows.size), "labelled": int((now.told >= 0).sum()), "accuracy": now.accuracy,
    }  # fmt: skip


def documents(
    handle: Handle, topic: int | None = None, group: int | None = None, taken: bool = False, start: int = 0
) -> dict[str, Any]:
    """Return a page of documents: those with most of a topic first, those of a class, or both.

    With `taken` those that the method takes for the class, which it was not told, the surest first.
    """
    now = _there(handle)
    chosen = np.ones(now.rows.size, bool)
    if group is not None:
        chosen = (now.taken == group) & (now.told < 0) if taken else now.codes == group
    if topic is not None:
        share = now.mix[:, _within(topic, now.mix.shape[1])]
        order = np.argsort(-share, kind="stable")
        places = order[(chosen & (share > 0))[order]]
    else:
        places = np.flatnonzero(chosen)
        if taken:
            places = places[np.argsort(now.nearest[1][places], kind="stable")]
    start = max(0, start)
    return {
        "total": int(places.size),
        "start": start,
        "documents": _listed(now, places[start : start + _A_PAGE], topic),
    }


def document(handle: Handle, row: int, topic: int | None = None, beside: str = "") -> dict[str, Any]:
    """Return one document: its texts with the topic's words lit up, and its mix of topics.

    Left open, the topic is the one the document has most of.
    """
    now = _there(handle)
    if row not in now.rows:
        raise RefusedError("There is no such document.", 404)
    place = now.place_of(row)
    main = int(now.main[place])
    topic = main if topic is None else _within(topic, now.mix.shape[1])
    views = [now.view, *([beside] if beside in word_views(now.ds) and beside != now.view else [])]
    order = np.argsort(-now.mix[place], kind="stable")
    return _entry(now, place, topic if topic >= 0 else None) | {
        "topic": topic,
        "taken": _name(now, int(now.taken[place])),
        "mix": [[int(j), _rounded(now.mix[place, j])] for j in order if now.mix[place, j] >= 0.01],
        "texts": [_text(now, view, row, topic) for view in views],
    }


def search(handle: Handle, query: str) -> dict[str, Any]:
    """Return the words a query may mean, with the topics they are in and words near them, and documents."""
    now = _there(handle)
    query = query[:_LONGEST_QUERY]
    found = find_documents(now, query)
    return {
        "words": [_word(now, int(column)) for column in find_words(now, query)],
        "documents": _listed(now, found, None),
    }


def _there(handle: Handle) -> Corpus:
    now = reading(handle)
    if now is None:
        raise ValueError("This run has found no topics yet.")
    return now


def _topics(now: Corpus) -> list[dict[str, Any]]:
    weight = now.mix.mean(axis=0)
    counts = np.bincount(now.main[now.main >= 0], minlength=now.mix.shape[1])
    words = word_parts(now.components, now.words, _WORDS)
    return [
        {
            "title": title(words[j], j),
            "words": words[j],
            "share": _rounded(weight[j]),
            "main_of": int(counts[j]),
        }
        for j in range(len(words))
    ]


def _beside(now: Corpus, view: str) -> dict[str, Any] | None:
    if view not in word_views(now.ds) or view == now.view:
        return None
    return {"view": view, "topics": word_parts(now.parts_in(view), now.ds.view_features[view], _WORDS)}


def _classes(now: Corpus) -> list[dict[str, Any]]:
    """Return each class: how many documents, how many the method was told of, how many it takes for it."""
    names = now.class_names[:_MOST_CLASSES]
    size = max(len(now.class_names), 1)
    profile = class_profiles(now.mix, now.codes, size)
    hand = {name for _, name in now.request.labels}
    counted = [
        np.bincount(codes[codes >= 0], minlength=size)
        for codes in (now.codes, now.told, np.where(now.told < 0, now.taken, -1))
    ]
    return [
        {
            "name": name, "documents": int(counted[0][code]), "told": int(counted[1][code]),
            "taken": int(counted[2][code]), "hand": name in hand,
            "profile": [_rounded(value) for value in profile[code][:MOST_PARTS]],
        }
        for code, name in enumerate(names)
    ]  # fmt: skip


def _map(now: Corpus) -> dict[str, Any]:
    """Return places in thousandths; of many documents an evenly spread part, the same every time."""
    of_topics, of_documents = now.places
    shown = np.unique(np.linspace(0, now.rows.size - 1, min(_MOST_ON_MAP, now.rows.size)).astype(int))
    at = np.round(of_documents[shown] * 1000).astype(int)
    return {
        "topics": np.round(of_topics * 1000).astype(int).tolist(),
        "rows": now.rows[shown].tolist(), "x": at[:, 0].tolist(), "y": at[:, 1].tolist(),
        "topic": now.main[shown].tolist(), "class": now.codes[shown].tolist(),
    }  # fmt: skip


def _listed(now: Corpus, places: Iterable[int], topic: int | None) -> list[dict[str, Any]]:
    return [_entry(now, int(place), topic) for place in places]


def _entry(now: Corpus, place: int, topic: int | None) -> dict[str, Any]:
    row, main = int(now.rows[place]), int(now.main[place])
    counted = main if topic is None else topic
    return {
        "row": row,
        "title": sample_title(now.ds, row, longest=90, unnamed="document"),
        "class": _name(now, int(now.codes[place])),
        "told": bool(now.told[place] >= 0),
        "hand": row in dict(now.request.labels),
        "main": main,
        "share": _rounded(now.mix[place, counted]) if counted >= 0 else 0.0,
    }


def _name(now: Corpus, code: int) -> str:
    return now.class_names[code] if code >= 0 else ""


def _text(now: Corpus, view: str, row: int, topic: int) -> dict[str, Any]:
    """Return the text of a document in pieces; where there is no text, its words by weight."""
    lit = _lit(now, view, topic)
    texts = now.ds.texts.get(view)
    if texts is not None:
        text = texts[row]
        pieces = marked(text[:_LONGEST_TEXT], lit)
        return {"view": view, "pieces": pieces, "cut": len(text) > _LONGEST_TEXT, "words": False}
    weights: Any = now.ds.views[view][[row]]
    weights = weights.toarray()[0] if hasattr(weights, "toarray") else weights[0]
    names = now.ds.view_features[view]
    order = [int(word) for word in np.argsort(-weights, kind="stable")[:_MOST_LIT] if weights[word] > 0]
    pieces = [piece for word in order for piece in ((names[word], lit.get(names[word], 0.0)), (" ", 0.0))]
    return {"view": view, "pieces": pieces, "cut": False, "words": True}


def _lit(now: Corpus, view: str, topic: int) -> dict[str, float]:
    if topic < 0:
        return {}
    part = now.parts_in(view)[topic : topic + 1]
    words = top_words(part, now.ds.view_features[view], _MOST_LIT)[0]
    most = words[0][1] if words else 1.0
    return {word: _rounded(weight / most) for word, weight in words if weight >= _LIT_FROM * most}


def _word(now: Corpus, column: int) -> dict[str, Any]:
    share = word_topics(now.shares, column)
    order = np.argsort(-share, kind="stable")[:4]
    return {
        "word": now.words[column],
        "documents": int((column_of(now, column) > 0).sum()),
        "topics": [[int(j), _rounded(share[j])] for j in order if share[j] >= 0.03],
        "near": list(neighbours_of(now, column)),
    }


def _within(topic: int, count: int) -> int:
    if not 0 <= topic < count:
        raise ValueError(f"There is no topic {topic + 1}; there are {count}.")
    return topic


def _rounded(value: Any) -> float:
    return round(float(value), 4)
