"""Principal component analysis, one component after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.utils import Tags
from threadpoolctl import threadpool_limits

from methods.checks import check_data
from methods.leading import few_of_many, lanczos, leading_eigenpairs
from methods.memory import Sizes, by_storage, copies
from methods.spec import Facts, Param, Spec
from methods.stepwise import Solver, StepwiseTransformer
from methods.subspace.directions import moved
from methods.subspace.sparse_rows import CentredRows
from methods.typing import Array, Graph, is_sparse

_EPS = float(np.finfo(np.float64).eps)
# Rows whose products are summed up together, and products from which it matters in which precision. Single
# precision will do for directions at least this much of the longest, in squares.
_ROWS_AT_ONCE, _LARGE, _SINGLE_LEAST = 1024, 2**28, 1e-3
# To what share of each eigenvalue pairs of sparse data are settled.
_SETTLED = 1e-12
# What the solver for them takes beside its arrays.
_SOLVER_BYTES = 16e6
# How many times k the side of the Gram matrix must be for that to be more work than products with the data.
_PRODUCTS = 100


class PCA(StepwiseTransformer):
    """Orthogonal directions of largest variance.

    Step i shows the best approximation of rank i; the objective is the squared error that is
    left, so the last steps tell how little the last components matter.
    """

    mean_: Array

    def __init__(self, n_components: int | None = None) -> None:
        self.n_components = n_components

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> _ComponentByComponent:
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        most = min(X.shape)
        k = int(self._resolved("n_components", Facts(X.shape[0], X.shape[1])))
        if k > most:
            raise ValueError(
                f"n_components={k} is more than the data hold: "
                f"{X.shape[0]} samples of {X.shape[1]} features give at most {most}."
            )
        if is_sparse(X):
            return _ComponentByComponent(*sparse_components(X, k))
        mean = X.mean(axis=0, dtype=np.float64).astype(X.dtype)
        return _ComponentByComponent(mean, *principal_components(X - mean, k))

    def transform(self, X: Any) -> Array:
        """Return the coordinates of rows in the space of the components."""
        X = self._unseen(X, nonnegative=False, accept_sparse=True, entries=True)
        return np.asarray(moved(X, self.mean_) @ self.components_.T)

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows that coordinates stand for."""
        return np.asarray(Z @ self.components_ + self.mean_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class _ComponentByComponent(Solver):
    def __init__(self, mean: Array, components: Array, scores: Array, left_over: Array) -> None:
        self._mean, self._left_over, k = mean, left_over, len(components)
        # The sign of a direction is arbitrary: the largest entry is made positive.
        signs = np.sign(components[np.arange(k), np.abs(components).argmax(axis=1)])
        signs[signs == 0] = 1
        self._all_components = components * signs[:, None]
        self._all_scores = scores * signs
        self._components, self._scores = np.zeros_like(self._all_components), np.zeros_like(self._all_scores)
        self._count = 0

    def step(self) -> None:
        """Add one more component."""
        self._components[self._count] = self._all_components[self._count]
        self._scores[:, self._count] = self._all_scores[:, self._count]
        self._count += 1
        self.done = self._count == self._components.shape[0]

    def terms(self) -> dict[str, float]:
        """Return the squared error left with the components shown."""
        return {"reconstruction": float(self._left_over[self._count])}

    def arrays(self) -> dict[str, Array]:
        """Return the mean, and components and scores, zero where not yet let in."""
        return {"components": self._components, "embedding": self._scores, "mean": self._mean}


def principal_components(centred: Array, k: int) -> tuple[Array, Array, Array]:
    """Return k orthonormal directions (rows), coordinates of rows on them, and the error left by each rank.

    From the leading eigenvectors of the smaller Gram matrix. Directions too short for that, whose squares
    rounding would swallow, are left to a singular value decomposition.
    """
    large = centred.size * min(centred.shape) > _LARGE
    decomposition = (
        _from_gram(centred, k, np.float32, _SINGLE_LEAST) if large and centred.dtype == np.float32 else None
    )
    if decomposition is None:
        # As short, in squares, as can be told from rounding as well as the data could.
        decomposition = _from_gram(centred, k, np.float64, _EPS / float(np.sqrt(np.finfo(centred.dtype).eps)))
    if decomposition is not None:
        return decomposition
    left, lengths, right = linalg.svd(centred, full_matrices=False)
    left_over = np.append(np.cumsum(np.square(lengths, dtype=np.float64)[::-1])[::-1], 0.0)
    return right[:k], left[:, :k] * lengths[:k], left_over


def _from_gram(centred: Array, k: int, dtype: type, least: float) -> tuple[Array, Array, Array] | None:
    """Return what `principal_components` does; None if a square is below `least` of the largest."""
    tall = centred.shape[0] >= centred.shape[1]
    long = centred if tall else centred.T
    total, values, vectors = _eigenpairs(long, k, dtype)
    if not values[-1] > least * values[0]:
        return None
    left_over = np.append(total, total - np.cumsum(values, dtype=np.float64)).clip(0)
    if tall:
        components = np.ascontiguousarray(vectors.T).astype(centred.dtype)
        return components, centred @ components.T, left_over
    lengths = np.sqrt(values)
    components = ((vectors / lengths).T @ centred).astype(centred.dtype)
    return components, (vectors * lengths).astype(centred.dtype), left_over


def _eigenpairs(long: Array, k: int, dtype: type) -> tuple[float, Array, Array]:
    """Return the trace of XᵀX, and its leading eigenpairs in the precision given."""
    eigenpairs, size = None, long.shape[1]
    if long.dtype == dtype and few_of_many(size, k) and size > _PRODUCTS * k:
        # So few that products with X and Xᵀ take less than the matrix.
        eigenpairs = lanczos(lambda rows: (rows @ long.T) @ long, size, k, long.dtype)
    if eigenpairs is not None:
        return float(sum(np.square(rows, dtype=np.float64).sum() for rows in long)), *eigenpairs
    gram = gram_matrix(long, dtype)
    return float(np.trace(gram)), *leading_eigenpairs(gram.astype(dtype, copy=False), k)


def sparse_components(X: Graph, k: int) -> tuple[Array, Array, Array, Array]:
    """Return the mean of sparse rows, and what `principal_components` does of the rows around it.

    Few of many directions are found from products with X alone, others from the smaller Gram matrix. What
    that tells of short directions is mostly rounding: a thin singular value decomposition settles them.
    """
    centred = CentredRows(X)
    n, m = centred.shape
    leading = _leading_vectors(centred, k)
    if n < m:
        right, lengths, turned = linalg.svd(centred.left(leading), full_matrices=False)
        components, scores = right.T, (leading @ turned.T) * lengths
    else:
        left, lengths, turned = linalg.svd(centred.right(leading), full_matrices=False)
        components, scores = turned @ leading.T, left * lengths
    left_over = centred.squared_norm() - np.append(0.0, np.cumsum(np.square(lengths)))
    # What there is at all, rounding apart, none of it can be left over after the last.
    left_over = centred.scale**2 * np.maximum.accumulate(left_over[::-1].clip(0))[::-1]
    mean, dtype = centred.mean.astype(X.dtype), X.dtype
    return mean, components.astype(dtype), (centred.scale * scores).astype(dtype), left_over


def _leading_vectors(centred: CentredRows, k: int) -> Array:
    """Return the leading singular vectors of the smaller side, as columns."""
    (n, m), size = centred.shape, min(centred.shape)
    if not few_of_many(size, k):
        return leading_eigenpairs(centred.gram(), k)[1]

    across, back = (centred.left, centred.right) if n < m else (centred.right, centred.left)
    operator = LinearOperator((size, size), lambda v: back(across(v.reshape(-1))), dtype=np.float64)
    start = np.random.RandomState(0).standard_normal(size)
    # Spectra of texts fall slowly, which restarts take better than block iteration; vector by vector, threads
    # would only wait for each other.
    with threadpool_limits(1):
        return np.asarray(eigsh(operator, k, ncv=2 * k + 20, v0=start, tol=_SETTLED)[1][:, ::-1])


def gram_matrix(tall: Array, dtype: type) -> Array:
    """Return XᵀX in double precision; products are summed up in `dtype` within each block of rows."""
    total = np.zeros((tall.shape[1], tall.shape[1]))
    for first in range(0, len(tall), _ROWS_AT_ONCE):
        rows: Array = tall[first : first + _ROWS_AT_ONCE].astype(dtype, copy=False)
        total += rows.T @ rows
    return total


def _sparse_memory(facts: Sizes, params: Mapping[str, Any]) -> float:
    """Return the bytes: a Gram matrix only where many of the directions are wanted."""
    size = min(facts.n_samples, facts.n_features)
    k = params.get("n_components") or min(100, size)
    return copies(5, span=0 if few_of_many(size, k) else 3.5)(facts, params) + _SOLVER_BYTES


def _rank(facts: Facts) -> int:
    return max(1, min(100, facts.n_samples - 1, facts.n_features))


SPEC = PCA.spec = Spec(
    id="pca",
    title="PCA",
    family="subspace",
    summary="Directions of largest variance: whole faces, light and dark, not parts.",
    objective=r"\min_{U^\top U=I}\ \lVert \bar X-UU^\top\bar X\rVert_F^2",
    update=r"\bar X=U\Sigma V^\top\ \text{(singular value decomposition)},\qquad"
    r"\text{largest }\sigma_i\text{ first}",
    references=("I. T. Jolliffe. Principal component analysis. Springer 1986.",),
    params=(
        Param(
            "n_components",
            "int",
            None,
            "How many directions are kept.",
            symbol="k",
            least=1,
            low=1,
            high=200,
            auto=_rank,
        ),
    ),
    estimator=PCA,
    projects=True,
    monotone=True,
    signed=True,
    memory=by_storage(copies(dense=6, span=2), _sparse_memory),
    cost=(
        "m·N·min(m, N) for the smaller Gram matrix, and its k leading eigenvectors. Few components of sparse "
        "data take products with the data alone."
    ),
)
