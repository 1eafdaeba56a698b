"""How well the heaviest words of a topic go together in the documents themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def npmi(X: Any, components: NDArray[Any], top: int = 10) -> NDArray[np.float64]:
    """Return for each topic the mean normalised pointwise mutual information of its heaviest words.

    Two words w, v that occur in shares p(w), p(v) of the documents and in p(w, v) together have
    log(p(w, v) / p(w) p(v)) / −log p(w, v): 1 if they only occur together, 0 if by chance, −1 if never
    (Bouma, 2009). X holds a document a row, a word a column; how often it occurs in one makes no difference.

    >>> documents = np.array([[1, 1, 0, 0], [2, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> npmi(documents, np.array([[5, 4, 0, 0], [0, 0, 3, 2]]), top=2)
    array([ 1., -1.])
    """
    if not 2 <= top <= components.shape[1]:
        raise ValueError(f"top={top} must be from 2 to the number of words, {components.shape[1]}.")
    heaviest = np.argsort(-components, axis=1, kind="stable")[:, :top]
    words, place = np.unique(heaviest, return_inverse=True)
    chosen: Any = X[:, words]  # Sparse or dense.
    columns = sparse.csc_array(chosen)
    occurs = sparse.csc_array(columns > 0).astype(np.float64)
    together = np.asarray((occurs.T @ occurs).todense()) / occurs.shape[0]
    alone = np.diagonal(together)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.log(together / np.outer(alone, alone)) / -np.log(together)
    scores[together == 0] = -1.0
    scores[together >= 1 - 1e-12] = 1.0  # In every document: nothing goes together more.
    first, second = np.triu_indices(top, 1)
    place = place.reshape(heaviest.shape)
    return np.asarray(scores[place[:, first], place[:, second]].mean(axis=1))
