"""Samples as points on a plane, so that one can see who is near whom: three ways, each always the same.

Sparse documents stay sparse: where a way needs full rows it gets the leading coordinates of a truncated SVD.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, Literal, get_args
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.manifold import TSNE
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from datasets import Dataset
from methods.rows import unit_rows

Way = Literal["pca", "spectral", "tsne"]
Points = NDArray[np.float32]
# The most samples that each way lays out within a few seconds.
MOST = {"pca": 100_000, "spectral": 20_000, "tsne": 20_000}
# Beyond this many samples t-SNE places landmarks only; the others are interpolated between similar landmarks.
_PLACED_BY_TSNE = 6_000
_LANDMARKS = 2_500
_RESEMBLED = 5
# Neighbours in fifty leading coordinates are nearly those in all of them, and quickly found.
_LEADING = 50
_NEIGHBOURS = 10
# Beyond so many samples t-SNE is stopped when little moves any more.
_QUICK = 1_000
_lock = Lock()
_laid_out: WeakKeyDictionary[Dataset, dict[tuple[str | None, Way], Points]] = WeakKeyDictionary()


def ways(n_samples: int) -> list[Way]:
    """Return the ways in which this many samples can be laid out while somebody waits."""
    return [way for way in get_args(Way) if n_samples <= MOST[way]]


def layout(ds: Dataset, way: Way = "pca", view: str | None = None) -> Points:
    """Return the points of all samples of a data set, cached for as long as the data set lives."""
    with _lock:
        cached = _laid_out.setdefault(ds, {})
    if (view, way) not in cached:
        cached[view, way] = planar(ds.X if view is None else ds.views[view], way)
    return cached[view, way]


def planar(X: Any, way: Way = "pca") -> Points:
    """Return one point a row of X, centred, the largest coordinate 1; rows alike in X are near each other.

    "pca" turns the rows so that they spread the most. "spectral" and "tsne" keep neighbours together and
    care less about what is far apart. The same rows always give the same points.
    """
    n = X.shape[0]
    if way not in MOST:
        raise ValueError(f"way must be one of {', '.join(MOST)}, not {way!r}.")
    if n > MOST[way]:
        raise ValueError(f"{n} samples are too many for way={way!r}: it takes at most {MOST[way]}.")
    if n < 4 or min(X.shape) < 2:
        few = X[:, :2]
        return _scaled(_padded(few.toarray() if hasattr(few, "toarray") else few))
    if way == "pca":
        return _scaled(_leading(X, 2))
    near = _leading(X, min(_LEADING, n - 1, X.shape[1]))
    if sparse.issparse(X):
        # Documents are alike in what they are about, however long they are.
        near = unit_rows(near)
    if way == "spectral":
        points = _spectral(near)
    else:
        points = _tsne(near) if n <= _PLACED_BY_TSNE else _among_landmarks(near)
    return _scaled(_upright(points))


def at_once(X: Any) -> Points:
    """Return a shadow of the rows on a plane, for as long as better places are being worked out."""
    plane = np.random.default_rng(0).normal(size=(X.shape[1], 2))
    return _scaled(np.asarray(X @ plane))


def moved(features: NDArray[Any], before: Points | None = None) -> Points:
    """Return places by features, as near as may be to where the samples were before.

    Rows are compared by direction. Beyond the reach of t-SNE they are turned to where they spread most.
    """
    rows = unit_rows(np.asarray(features, dtype=np.float64))
    if not 4 <= len(rows) <= _PLACED_BY_TSNE or rows.shape[1] < 2:
        points = planar(rows, "pca")
    else:
        points = _scaled(_upright(_tsne(rows, before)))
    return points if before is None or before.shape != points.shape else aligned(points, before)


def aligned(points: Points, before: Points) -> Points:
    """Return the points turned (or mirrored) so that they lie as near as possible to where they were.

    >>> aligned(np.array([[0, 1], [2, 0]], np.float32), np.array([[1, 0], [0, 2]], np.float32)).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    left, _, right = np.linalg.svd(points.T.astype(np.float64) @ before)
    return np.asarray(points @ (left @ right), dtype=np.float32)


