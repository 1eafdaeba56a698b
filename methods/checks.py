"""Checks on what people pass in; every refusal names the parameter or the rows and says what would do."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import validate_data

from methods.typing import Array, Codes, is_sparse

UNLABELLED = -1
UNKNOWN_WORDS = ("", "-1")


def is_operator(X: Any) -> bool:
    """Return whether X offers only products (a `LinearOperator` or something alike)."""
    return hasattr(X, "matmat") and hasattr(X, "rmatmat") and not is_sparse(X)


def check_data(
    estimator: Any,
    X: Any,
    *,
    nonnegative: bool,
    reset: bool = True,
    accept_sparse: bool = False,
    entries: bool = False,
    holes: bool = False,
) -> Any:
    """Return X as float32 or float64 rows, or say what is wrong with which rows.

    With `holes`, NaN is an entry that nobody knows, and stays. `accept_sparse` lets operators through too,
    unless the method needs the `entries` themselves.
    """
    if is_operator(X) and (entries or not accept_sparse):
        raise ValueError(
            f"{type(estimator).__name__} needs the entries of X, which products with X alone do not give: "
            f"pass a dense{' or sparse' if accept_sparse else ''} matrix."
        )
    if is_sparse(X) and not accept_sparse:
        raise TypeError(_too_sparse(estimator, X))
    if accept_sparse and is_operator(X):
        if reset:
            estimator.n_features_in_ = X.shape[1]
        return X
    X = validate_data(
        estimator,
        X,
        reset=reset,
        dtype=[np.float64, np.float32],
        accept_sparse=("csr", "csc") if accept_sparse else False,
        ensure_all_finite=False,
    )
    if is_sparse(X):
        X = _with_small_indices(X)
    name = type(estimator).__name__
    values = X.data if is_sparse(X) else X
    # One pass over the data decides; only a refusal pays for finding out which rows are to blame.
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum(dtype=np.float64)
    if not np.isfinite(total) and not np.isfinite(values).all():
        _refuse_unfinite(X, name, holes)
    if nonnegative and values.size and (values < 0 if holes else values.min() < 0).any():
        rows = _rows_where(X, lambda part: part < 0)
        raise ValueError(
            f"Negative values in data passed to {name} ({rows}). "
            "It takes data apart into parts that only add up, so every entry must be zero or more."
        )
    return X


def _too_sparse(estimator: Any, X: Any) -> str:
    size = X.shape[0] * X.shape[1] * 8 / 2**20
    return (
        f"{type(estimator).__name__} works on every entry of X and takes no sparse matrix. As X.toarray() "
        f"this one takes {size:,.0f} MB; the methods that come with Partwise take it as it is."
    )


def _with_small_indices(X: Any) -> Any:
    """Return X with indices of 32 bits where these suffice: what is below does not take longer ones."""
    if X.indices.dtype == np.int32 or max(*X.shape, X.nnz) > np.iinfo(np.int32).max:
        return X
    indices, starts = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return type(X)((X.data, indices, starts), shape=X.shape)


def _refuse_unfinite(X: Any, name: str, holes: bool) -> None:
    for word, bad in (("NaN", np.isnan), ("infinity", np.isinf))[holes:]:
        if bad(X.data if is_sparse(X) else X).any():
            raise ValueError(
                f"Input X contains {word} ({_rows_where(X, bad)}). "
                f"{name} needs a finite number in every entry: fill in or leave out those rows."
            )


def _rows_where(X: Any, condition: Any) -> str:
    if is_sparse(X):
        coo = X.tocoo()
        rows = np.unique(coo.row[condition(coo.data)])
    else:
        rows = np.flatnonzero(condition(X).any(axis=1))
    listed = ", ".join(str(row) for row in rows[:5])
    more = f" and {rows.size - 5} more" if rows.size > 5 else ""
    return f"row{'s' if rows.size > 1 else ''} {listed}{more}"


def check_labels(name: str, y: Any, n_samples: int, *, least_classes: int = 2) -> tuple[Codes, Array]:
    """Return class codes 0, 1, … (-1 where unlabelled) and the classes they stand for.

    Unlabelled rows are marked -1; among words also by "", "-1", None, NaN or pandas' NA. At least
    `least_classes` classes must be labelled; where that is none, y may also be None.
    """
    if y is None and least_classes == 0:
        y = np.full(n_samples, UNLABELLED)
    if y is None:
        raise ValueError(
            f"{name} requires y to be passed, but the target y is None. "
            "Give class codes, with -1 for every row whose class is not known."
        )
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        message = "A column-vector y was passed when a 1d array was expected. Use y.ravel() to silence this."
        warnings.warn(message, DataConversionWarning, stacklevel=2)
        labels = labels[:, 0]
    if labels.ndim != 1 or labels.shape[0] != n_samples:
        raise ValueError(
            f"y should be a 1d array with one label for each of the {n_samples} rows, got {labels.shape}."
        )
    if labels.dtype.kind == "f":
        if not np.isfinite(labels).all():
            raise ValueError("Input y contains NaN or infinity: mark rows of unknown class with -1 instead.")
        if (labels != np.round(labels)).any():
            raise ValueError("Unknown label type: continuous. y must hold class codes, not measurements.")
        labels = labels.astype(np.int64)
    is_labelled = ~is_unknown(labels)
    try:
        classes, codes = np.unique(labels[is_labelled], return_inverse=True)
    except TypeError:
        raise ValueError("y mixes words and numbers: give either as the classes of all rows.") from None
    if classes.size < least_classes:
        shortage = f"only 1 class ({classes[0]!s})" if classes.size else "no labelled row at all"
        raise ValueError(f"{name} needs labelled rows of at least two classes, but y has {shortage}.")
    y_codes = np.full(n_samples, UNLABELLED, dtype=np.int64)
    y_codes[is_labelled] = codes
    return y_codes, classes


def is_unknown(labels: Array) -> npt.NDArray[np.bool_]:
    """Return where labels say that the class is unknown.

    >>> is_unknown(np.array(["a", "", "-1", None, float("nan"), -1, 0], dtype=object)).tolist()
    [False, True, True, True, True, True, False]
    """
    if labels.dtype.kind in "iu":
        return np.asarray(labels == UNLABELLED)
    if labels.dtype.kind in "US":
        return np.isin(labels.astype(str), UNKNOWN_WORDS)
    if labels.dtype.kind == "O":
        return np.array([_says_unknown(label) for label in labels.ravel()], dtype=bool).reshape(labels.shape)
    return np.zeros(labels.shape, dtype=bool)


def _says_unknown(label: Any) -> bool:
    # pandas' NA compares with nothing, itself included, so it is known by its type.
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(label, str):
        return label in UNKNOWN_WORDS
    return bool(label != label or label == UNLABELLED)


def check_start(
    name: str, array: Any, shape: tuple[int, ...], dtype: Any, *, source: str = "init", signed: bool = False
) -> Array:
    """Return a private copy of one array of an explicit start, or say how its shape differs.

    `source` is the argument the array came with; `signed` arrays may hold negative numbers.
    """
    values = np.array(array, dtype=dtype, order="C")
    if values.shape != shape:
        raise ValueError(f"{source}: {name} has shape {values.shape}, but this problem needs {shape}.")
    if not np.isfinite(values).all() or (not signed and (values < 0).any()):
        kind = "finite numbers" if signed else "finite numbers that are zero or more"
        raise ValueError(f"{source}: {name} must hold {kind}.")
    return values
