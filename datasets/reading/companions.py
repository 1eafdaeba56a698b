"""A sparse matrix with lists of its words, documents and classes beside it, as BBC and BBCSport come."""

from __future__ import annotations

from collections.abc import Sequence

from datasets.reading.draft import Draft, distinct, plain
from datasets.reading.labels import encode
from datasets.reading.limits import Limits, UploadError
from datasets.reading.source import File
from datasets.reading.sparse_text import read_matrix_market

SUFFIXES = {".terms", ".docs", ".classes"}


def read_with_companions(matrix: File, beside: Sequence[File], limits: Limits, *, transpose: bool) -> Draft:
    """Read a MatrixMarket file with its `.terms`, `.docs` and `.classes`; documents become rows."""
    lists = {file.suffix: _lines(file) for file in beside if file.suffix in SUFFIXES}
    terms, docs = lists.get(".terms", []), lists.get(".docs", [])
    classes = [line for line in lists.get(".classes", []) if not line.startswith("%")]
    draft = read_matrix_market(matrix.data, limits)
    rows, columns = next(iter(draft.views.values())).shape
    documents = len(classes or docs)
    lying = rows == len(terms) != columns or columns == documents != rows
    if lying != transpose:
        draft = read_matrix_market(matrix.data, limits, transpose=True)
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


def _lines(file: File) -> list[str]:
    text = file.data.decode("utf-8-sig", "replace")
    return [line.strip() for line in text.splitlines() if line.strip()]