def _leading(X: Any, k: int) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):  # Rows that are all alike have no spread to divide by.
        return _padded(_upright(_principal(X, k)))


def _principal(X: Any, k: int) -> NDArray[np.float64]:
    coordinates: Any
    matrix: Any = X
    if sparse.issparse(X):
        # One more than asked for: the first says little but how long a document is.
        rank = min(k + 1, min(matrix.shape) - 1) or 1
        coordinates = TruncatedSVD(rank, random_state=0).fit_transform(matrix)
        coordinates = PCA(min(k, *coordinates.shape), svd_solver="full").fit_transform(coordinates)
    else:
        solver = "full" if max(X.shape) <= 500 else "randomized"
        coordinates = PCA(min(k, *X.shape), svd_solver=solver, random_state=0).fit_transform(X)
    return np.asarray(coordinates, dtype=np.float64)


def _spectral(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the second and third eigenvector of the random walk along the neighbour graph."""
    n = len(rows)
    near = kneighbors_graph(rows, min(_NEIGHBOURS, n - 1))
    joined = near.maximum(near.T)
    degrees = np.asarray(joined.sum(axis=1)).ravel()
    # Threads between all samples, together as strong as the edges of one, keep small pieces that nothing
    # joins to the others from taking the whole plane.
    thread = degrees.mean() / n
    root = np.sqrt(degrees + thread * n)

    def spread(v: NDArray[np.float64]) -> NDArray[np.float64]:
        scaled = v.ravel() / root
        return np.asarray((joined @ scaled + thread * scaled.sum()) / root)

    walk = LinearOperator((n, n), matvec=spread, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=n)
    values, vectors = eigsh(walk, k=3, which="LA", v0=start, tol=1e-4, maxiter=100 * n)
    order = np.argsort(-values)[1:]
    return np.asarray(vectors[:, order] / root[:, None])


def _tsne(rows: NDArray[np.float64], before: Points | None = None) -> NDArray[np.float64]:
    perplexity = min(30.0, (len(rows) - 1) / 3)
    start: Any = "pca"
    if before is not None and before.shape == (len(rows), 2):
        # As small as t-SNE's usual start, but in the order of the earlier points.
        start = 1e-4 * before / max(float(before.std()), 1e-12)
    rounds = 1000 if len(rows) <= _QUICK else 500
    tsne = TSNE(2, perplexity=perplexity, init=start, max_iter=rounds, random_state=0)
    points = tsne.fit_transform(rows.astype(np.float32))
    return np.asarray(points, dtype=np.float64)


def _among_landmarks(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return places by t-SNE of evenly spread rows; every other row lies between those most like it."""
    chosen = np.linspace(0, len(rows) - 1, _LANDMARKS).round().astype(int)
    placed = _tsne(rows[chosen])
    distance, like = NearestNeighbors(n_neighbors=_RESEMBLED).fit(rows[chosen]).kneighbors(rows)
    weight = 1 / np.maximum(distance, 1e-6) ** 2
    points = np.asarray((weight[:, :, None] * placed[like]).sum(axis=1) / weight.sum(axis=1, keepdims=True))
    points[chosen] = placed
    return points


def _upright(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points mirrored so that the farthest one on each axis lies on its positive side."""
    farthest = np.abs(points).argmax(axis=0)
    signs = np.sign(points[farthest, np.arange(points.shape[1])])
    return points * np.where(signs == 0, 1, signs)


def _padded(points: NDArray[Any]) -> NDArray[np.float64]:
    """Return at least two columns, those that are missing filled with zeros."""
    missing = max(0, 2 - points.shape[1])
    return np.asarray(np.pad(points, ((0, 0), (0, missing))), dtype=np.float64)


def _scaled(points: NDArray[np.float64]) -> Points:
    centred = points - (points.max(axis=0) + points.min(axis=0)) / 2
    largest = np.abs(centred).max()
    return np.asarray(centred / (largest if largest > 0 else 1), dtype=np.float32)
