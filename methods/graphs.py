"""Sparse graphs over the samples: who should stay together, who should be told apart, who is near whom.

X holds the samples as rows: dense, sparse, an operator, or a `DataMatrix` with unknown entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn import config_context
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors

from methods.checks import is_operator
from methods.data_matrix import DataMatrix
from methods.l1_cache import ContentCache, content_key
from methods.memory import MEGABYTES_OF_DISTANCES
from methods.typing import Array, Codes, Graph, is_sparse

_BRUTE_FORCE_BELOW = 5000
# Up to so many features trees find neighbours sooner, as scikit-learn does.
_FEW_FEATURES = 15
_ROWS_AT_ONCE = 256
# From this many samples on, neighbours are cached: they do not depend on the labels.
_WORTH_KEEPING = 300
_neighbour_cache: ContentCache[Codes] = ContentCache(64_000_000, lambda near: int(near.nbytes))
# The closest pairs of two classes: hashing the labelled rows is less work than comparing them all.
_pair_cache: ContentCache[Codes] = ContentCache(16_000_000, lambda pairs: int(pairs.nbytes))


def intrinsic(X: Array, codes: Codes, neighbours: int | None = None) -> Graph:
    """Join labelled samples of one class, each with its nearest `neighbours` of that class.

    With None every two samples of a class are joined (k₁ = n_c − 1). Rows of unlabelled samples are empty.
    """
    rows, columns = [], []
    for members in _classes(codes):
        near = _nearest_within(X, members, neighbours)
        rows.append(members[near[0]])
        columns.append(members[near[1]])
    return _symmetric(rows, columns, len(codes), X.dtype)


def penalty(X: Any, codes: Codes, pairs: int = 20) -> Graph:
    """Join, for every class, the `pairs` closest pairs made of a member and a labelled outsider."""
    labelled = np.flatnonzero(codes >= 0)
    if pairs <= 0 or not labelled.size:
        return _symmetric([], [], len(codes), X.dtype)
    labels = codes[labelled]
    if isinstance(X, DataMatrix) or is_sparse(X):
        first, second = _closest(_distances(X, labelled), labels, pairs)
    else:
        rows = _rows(X, labelled)
        key = content_key(rows, labels.tobytes(), pairs)
        first, second = _pair_cache.get(key, lambda: _closest(_between(rows), labels, pairs))
    return _symmetric([labelled[first]], [labelled[second]], len(codes), X.dtype)


def _closest(distances: Array, codes: Codes, pairs: int) -> Codes:
    """Return, as two rows, the closest pairs of a member and an outsider of each class."""
    pairs_by_class = []
    for code in np.unique(codes):
        inside, outside = np.flatnonzero(codes == code), np.flatnonzero(codes != code)
        # A stable order makes ties fall the same way on every machine.
        shortest = np.argsort(distances[np.ix_(inside, outside)].ravel(), kind="stable")[:pairs]
        pairs_by_class.append(np.stack([inside[shortest // outside.size], outside[shortest % outside.size]]))
    return np.concatenate(pairs_by_class, axis=1)


def neighbours(X: Array, p: int, name: str = "p") -> Graph:
    """Join every sample with its `p` nearest others ("or" symmetrised), labelled or not.

    `name` is what the caller's parameter is called, for when there are too few samples.
    """
    n = X.shape[0]
    if p >= n:
        raise ValueError(f"{name}={p} neighbours cannot be found among {n} samples: ask for at most {n - 1}.")
    if p <= 0:
        return sparse.csr_array((n, n), dtype=X.dtype)
    if isinstance(X, DataMatrix):
        near = _nearest_in_common(X, p)
    elif is_operator(X):
        near = _nearest_by_products(X, p)
    else:
        near = _nearest(X, p)
    return _symmetric([np.repeat(np.arange(n), p)], [near.ravel()], n, X.dtype)


def degrees(affinity: Graph) -> Array:
    """Return the row sums of a graph, the diagonal of D."""
    return np.asarray(affinity.sum(axis=1)).ravel().astype(affinity.dtype, copy=False)


def laplacian(affinity: Graph) -> Graph:
    """Return L = D − S."""
    return sparse.csr_array(sparse.diags_array(degrees(affinity)) - affinity)


def _classes(codes: Codes) -> list[Codes]:
    return [np.flatnonzero(codes == code) for code in np.unique(codes[codes >= 0])]


def _nearest_within(X: Array, members: Codes, neighbours: int | None) -> tuple[Codes, Codes]:
    size = members.size
    if neighbours is None or neighbours >= size - 1:
        first, second = np.nonzero(~np.eye(size, dtype=bool))
        return first, second
    distances = _distances(X, members)
    np.fill_diagonal(distances, np.inf)
    near = np.argsort(distances, axis=1, kind="stable")[:, :neighbours]
    return np.repeat(np.arange(size), near.shape[1]), near.ravel()


def _rows(X: Any, index: Codes) -> Any:
    """Return some rows of X; of an operator they are had by products, and few at a time."""
    if not is_operator(X):
        return X[index]
    chosen = np.zeros((X.shape[0], index.size), X.dtype)
    chosen[index, np.arange(index.size)] = 1
    return np.ascontiguousarray(X.rmatmat(chosen).T)


def _distances(X: Any, index: Codes) -> Array:
    """Return the distances between some rows, over what both have where entries are unknown."""
    if isinstance(X, DataMatrix):
        return X.distances(index, index)
    return _between(_rows(X, index))


def _between(rows: Any) -> Array:
    return np.asarray(pairwise_distances(_held(rows)))


def _held(X: Any) -> Any:
    """Return X in a scale in which squares can be held: who is near whom does not depend on it."""
    largest = max(float(X.max()), -float(X.min())) if min(X.shape) else 0.0
    return X if largest == 0 or 1e-15 < largest < 1e15 else X / X.dtype.type(largest)


def _nearest(X: Any, p: int) -> Codes:
    """Return the p nearest others of each row, from the cache if these very rows were searched before."""
    if X.shape[0] < _WORTH_KEEPING or (is_sparse(X) and X.format != "csr"):
        return _searched(X, p)
    arrays = (X.data, X.indices, X.indptr) if is_sparse(X) else (X,)
    return _neighbour_cache.get(
        " ".join(content_key(array, X.shape, p) for array in arrays), lambda: _searched(X, p)
    )


def _searched(X: Any, p: int) -> Codes:
    if not is_sparse(X) and X.shape[0] >= _BRUTE_FORCE_BELOW and X.shape[1] > _FEW_FEATURES:
        from methods.neighbour_search import nearest  # numba takes long to load

        return nearest(_held(X), p)
    algorithm = "brute" if X.shape[0] < _BRUTE_FORCE_BELOW or is_sparse(X) else "auto"
    with config_context(working_memory=MEGABYTES_OF_DISTANCES):
        search = NearestNeighbors(n_neighbors=p, algorithm=algorithm).fit(_held(X))
        return np.asarray(search.kneighbors(return_distance=False))


def _nearest_by_products(X: Any, p: int) -> Codes:
    """Return the p nearest others of each row of an operator, a block of rows at a time."""
    n = X.shape[0]
    blocks = [np.arange(first, min(first + _ROWS_AT_ONCE, n)) for first in range(0, n, _ROWS_AT_ONCE)]
    lengths = np.concatenate([np.square(_rows(X, block), dtype=np.float64).sum(axis=1) for block in blocks])
    near = np.empty((n, p), np.int64)
    for block in blocks:
        # ‖x − y‖² = ‖x‖² − 2⟨x, y⟩ + ‖y‖²; the length of x itself does not change the order.
        distances = lengths - 2 * X.matmat(_rows(X, block).T).T
        distances[np.arange(block.size), block] = np.inf
        near[block] = np.argpartition(distances, p - 1, axis=1)[:, :p]
    return near


def _nearest_in_common(X: DataMatrix, p: int) -> Codes:
    """Return the p nearest others of each row by what two rows both have, a block of rows at a time."""
    n = X.shape[0]
    everyone, near = np.arange(n), np.empty((n, p), np.int64)
    for first in range(0, n, _ROWS_AT_ONCE):
        block = everyone[first : first + _ROWS_AT_ONCE]
        distances = X.distances(block, everyone)
        distances[np.arange(block.size), block] = np.inf
        near[block] = np.argsort(distances, axis=1, kind="stable")[:, :p]
    return near


def _symmetric(rows: list[Codes], columns: list[Codes], n: int, dtype: Any) -> Graph:
    """Return the 0/1 graph in which i and j are joined when either names the other."""
    if not rows:
        return sparse.csr_array((n, n), dtype=dtype)
    i, j = np.concatenate(rows), np.concatenate(columns)
    both = sparse.coo_array((np.ones(2 * i.size, dtype), (np.r_[i, j], np.r_[j, i])), shape=(n, n)).tocsr()
    both.data[:] = 1
    return both
