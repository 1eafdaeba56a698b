"""A run on documents as people read it: topics, the mix of topics in each document, its predicted class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets import Dataset
from experiments.documents import topics
from experiments.documents.topic_map import document_places, topic_places
from experiments.engine.handle import Handle
from experiments.measures.recognition import nearest_with_margin
from experiments.requests.by_hand import class_names
from experiments.requests.library import load_dataset
from experiments.requests.prepare import rows_of
from experiments.requests.request import RunRequest
from experiments.requests.views import parts_by_view

Array = NDArray[Any]
Codes = NDArray[np.int64]


def word_views(ds: Dataset) -> tuple[str, ...]:
    """Return the views of a data set that are made of words and weights of zero or more."""
    documents = ds.texts or (ds.card is not None and ds.card.kind == "documents")
    return tuple(view for view in ds.views if view in ds.view_features) if documents else ()


@dataclass(frozen=True, eq=False)
class Corpus:
    """The topics of a run at one iteration.

    `rows` are the rows of the data set the run has seen, in order; all other arrays over documents
    have one entry for each of them. `parts` are topics × words, view by view. `training_labels` holds
    the class code that the method was given for each document, -1 without a label.
    """

    request: RunRequest
    iteration: int
    ds: Dataset
    rows: Codes
    parts: dict[str, Array]
    embedding: Array
    training_labels: Codes

    @cached_property
    def view(self) -> str:
        """The view whose words name the topics."""
        return next(iter(self.parts))

    @property
    def components(self) -> Array:
        """Topics × words of that view."""
        return self.parts[self.view]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of that view."""
        return self.ds.view_features[self.view]

    def parts_in(self, view: str) -> Array:
        """Return the topics in words of a view: from the method, or else fitted to its embedding."""
        if view not in self.parts:
            self.parts[view] = topics.in_view(self.embedding, self.ds.views[view][self.rows])
        return self.parts[view]

    @cached_property
    def shares(self) -> Array:
        """The topics as shares of their words, every topic as long as the others."""
        return topics.to_one(self.components)

    @cached_property
    def mix(self) -> Array:
        """The share of each topic in each document."""
        return topics.mixes(self.components, self.embedding)

    @cached_property
    def main(self) -> Codes:
        """The topic each document has most of, -1 if it has no words."""
        return np.where(self.mix.max(axis=1) > 0, self.mix.argmax(axis=1), -1)

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """The classes of the data and those made by hand."""
        return class_names(self.ds, self.request.labels)

    @cached_property
    def codes(self) -> Codes:
        """The class of each document: the label the method was given, else the class in the data."""
        truth = np.full(self.rows.size, -1) if self.ds.y is None else self.ds.y[self.rows]
        return np.where(self.training_labels >= 0, self.training_labels, truth)

    @cached_property
    def nearest(self) -> tuple[Codes, Array]:
        """The predicted class of each document (-1: none), and the cosine distance behind it.

        It is the class of the labelled document with the most similar topics.
        """
        labelled = self.training_labels >= 0
        if not labelled.any():
            return np.full(self.rows.size, -1), np.ones(self.rows.size)
        codes = self.training_labels[labelled]
        near = nearest_with_margin(self.embedding[labelled], codes, self.embedding, "cosine")
        return np.where(self.main >= 0, codes[near.index], -1), np.asarray(near.distance)

    @property
    def predicted(self) -> Codes:
        """The predicted class of each document, -1 if none."""
        return self.nearest[0]

    @cached_property
    def accuracy(self) -> float | None:
        """The share of unlabelled documents whose predicted class is the one in the data.

        Documents predicted to be of a class made by hand do not count: the data do not have that class.
        """
        if self.ds.y is None or not (self.training_labels >= 0).any():
            return None
        truth = self.ds.y[self.rows]
        scored = (self.training_labels < 0) & (truth >= 0) & (self.predicted < self.ds.n_classes)
        return float((self.predicted[scored] == truth[scored]).mean()) if scored.any() else None

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """Places on the map of the topics and of the documents."""
        of_topics = topic_places(self.components)
        return of_topics, document_places(self.mix, of_topics)

    def place_of(self, row: int) -> int:
        """Return the index among the documents of a row of the data set; KeyError if it is not there."""
        place = int(np.searchsorted(self.rows, row))
        if place >= self.rows.size or self.rows[place] != row:
            raise KeyError(row)
        return place


def corpus(handle: Handle) -> Corpus | None:
    """Return the topics of a run so far, None if it has no arrays yet or no topics of documents."""
    iteration, arrays = handle.reader.latest() if handle.reader else (-1, {})
    if "embedding" not in arrays:
        return None
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    parts = parts_by_view(arrays, ds, request)
    n_words = {view: len(ds.view_features[view]) for view in word_views(ds)}
    readable = {view: matrix for view, matrix in parts.items() if n_words.get(view) == matrix.shape[1]}
    if not readable:
        return None
    split = rows_of(ds, request)
    return Corpus(
        request, iteration, ds, split.train, readable, arrays["embedding"], split.y_partial[split.train]
    )
