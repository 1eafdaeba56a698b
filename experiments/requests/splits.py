"""Splits: which rows are labelled, which are seen without their label, which are held out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from datasets import Dataset

Rows = npt.NDArray[np.int64]
Order = Literal["shuffled", "stored"]


@dataclass(frozen=True, eq=False)
class Split:
    """A partition of the rows of a data set, as sorted read-only arrays of row indices.

    Attributes
    ----------
    labelled : rows whose label a method may use.
    unlabelled : rows a method sees without a label.
    held_out : rows no method sees before it is tested.
    y_partial : the label of each row if it is labelled, else -1; as long as the data set.
    """

    labelled: Rows
    unlabelled: Rows
    held_out: Rows
    y_partial: Rows

    def __post_init__(self) -> None:
        """Make the arrays read-only, since runs share them."""
        for array in (self.labelled, self.unlabelled, self.held_out, self.y_partial):
            array.flags.writeable = False

    @property
    def train(self) -> Rows:
        """The rows a method is fitted on: labelled and unlabelled, sorted."""
        return np.sort(np.concatenate([self.labelled, self.unlabelled]))


def split(
    ds_or_y: Dataset | npt.ArrayLike,
    labelled_per_class: int = 2,
    labelled_fraction: float | None = None,
    held_out_per_class: int = 0,
    held_out_fraction: float = 0.0,
    seed: int = 0,
    order: Order | None = None,
    given: bool = False,
) -> Split:
    """Split the rows class by class, at random but reproducibly.

    Each class is shuffled once by the seed. Held-out rows come from its front, labelled rows
    from its back. So a larger number of either keeps the earlier rows, and neither choice moves
    the other. Rows of unknown class (-1) are always unlabelled.

    Parameters
    ----------
    ds_or_y : Dataset or array-like of int
        The data set, or its class codes.
    labelled_per_class : int
        Labelled rows in every class; 0 to start with none.
    labelled_fraction : float, optional
        Used instead of `labelled_per_class` if given: the share, in (0, 1], of each class's rows
        that are not held out, rounded, and at least one row.
    held_out_per_class : int
        Held-out rows in every class.
    held_out_fraction : float
        The share, in [0, 1), of each class's rows to hold out, rounded; one row at least is left.
        At most one of the two held-out arguments may be set.
    seed : int
        The same seed gives the same split.
    given : bool
        Take the split that came with the data, for all of the above.
    order : {"shuffled", "stored"}, optional
        Rows of a class are shuffled, or, as papers that train on the first half of each class have it, stay
        as they are stored: the first are labelled and the last held out, whatever the seed.

    Raises
    ------
    ValueError
        If there are no labels, an argument is out of range, or a class has too few rows.
    """
    check_request(labelled_per_class, labelled_fraction, held_out_per_class, held_out_fraction, seed, order)
    y = _labels(ds_or_y)
    if given:
        return _as_given(ds_or_y, y)
    labelled, held_out = [], []
    for code, rows in _classes_in_order(y, seed, order):
        n_held = held_out_per_class or min(_rounded(held_out_fraction * rows.size), rows.size - 1)
        n_labelled = labelled_per_class
        if labelled_fraction is not None:
            n_labelled = max(1, _rounded(labelled_fraction * (rows.size - n_held)))
        if n_labelled + n_held > rows.size:
            raise ValueError(
                f"{_name(ds_or_y, code)} has {rows.size} rows, too few for "
                f"{n_labelled} labelled and {n_held} held out"
            )
        held_out.append(rows[:n_held])
        labelled.append(rows[rows.size - n_labelled :])
    return _assemble(y, np.concatenate(labelled), np.concatenate(held_out))


def _as_given(ds_or_y: Dataset | npt.ArrayLike, y: Rows) -> Split:
    """Return the split that came with a data set; rows of unknown class are unlabelled, not labelled."""
    codes = ds_or_y.given if isinstance(ds_or_y, Dataset) else None
    if codes is None:
        raise ValueError("these data came without a split: leave given out")
    labelled, held_out = np.flatnonzero((codes == 0) & (y >= 0)), np.flatnonzero(codes == 2)
    if not labelled.size:
        raise ValueError("the split that came with these data labels no row of known class")
    return _assemble(y, labelled, held_out)


def check_request(
    labelled_per_class: int,
    labelled_fraction: float | None,
    held_out_per_class: int,
    held_out_fraction: float,
    seed: int,
    order: Order | None = None,
) -> None:
    """Raise a ValueError that names the first argument of `split` that is out of range for any data."""
    if labelled_fraction is None and labelled_per_class < 0:
        raise ValueError(f"labelled_per_class must be at least 0, not {labelled_per_class}")
    if labelled_fraction is not None and not 0 < labelled_fraction <= 1:
        raise ValueError(f"labelled_fraction must be above 0 and at most 1, not {labelled_fraction}")
    if held_out_per_class < 0:
        raise ValueError(f"held_out_per_class must be at least 0, not {held_out_per_class}")
    if not 0 <= held_out_fraction < 1:
        raise ValueError(f"held_out_fraction must be at least 0 and below 1, not {held_out_fraction}")
    if held_out_per_class and held_out_fraction:
        raise ValueError("give held_out_per_class or held_out_fraction, not both")
    if seed < 0:
        raise ValueError(f"seed must be at least 0, not {seed}")
    if order is not None and order not in get_args(Order):
        raise ValueError(f"order must be one of {', '.join(get_args(Order))}, not {order!r}")


def _labels(ds_or_y: Dataset | npt.ArrayLike) -> Rows:
    if isinstance(ds_or_y, Dataset):
        if ds_or_y.y is None:
            raise ValueError(f"data set {ds_or_y.id!r} has no labels, so it cannot be split by class")
        y = ds_or_y.y
    else:
        codes = np.asarray(ds_or_y)
        if codes.ndim != 1 or not np.issubdtype(codes.dtype, np.integer):
            raise ValueError(
                f"y must be one row of integer class codes (-1 unknown), "
                f"not {codes.dtype} of shape {codes.shape}"
            )
        y = codes.astype(np.int64)
    if not np.any(y >= 0):
        raise ValueError("no row has a known label (a class code of 0 or more), so there is no split")
    return y


def _classes_in_order(y: Rows, seed: int, order: Order | None) -> Iterator[tuple[int, Rows]]:
    # A generator of its own for each class: adding a class leaves the choices in the others.
    for code in np.unique(y[y >= 0]):
        rows = np.flatnonzero(y == code)
        if order == "stored":
            yield int(code), rows[::-1]  # Labelled rows come from the back.
        else:
            yield int(code), np.random.default_rng([seed, int(code)]).permutation(rows)


def _rounded(count: float) -> int:
    # Halves go up: Python's round() sends them to the even neighbour, so 2.5 of 5 rows would give 2.
    return int(np.floor(count + 0.5))


def _name(ds_or_y: Dataset | npt.ArrayLike, code: int) -> str:
    return ds_or_y.target_names[code] if isinstance(ds_or_y, Dataset) else f"class {code}"


def _assemble(y: Rows, labelled: Rows, held_out: Rows) -> Split:
    y_partial = np.full_like(y, -1)
    y_partial[labelled] = y[labelled]
    seen_without_label = np.ones(y.size, dtype=bool)
    seen_without_label[labelled] = False
    seen_without_label[held_out] = False
    return Split(np.sort(labelled), np.flatnonzero(seen_without_label), np.sort(held_out), y_partial)
