"""`Dataset`: the one frozen form in which every data set, built in or uploaded, reaches the methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.schema import Card, OptionValue

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
SparseMatrix: TypeAlias = sparse.csr_array[Any] | sparse.csr_matrix[Any]
Matrix: TypeAlias = FloatArray | SparseMatrix

# What a split that came with the data says of a row; the codes count from 0.
SPLIT_PARTS = ("labelled", "unlabelled", "held out")

_Scalar = TypeVar("_Scalar", bound=np.generic)


class DataUnavailableError(RuntimeError):
    """The data of a known data set is not on this machine; the message says how to get it."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Samples in rows, seen through one or more views, with labels where they are known.

    Attributes
    ----------
    id, title : str
        Name in the catalogue (or of the upload) and heading for people.
    views : mapping of str to array or CSR matrix
        float32 or float64 matrices over the same rows; the first one is `X`.
    y : int64 array or None
        Class codes, -1 where the class is unknown. None when there are no classes at all.
    target_names : tuple of str
        Name of each class code; left out, the codes themselves.
    image_shape : (height, width) or None
        Set when the rows of `X` are images, row by row.
    feature_names : tuple of str or None
        Names of the columns of `X`, for instance the words of a vocabulary.
    view_features : mapping of str to tuple of str
        The same for every view whose columns have names.
    texts : mapping of str to tuple of str
        For views made of text: the text of each sample as it was before it became numbers.
    sample_names : tuple of str or None
        What each sample is called, for instance the title of a document.
    options : mapping
        The options it was loaded with.
    reading : mapping
        Of an upload: the corrections it was read with, as `datasets.read` takes them again.
    given : int8 array or None
        The split that came with the data, a code of `SPLIT_PARTS` a row.
    files : tuple of (name, SHA-256)
        Of an upload: the files it was read from.
    card : Card or None
        Where it comes from; None for data sets made on the spot.
    parts : array (parts, features) or None
        The true parts `X` is composed of, where they are known.

    Arrays are read-only views: a data set can be shared between threads and sessions. Two data
    sets are equal only if they are the same object.
    """

    id: str
    title: str
    views: Mapping[str, Matrix]
    y: npt.NDArray[np.int64] | None = None
    target_names: tuple[str, ...] = ()
    image_shape: tuple[int, int] | None = None
    feature_names: tuple[str, ...] | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    card: Card | None = None
    parts: FloatArray | None = None
    view_features: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sample_names: tuple[str, ...] | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[tuple[str, str], ...] = ()
    given: npt.NDArray[np.int8] | None = None

    def __post_init__(self) -> None:
        """Check that everything fits together and make it read-only."""
        views = {name: _frozen_view(name, view) for name, view in self.views.items()}
        _check_rows(views)
        self._set("views", MappingProxyType(views))
        self._set("options", MappingProxyType(dict(self.options)))
        self._set("reading", MappingProxyType(dict(self.reading)))
        self._set("target_names", tuple(self.target_names))
        self._set("files", tuple((name, digest) for name, digest in self.files))
        if self.y is not None:
            y = _frozen_labels(self.y, self.n_samples)
            self._set("y", y)
            self._check_target_names(int(y.max()) + 1)
        if self.given is not None:
            self._set("given", _frozen_split(self.given, self.n_samples))
        self._complete_names()
        self._check_features()
        self._check_texts()

    def _set(self, name: str, value: object) -> None:
        # The dataclass is frozen for its users; this is how it completes itself while being made.
        object.__setattr__(self, name, value)

    def _check_target_names(self, n_codes: int) -> None:
        if not self.target_names:
            self._set("target_names", tuple(str(code) for code in range(n_codes)))
        if n_codes > len(self.target_names):
            raise ValueError(
                f"target_names has {len(self.target_names)} names, but y holds class code {n_codes - 1}"
            )

    def _complete_names(self) -> None:
        # The names of the first view can be given in either place and are found in both.
        first = next(iter(self.views))
        names = {view: tuple(words) for view, words in self.view_features.items()}
        if self.feature_names is None:
            self._set("feature_names", names.get(first))
        else:
            names[first] = tuple(self.feature_names)
            self._set("feature_names", names[first])
        self._set("view_features", MappingProxyType(names))
        for view, words in names.items():
            self._check_view_name("view_features", view)
            if len(words) != self.views[view].shape[1]:
                what = "feature_names" if view == first else f"view_features[{view!r}]"
                raise ValueError(
                    f"{what} has {len(words)} names; {'X' if view == first else 'the view'} "
                    f"has {self.views[view].shape[1]} features"
                )

    def _check_view_name(self, what: str, name: str) -> None:
        if name not in self.views:
            raise ValueError(f"{what} names a view {name!r}; the views are {', '.join(self.views)}")

    def _check_texts(self) -> None:
        self._set("texts", MappingProxyType({view: tuple(texts) for view, texts in self.texts.items()}))
        if self.sample_names is not None:
            self._set("sample_names", tuple(self.sample_names))
        for view, texts in self.texts.items():
            self._check_view_name("texts", view)
            self._check_one_each(f"texts[{view!r}]", texts)
        self._check_one_each("sample_names", self.sample_names)

    def _check_one_each(self, what: str, values: tuple[str, ...] | None) -> None:
        if values is not None and len(values) != self.n_samples:
            raise ValueError(f"{what} has {len(values)} entries; there are {self.n_samples} samples")

    def _check_features(self) -> None:
        if self.image_shape is not None:
            height, width = self.image_shape
            if height * width != self.n_features:
                raise ValueError(
                    f"image_shape {height}x{width} means {height * width} features; X has {self.n_features}"
                )
        if self.parts is not None:
            parts = np.asarray(self.parts)
            if parts.ndim != 2 or parts.shape[1] != self.n_features:
                raise ValueError(f"parts has shape {parts.shape}; expected (parts, {self.n_features})")
            self._set("parts", _read_only(parts))

    @property
    def X(self) -> Matrix:  # noqa: N802 - the mathematical name, as in scikit-learn
        """The first view."""
        return next(iter(self.views.values()))

    @property
    def n_samples(self) -> int:
        """Number of rows, the same in every view."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns of the first view."""
        return int(self.X.shape[1])

    @property
    def n_classes(self) -> int:
        """Number of named classes; 0 without labels."""
        return 0 if self.y is None else len(self.target_names)

    def __repr__(self) -> str:
        """Return id, views with their sizes and number of classes, without the arrays."""
        sizes = ", ".join(f"{name} {view.shape[0]}x{view.shape[1]}" for name, view in self.views.items())
        return f"Dataset({self.id!r}, views: {sizes}; {self.n_classes} classes)"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as plain dictionaries and build anew, since pickling loses read-only flags."""
        values = (getattr(self, item.name) for item in fields(self))
        return Dataset, tuple(dict(v) if isinstance(v, MappingProxyType) else v for v in values)


def _check_rows(views: Mapping[str, Matrix]) -> None:
    if not views:
        raise ValueError("views is empty; a data set needs at least one view")
    lengths = {name: view.shape[0] for name, view in views.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"views must have the same number of rows: {listed}")


def _frozen_view(name: str, view: Matrix) -> Matrix:
    if sparse.issparse(view) and not isinstance(view, sparse.csr_array | sparse.csr_matrix):
        raise ValueError(f"view {name!r} is a sparse {view.format} matrix; use CSR")
    if not isinstance(view, np.ndarray | sparse.csr_array | sparse.csr_matrix):
        raise ValueError(f"view {name!r} must be a NumPy array or a CSR matrix, not {type(view).__name__}")
    if view.ndim != 2 or 0 in view.shape:
        raise ValueError(f"view {name!r} must have rows and columns; its shape is {view.shape}")
    if view.dtype not in (np.float32, np.float64):
        raise ValueError(f"view {name!r} must be float32 or float64, not {view.dtype}")
    return _read_only(view) if isinstance(view, np.ndarray) else _read_only_csr(view)


def _frozen_labels(y: npt.ArrayLike, n_samples: int) -> npt.NDArray[np.int64]:
    codes = np.asarray(y)
    if codes.shape != (n_samples,):
        raise ValueError(f"y has shape {codes.shape}; expected one class code for each of {n_samples} rows")
    if not np.issubdtype(codes.dtype, np.integer):
        raise ValueError(f"y must hold integer class codes (-1 unknown), not {codes.dtype}")
    if codes.min() < -1:
        raise ValueError(f"y holds {codes.min()}; class codes start at 0, and -1 means unknown")
    return _read_only(codes.astype(np.int64, copy=False))


def _frozen_split(given: npt.ArrayLike, n_samples: int) -> npt.NDArray[np.int8]:
    codes = np.asarray(given)
    if codes.shape != (n_samples,) or not np.isin(codes, range(len(SPLIT_PARTS))).all():
        raise ValueError(
            f"given must hold a code from 0 to {len(SPLIT_PARTS) - 1} for each of {n_samples} rows"
        )
    return _read_only(codes.astype(np.int8))


def _read_only(array: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
    # A view: the caller's own array stays as writeable as it was, and nothing is copied.
    view = array.view()
    view.flags.writeable = False
    return view


def _read_only_csr(matrix: SparseMatrix) -> SparseMatrix:
    # SciPy sorts indices in place on first need, which a read-only matrix cannot do; so it is done now.
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    arrays = (_read_only(matrix.data), _read_only(matrix.indices), _read_only(matrix.indptr))
    return type(matrix)(arrays, shape=matrix.shape, copy=False)
