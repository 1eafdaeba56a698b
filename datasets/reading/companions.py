"""Sparse matrices with lists of their words, documents and classes beside them: BBC, BBCSport, 3sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from datasets.dataset import Matrix
from datasets.reading.draft import Draft, as_matrix, distinct, picked_views, plain
from datasets.reading.labels import encode
from datasets.reading.limits import Limits, UploadError
from datasets.reading.source import File
from datasets.reading.sparse_text import read_matrix_market

SUFFIXES = {".terms", ".docs", ".classes"}
# A line a class, with the documents that are in it.
_CLASS_LISTS = ".clist"


def read_with_companions(matrix: File, beside: Sequence[File], limits: Limits, *, transpose: bool) -> Draft:
    """Read a MatrixMarket file with its `.terms`, `.docs` and `.classes`; documents become rows."""
    lists = {file.suffix: _lines(file) for file in beside if file.suffix in SUFFIXES}
    terms, docs = lists.get(".terms", []), lists.get(".docs", [])
    classes = [line for line in lists.get(".classes", []) if not line.startswith("%")]
    draft = read_matrix_market(matrix.data, limits)
    [(name, X)] = draft.views.items()
    rows, columns = X.shape
    documents = len(classes or docs)
    lying = rows == len(terms) != columns or columns == documents != rows
    if lying != transpose:
        draft.views = {name: _turned(X)}
        rows, columns = columns, rows
        draft.notes.append("Samples were in columns, so the matrix was turned.")
    if classes and len(classes) != rows:
        raise UploadError(
            f"There are {len(classes)} lines of classes for {rows} samples; one each is accepted."
        )
    if len(terms) == columns:
        draft.feature_names = distinct(terms, "word")
    if len(docs) == rows:
        draft.sample_names = tuple(plain(name) for name in docs)
    if classes:
        # "document class", or the class alone.
        draft.labels = encode([line.split()[-1] for line in classes], "one line a sample")
        draft.label_choices = ("classes",)
    draft.left_out += [f"{plain(file.name)} (not used)" for file in beside if file.suffix not in SUFFIXES]
    return draft


@dataclass(frozen=True)
class _View:
    """One of several matrices: documents in rows, named as its list names them."""

    X: Matrix
    docs: tuple[str, ...]
    terms: tuple[str, ...]

    def rows(self, docs: Sequence[str]) -> Matrix:
        """Return the rows of some documents, in their order."""
        place = {doc: row for row, doc in enumerate(self.docs)}
        return self.X[np.array([place[doc] for doc in docs])]


def each_with_documents(matrices: Sequence[File], beside: Sequence[File]) -> bool:
    """Say whether these are several matrices, each with a list of its documents.

    If only some have one, an UploadError names one that has none: its rows cannot be told.
    """
    listed = {_stem(file) for file in beside if file.suffix == ".docs"}
    alone = [matrix for matrix in matrices if _stem(matrix) not in listed]
    if len(matrices) > 1 and alone and len(alone) < len(matrices):
        raise UploadError(
            f"{plain(alone[0].name)} has no list of its documents (.docs) beside it, as other matrices have; "
            "add it, or take the matrix away."
        )
    return len(matrices) > 1 and not alone


def read_views(matrices: Sequence[File], beside: Sequence[File], limits: Limits, wanted: object) -> Draft:
    """Read several matrices as views of the documents that all of them have, each with its lists.

    `wanted` names some of them, or is None.
    """
    matrices, beside, copies = _once(matrices, beside)
    choices = dict(zip(_short([*map(_stem, matrices)]), matrices, strict=True))
    if wanted is not None:
        matrices = [choices[name] for name in picked_views(wanted, choices)]
    names = {_stem(matrix): name for name, matrix in choices.items()}
    lists = {(_stem(file), file.suffix): _lines(file) for file in beside}
    views = {_stem(matrix): _view(matrix, lists, limits) for matrix in matrices}
    common = set.intersection(*(set(view.docs) for view in views.values()))
    rows = [doc for doc in next(iter(views.values())).docs if doc in common]
    if not rows:
        raise UploadError("No document is in all of the matrices, by the lists beside them.")
    draft = Draft("MatrixMarket", "table", {names[stem]: view.rows(rows) for stem, view in views.items()})
    draft.view_features = {
        names[stem]: distinct(view.terms, "word") for stem, view in views.items() if view.terms
    }
    draft.sample_names = tuple(plain(doc) for doc in rows)
    draft.view_choices, draft.corrections = tuple(choices), ("views",)
    counts = ", ".join(f"{len(view.docs)} of {names[stem]}" for stem, view in views.items())
    if any(len(view.docs) > len(rows) for view in views.values()):
        draft.notes.append(f"Kept are the {len(rows)} documents that are in every view ({counts}).")
    used = {(stem, suffix) for stem in views for suffix in (".docs", ".terms")}
    reasons: dict[str, str] = {}
    for file in sorted((file for file in beside if file.suffix == _CLASS_LISTS), key=lambda file: file.name):
        if draft.labels is not None:
            reasons[file.name] = "another list says the classes"
        elif reason := _unusable(classes := _class_list(file), rows):
            reasons[file.name] = reason
        else:
            used.add((_stem(file), file.suffix))
            named = dict(classes)
            draft.labels = encode([named.get(doc, "") for doc in rows], f"in {plain(file.name)}")
            draft.label_choices = ("classes",)
    draft.left_out += copies
    draft.left_out += [
        f"{plain(file.name)} ({reasons.get(file.name, 'not used')})"
        for file in beside
        if (_stem(file), file.suffix) not in used
    ]
    return draft


def _once(matrices: Sequence[File], beside: Sequence[File]) -> tuple[list[File], list[File], list[str]]:
    """Return the files without second copies of a matrix and its documents, and what to say of the copies."""
    docs = {_stem(file): file.data for file in beside if file.suffix == ".docs"}
    first: dict[tuple[bytes, bytes], File] = {}
    copies: dict[str, str] = {}
    for matrix in matrices:
        original = first.setdefault((matrix.data, docs[_stem(matrix)]), matrix)
        if original is not matrix:
            copies[_stem(matrix)] = f"{plain(matrix.name)} (a copy of {plain(original.name)})"
    beside = [file for file in beside if _stem(file) not in copies]
    return [*first.values()], beside, [*copies.values()]


def _view(matrix: File, lists: Mapping[tuple[str, str], list[str]], limits: Limits) -> _View:
    stem = _stem(matrix)
    docs, terms = lists[stem, ".docs"], lists.get((stem, ".terms"), [])
    if len(set(docs)) < len(docs):
        raise UploadError(f"{plain(stem)}.docs names a document twice.")
    [X] = read_matrix_market(matrix.data, limits).views.values()
    # As published, documents are columns.
    lies = X.shape[1] == len(docs) and (X.shape[0] != len(docs) or X.shape[0] == len(terms))
    if not lies and X.shape[0] != len(docs):
        raise UploadError(
            f"{plain(matrix.name)} is of {X.shape[0]} × {X.shape[1]}, and its list names "
            f"{len(docs)} documents."
        )
    upright = _turned(X) if lies else X
    return _View(upright, tuple(docs), tuple(terms) if len(terms) == upright.shape[1] else ())


def _turned(X: Matrix) -> Matrix:
    return as_matrix("The matrix", X.T)


def _class_list(file: File) -> list[tuple[str, str]]:
    """Return the documents of a list of classes, each with the class it stands at."""
    return [
        (doc.strip(), name.strip())
        for name, _, docs in (line.partition(":") for line in _lines(file))
        for doc in docs.split(",")
    ]


def _unusable(classes: Sequence[tuple[str, str]], rows: Sequence[str]) -> str:
    """Return why a list of classes does not say the classes of these documents; empty if it does."""
    times = Counter(doc for doc, _ in classes)
    if any(times[doc] > 1 for doc in rows):
        return "puts a document in two classes"
    return "" if any(doc in times for doc in rows) else "names none of these documents"


def _stem(file: File) -> str:
    return file.name.replace("\\", "/")[: len(file.name) - len(file.suffix)]


def _short(stems: Sequence[str]) -> tuple[str, ...]:
    """Return what the stems do not have in common: of `a/news_bbc` and `a/news_cnn`, `bbc` and `cnn`."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*stems, strict=False))
    shared = "".join(letters[0] for letters in alike)
    start = max((shared.rfind(mark) for mark in "/_-. "), default=-1) + 1
    return distinct((stem[start:] for stem in stems), "view")


def _lines(file: File) -> list[str]:
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = file.data.decode("latin-1")  # As older corpora are written; it can hold any byte.
    return [line.strip() for line in text.splitlines() if line.strip()]
