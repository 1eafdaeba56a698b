"""Absorption probabilities of random walks on a graph, computed without a single subtraction.

    (diag(W1 + e) − W) F = B,   W ≥ 0 with zero diagonal, e ≥ 0, B ≥ 0

W holds rates between nodes, e the rates of leaving, B what is found on leaving. Near-singular
systems of this kind (condition 10³⁶ is common) are beyond LAPACK, which forms pivots as small
differences of large numbers. Grassmann, Taksar and Heyman (1985) form each pivot as the sum of
what is left in its row instead. Then every number is a sum, product or quotient of numbers
≥ 0, and every entry of F comes out with a small relative error, whatever the condition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular
from scipy.special import logsumexp

from methods.typing import Array, Graph

_BLOCK = 96
_DENSE_BELOW = 300
_DENSE_FROM = 0.1


def absorbed(W: Array | Graph, leaving: Array, B: Array) -> Array:
    """Return F. Every node must have a way out: a path along W to a node with leaving > 0.

    Dense W is overwritten. Cost: 2n³/3 + 2n²c as matrix products; sparse W is reduced first.
    """
    carried = np.column_stack([leaving, B])
    F = _dense(W, carried) if isinstance(W, np.ndarray) else _sparse(W, carried)
    return F[:, 1:]


def absorbed_by_logs(logs: Array, log_leaving: Array, log_B: Array) -> Array:
    """Return F when the logarithms of W, e and B are given, and differ by more than doubles can hold.

    The same elimination with logarithms, n³/3 calls of `logaddexp`: exact, but some hundred times slower.
    """
    n = logs.shape[0]
    A = np.column_stack([log_B, log_leaving, logs])
    first, last = log_B.shape[1] + 1, log_B.shape[1]
    for k in range(n - 1, -1, -1):
        way_in, row = first + k, A[k, : first + k]
        row -= logsumexp(row[last:])
        A[:k, :way_in] = np.logaddexp(A[:k, :way_in], A[:k, way_in, None] + row)
        A[np.arange(k), first + np.arange(k)] = -np.inf
    F = np.empty((n, last))
    for k in range(n):
        row = np.exp(A[k, : first + k])
        F[k] = row[:last] + row[first:] @ F[:k]
    return F


def _dense(W: Array, carried: Array) -> Array:
    """Eliminate blocks of nodes: small steps inside a block, matrix products for all the rest."""
    n, F = W.shape[0], carried
    blocks = [slice(first, min(first + _BLOCK, n)) for first in range(0, n, _BLOCK)]
    uppers = []
    for block in blocks:
        rest = slice(block.stop, n)
        lower, upper = _block_factors(W[block, block], W[block, rest].sum(axis=1) + F[block, 0])
        uppers.append(upper)
        W[block, rest] = _solve(lower, W[block, rest], lower=True)
        F[block] = _solve(lower, F[block], lower=True)
        share = _solve(upper.T, W[rest, block].T, lower=True).T
        W[rest, rest] += share @ W[block, rest]
        F[rest] += share @ F[block]
    for block, upper in zip(reversed(blocks), reversed(uppers), strict=True):
        rest = slice(block.stop, n)
        F[block] = _solve(upper, F[block] + W[block, rest] @ F[rest], lower=False)
    return F


def _block_factors(W: Array, outside: Array) -> tuple[Array, Array]:
    """Return the triangular factors of diag(row sums + outside) − W; `outside` is all that leaves the block.

    Off their diagonals both factors are ≤ 0, so that solving with them only ever adds.
    """
    W, outside, size = W.copy(), outside.copy(), W.shape[0]
    lower, upper = np.eye(size), np.zeros_like(W)
    for k in range(size):
        after = slice(k + 1, size)
        pivot = W[k, after].sum() + outside[k]
        share = W[after, k] / pivot
        # What returns to its own node lands on the diagonal, which is never read.
        W[after, after] += np.multiply.outer(share, W[k, after])
        outside[after] += share * outside[k]
        upper[k, k], upper[k, after], lower[after, k] = pivot, -W[k, after], -share
    return lower, upper


def _solve(factor: Array, right: Array, *, lower: bool) -> Array:
    if not right.size:
        return right
    return np.asarray(solve_triangular(factor, right, lower=lower, check_finite=False))


def _sparse(W: Graph, carried: Array) -> Array:
    """Eliminate independent sets of nodes until the remaining graph is small or dense."""
    F, nodes, stages = np.empty_like(carried), np.arange(W.shape[0]), []
    while nodes.size > _DENSE_BELOW and W.nnz < _DENSE_FROM * nodes.size**2:
        out = _apart(W)
        stay = ~out
        ways, gone, left = W[out], carried[out], W[stay]
        pivots = _row_sums(ways) + gone[:, 0]
        ways.data /= np.repeat(pivots, np.diff(ways.indptr))
        gone /= pivots[:, None]
        share, ways = left[:, out], ways[:, stay]
        stages.append((nodes[out], nodes[stay], ways, gone))
        W = _without_diagonal(left[:, stay] + share @ ways)
        carried, nodes = carried[stay] + share @ gone, nodes[stay]
    F[nodes] = _dense(W.toarray(), carried)
    for out_nodes, stay_nodes, ways, gone in reversed(stages):
        F[out_nodes] = ways @ F[stay_nodes] + gone
    return F


def _apart(W: Graph) -> Any:
    """Return a mask of nodes, no two joined either way, each with fewer edges than its neighbours."""
    n = W.shape[0]
    joined = (W + W.T).tocoo()
    joined_rows, joined_columns = joined.coords
    edges = np.bincount(joined_rows, minlength=n)
    # Ties fall at random, or else a long chain of equals would be taken apart one by one.
    rank = np.empty(n, dtype=np.int64)
    rank[np.lexsort((np.random.default_rng(0).permutation(n), edges))] = np.arange(n)
    lowest = np.full(n, n)
    np.minimum.at(lowest, joined_rows, rank[joined_columns])
    return rank < lowest


def _row_sums(W: Graph) -> Array:
    return np.asarray(W.sum(axis=1)).ravel()


def _without_diagonal(W: Graph) -> Graph:
    entries = W.tocoo()
    rows, columns = entries.coords
    off = rows != columns
    return sparse.csr_array((entries.data[off], (rows[off], columns[off])), shape=W.shape)
