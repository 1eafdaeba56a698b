"""The ℓ1 graph: every sample as a sparse mixture of the others (Wright et al. 2010; Fan et al. 2011).

    α_i = argmin ‖a‖₁ + ‖x_i − Xa‖₁   with a_i = 0

X holds one sample a column here and one a row in code, where the graph is the matrix A with rows α_iᵀ.
Without a_i = 0, which the paper leaves out, every sample would be explained by itself alone. The graph
knows nothing of labels, so it is made once a data set and remembered.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from methods.checks import is_operator
from methods.l1_admm import Solution, solve
from methods.l1_cache import ContentCache, content_key
from methods.l1_exact import exact_code
from methods.l1_problem import GraphProblem
from methods.typing import Array, Codes, Graph, is_sparse

MAX_ITER = 3000
_ROUGH_GAP = 1e-2
# From so many samples on, more than features, the graph is made in streams; to this gap in single precision.
_MANY, _STREAMED_GAP = 2500, 5e-3


def l1_graph(X: Any, gap: float = 1e-2, *, exact: bool = False) -> Graph:
    """Return the sparse matrix A whose row i holds the weights with which the other rows make up row i.

    Every row's objective is proven to lie within the relative `gap` of the smallest one possible.
    `exact=True`, the same as `gap=0`, finishes each row with a small linear program. Rows are taken as
    they are; the papers scale them to unit length first. The diagonal is exactly zero. The result is
    shared by everyone who asks for it, and read-only.

    >>> rows = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    >>> l1_graph(rows, exact=True).toarray()[2].tolist()
    [1.0, 1.0, 0.0]
    """
    return l1_solution(X, gap, exact=exact).codes


def l1_solution(X: Any, gap: float = 1e-2, *, exact: bool = False) -> Solution:
    """Return the ℓ1 graph together with each row's objective and the bound that proves its gap."""
    if not 0 <= gap < 1:
        raise ValueError(f"gap={gap!r} must be at least 0 (exact) and below 1.")
    X = _dense_rows(X)
    gap = 0.0 if exact else float(gap)
    return _CACHE.get(content_key(X, gap), lambda: _solution(X, gap))


def forget() -> None:
    """Empty the memory of graphs."""
    _CACHE.clear()


def _dense_rows(X: Any) -> Array:
    if is_sparse(X):
        X = X.toarray()
    if is_operator(X):
        raise ValueError("The ℓ1 graph needs the entries of X: pass an array, not an operator.")
    rows = np.asarray(X)
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    if rows.ndim != 2 or rows.size == 0:
        raise ValueError(
            f"X must be a matrix with at least one row and one column, not of shape {rows.shape}."
        )
    if not np.isfinite(rows).all():
        raise ValueError("X contains NaN or infinity: the ℓ1 graph needs a finite number in every entry.")
    return np.ascontiguousarray(rows)


def _solution(X: Array, gap: float) -> Solution:
    problem = GraphProblem(X)
    if X.shape[0] >= max(_MANY, X.shape[1] + 1) and (gap or _ROUGH_GAP) >= _STREAMED_GAP:
        from methods.l1_wide import solve_wide  # numba takes long to load

        solution = solve_wide(X, gap or _ROUGH_GAP, MAX_ITER)
    else:
        solution = solve(problem, gap or _ROUGH_GAP, MAX_ITER, np.float32)
    unsettled = np.flatnonzero(solution.gap > gap)
    if unsettled.size:
        solution = _polished(problem.atoms, solution, unsettled)
    codes = solution.codes.astype(X.dtype)
    codes.sort_indices()
    objective = _entry_sums(codes) + _residual_norms(problem.atoms, codes)
    for array in (codes.data, codes.indices, codes.indptr, objective, solution.bound, solution.n_iter):
        array.flags.writeable = False
    return replace(solution, codes=codes, objective=objective)


def _polished(X: Array, solution: Solution, rows: Codes) -> Solution:
    bound = solution.bound.copy()
    lines = [solution.codes[[i]] for i in range(X.shape[0])]
    for i in rows:
        code, _, bound[i] = exact_code(X, int(i), lines[i].toarray()[0])
        lines[i] = sparse.csr_array(code[None])
    return replace(solution, codes=sparse.csr_array(sparse.vstack(lines)), bound=bound)


def _entry_sums(codes: Graph) -> Array:
    return np.asarray(abs(codes).sum(axis=1, dtype=np.float64)).ravel()


def _residual_norms(X: Array, codes: Graph) -> Array:
    norms = np.empty(X.shape[0])
    for first in range(0, X.shape[0], 256):
        part = slice(first, first + 256)
        norms[part] = np.abs(X[part] - codes[part].astype(np.float64) @ X).sum(axis=1)
    return norms


# A graph of 2 000 samples takes about half a megabyte.
_CACHE: ContentCache[Solution] = ContentCache(
    max_bytes=64 * 2**20,
    size=lambda solution: (
        solution.codes.data.nbytes + solution.codes.indices.nbytes + 32 * solution.codes.shape[0]
    ),
)
