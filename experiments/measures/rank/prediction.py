"""Criteria that reward prediction: of entries that were hidden, and of blocks that were left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy import sparse

from experiments.measures.rank.curve import Curve, factorized, measured
from methods.nnls import least_squares
from methods.typing import Array, is_sparse


def hidden_entries(X: Any, ks: Iterable[int], *, seeds: int = 5, share: float = 0.1, **params: Any) -> Curve:
    """Hide a share of the entries, fit the rest, and measure the relative error on what was hidden.

    Further parts help as long as they are shared by samples; then they fit noise, which helps nobody.
    Sparse X stays sparse: zeros are hidden as often as other entries.
    """
    if not 0 < share < 1:
        raise ValueError(f"share={share} must lie between 0 and 1.")
    held = [hide(X, share, np.random.default_rng(seed)) for seed in range(max(1, seeds))]

    def error(k: int, seed: int) -> float:
        entries, masked = held[seed]
        return entries_error(factorized(masked, k, seed, **params), entries)

    ordered, values = measured(ks, seeds, error)
    return Curve(
        "hidden entries",
        "Rewards parts that tell what entries nobody has shown them are: the fewest after which the error on "
        "hidden entries stops falling.",
        ordered,
        values,
        "error",
    )


def entries_error(est: Any, entries: tuple[Array, Array, Array]) -> float:
    """Return the relative error of a fit on some entries: their rows, columns and values."""
    rows, columns, truth = entries
    guess = np.einsum("ek,ke->e", est.embedding_[rows], est.components_[:, columns])
    whole = float(np.square(truth).sum())
    return float(np.sqrt(np.square(truth - guess).sum() / whole)) if whole > 0 else 0.0


def bi_cross_validation(X: Any, ks: Iterable[int], *, seeds: int = 5, folds: int = 2, **params: Any) -> Curve:
    """Leave out a block of rows × columns in turn, and predict it from the other three blocks.

    With X = [[A, B], [C, D]] and D ≈ WH: A is predicted as (coefficients of B on H)·(parts of C given W),
    both by non-negative least squares (Owen and Perry, 2009).
    """
    n, m = X.shape
    if not 2 <= folds <= min(n, m):
        raise ValueError(f"folds={folds} must be between 2 and {min(n, m)}.")

    def error(k: int, seed: int) -> float:
        return block_error(X, folds, seed, lambda block, rows: factorized(block, k, seed, **params))

    ordered, values = measured(ks, seeds, error)
    return Curve(
        "bi-cross-validation",
        "Rewards parts that hold for samples and features left out at the same time: the fewest after which "
        "the error on left-out blocks stops falling.",
        ordered,
        values,
        "error",
    )


def block_error(X: Any, folds: int, seed: int, fitted: Callable[[Any, Array], Any]) -> float:
    """Return the relative error on blocks left out in turn; `fitted` fits a block, given its rows."""
    n, m = X.shape
    rng = np.random.default_rng(seed)
    row_fold, column_fold = rng.permutation(np.arange(n) % folds), rng.permutation(np.arange(m) % folds)
    left = truth = 0.0
    for fold in range(folds):
        rows, columns = row_fold == fold, column_fold == fold
        est = fitted(_cut(X, ~rows, ~columns), ~rows)
        A, guess = _block(X, rows, columns), _predicted(X, rows, columns, est)
        left += float(np.square(A - guess).sum())
        truth += float(np.square(A).sum())
    return float(np.sqrt(left / truth)) if truth > 0 else 0.0


def _predicted(X: Any, rows: Array, columns: Array, est: Any) -> Array:
    codes = least_squares(est.components_, _cut(X, rows, ~columns))
    parts = least_squares(est.embedding_.T, _cut(X, ~rows, columns).T)
    return np.asarray(codes @ parts.T)


def _cut(X: Any, rows: Array, columns: Array) -> Any:
    return X[np.flatnonzero(rows)][:, np.flatnonzero(columns)]


def _block(X: Any, rows: Array, columns: Array) -> Array:
    block = _cut(X, rows, columns)
    return np.asarray(block.toarray() if is_sparse(block) else block, dtype=np.float64)


def hide(X: Any, share: float, rng: np.random.Generator) -> tuple[tuple[Array, Array, Array], Any]:
    """Return the places and values of some entries, and X without them."""
    n, m = X.shape
    places = rng.choice(n * m, size=max(1, round(share * n * m)), replace=False)
    rows, columns = places // m, places % m
    # Something stays known of every row and column.
    rows, columns = _spared(rows, columns, n, m)
    if not is_sparse(X):
        masked = np.array(X, copy=True)
        masked[rows, columns] = np.nan
        return (rows, columns, np.asarray(X[rows, columns], np.float64)), masked
    entries = X.tocsr()
    truth = np.asarray(entries[rows, columns], np.float64).ravel()
    holes = sparse.csr_array((np.full(rows.size, np.nan, entries.dtype), (rows, columns)), shape=(n, m))
    return (rows, columns, truth), sparse.csr_array(entries + holes)


def _spared(rows: Array, columns: Array, n: int, m: int) -> tuple[Array, Array]:
    keep = np.ones(rows.size, bool)
    for index, size, other in ((rows, n, m), (columns, m, n)):
        full = np.flatnonzero(np.bincount(index, minlength=size) == other)
        for line in full:
            keep[np.flatnonzero(index == line)[0]] = False
    return rows[keep], columns[keep]
