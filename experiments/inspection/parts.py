"""The parts of a run in one view of its data: weight, sparsity, samples that use them, reconstructions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

import datasets
import methods
from datasets import Dataset
from experiments.engine.service import Handle
from experiments.measures.sparsity import energy, hoyer, spatial_concentration, zero_fraction
from experiments.requests.prepare import rows_of, seen_rows
from experiments.requests.request import RunRequest
from experiments.requests.splits import Split
from experiments.requests.views import parts_by_view, view_names
from methods import Spec

Values: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]
Order = Literal["weight", "sparsity", "class", "number"]
# Terms of objectives that ask for the samples to be rebuilt from the parts.
ERROR_TERMS = {"reconstruction", "divergence"}


@dataclass(frozen=True)
class Rebuilt:
    """A sample beside the sum of all parts and the sum of those left on.

    Errors are lengths of what is missing, in shares of the length of the sample.
    """

    original: NDArray[Any]
    whole: NDArray[Any]
    left: NDArray[Any]
    whole_error: float
    left_error: float


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts (rows of `components`) in one view, and how much each training sample uses them.

    `discriminative` counts the first ones, which tell classes apart (U¹); 0 if the method makes no such
    difference. `obstacle` says why the parts do not add up to samples; it is empty if they do.
    """

    request: RunRequest
    spec: Spec
    ds: Dataset
    rows: Split
    view: str
    components: NDArray[Any]
    embedding: NDArray[Any]
    mean: Any
    discriminative: int
    obstacle: str

    @property
    def image_shape(self) -> tuple[int, int] | None:
        """Height and width if these parts are pictures: those of the first view may be."""
        first = self.view == next(iter(self.ds.views))
        return self.ds.image_shape if first else None

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """The names of the features, if they have any."""
        return self.ds.view_features.get(self.view)

    @cached_property
    def weight(self) -> Values:
        """The share of each part in the weight of all."""
        weights = energy(self.components, self.embedding)
        total = weights.sum()
        return weights / total if total > 0 else weights

    @cached_property
    def sparsity(self) -> Values:
        """Hoyer's sparsity of each part."""
        return hoyer(self.components)

    @cached_property
    def zeros(self) -> Values:
        """The share of features of each part that are (almost) zero."""
        return zero_fraction(self.components)

    @cached_property
    def concentration(self) -> Values | None:
        """How close together the weight of each part lies in the picture; None if they are no pictures."""
        return None if self.image_shape is None else spatial_concentration(self.components, self.image_shape)

    @cached_property
    def best_class(self) -> Indices | None:
        """The class whose samples use each part most, on average; None if there are no classes."""
        if self.ds.y is None:
            return None
        y = self.ds.y[self.rows.train]
        codes = np.unique(y[y >= 0])
        if not codes.size:
            return None
        use = np.abs(self.embedding)
        means = np.stack([use[y == code].mean(axis=0) for code in codes])
        return np.asarray(codes[means.argmax(axis=0)], dtype=np.int64)

    def ordered(self, by: Order) -> Indices:
        """Return the numbers of the parts in an order for people to look at."""
        if by not in get_args(Order):
            raise ValueError(f"order must be one of {', '.join(get_args(Order))}, not {by!r}.")
        if by == "number":
            return np.arange(len(self.components))
        if by == "class" and self.best_class is not None:
            return np.lexsort((-self.weight, self.best_class))
        return np.argsort(-(self.sparsity if by == "sparsity" else self.weight), kind="stable")

    def users(self, part: int, count: int) -> Indices:
        """Return the places of the training samples that use a part most, the heaviest user first."""
        if not 0 <= part < len(self.components):
            raise ValueError(f"part must be from 0 to {len(self.components) - 1}, not {part}.")
        return np.argsort(-np.abs(self.embedding[:, part]), kind="stable")[:count]

    def row(self, place: int) -> int:
        """Return the row of the data set that a training sample is."""
        if not 0 <= place < self.rows.train.size:
            raise ValueError(f"sample must be from 0 to {self.rows.train.size - 1}, not {place}.")
        return int(self.rows.train[place])

    def original(self, place: int) -> NDArray[Any]:
        """Return a training sample as the method has seen it."""
        row, seen = self.row(place), seen_rows(self.ds, self.request, self.rows)
        side_by_side = not isinstance(seen, Mapping) and len(view_names(self.ds, self.request)) > 1
        matrix: Any = seen[self.view] if isinstance(seen, Mapping) else seen
        line: Any = (self.ds.views[self.view] if side_by_side else matrix)[[row]]
        values: NDArray[Any] = np.asarray(line if isinstance(line, np.ndarray) else line.toarray())[0]
        if not side_by_side and not self.request.every_param().get("unit_samples"):
            return values
        # Views that are to count alike are seen with every sample of length 1.
        length = float(np.linalg.norm(values))
        return values / length if length else values

    def rebuilt(self, place: int, off: Collection[int] = ()) -> Rebuilt:
        """Return a training sample beside the sum of its parts, with all of them and without those `off`."""
        if self.obstacle:
            raise ValueError(self.obstacle)
        original, use = self.original(place), self.embedding[place]
        if not all(0 <= part < len(use) for part in off):
            raise ValueError(f"parts to switch off must be from 0 to {len(use) - 1}.")
        on = np.ones(len(use), dtype=bool)
        on[list(off)] = False
        if has_free_scale(self.spec):
            use = use * fitting_scale(original - self.mean, use @ self.components)
        whole = use @ self.components + self.mean
        left = use[on] @ self.components[on] + self.mean
        length = float(np.linalg.norm(original)) or 1.0
        errors = [float(np.linalg.norm(original - made)) / length for made in (whole, left)]
        return Rebuilt(original, whole, left, *errors)


def has_free_scale(spec: Spec) -> bool:
    """Return whether a method's weights keep a size of their own, and not that of the samples: LNMF's do."""
    return not spec.monotone and not spec.signed and spec.needs == {"nonnegative"}


def fitting_scale(original: NDArray[Any], whole: NDArray[Any]) -> float:
    """Return by how much a sum of parts must be lit to be as bright as the sample."""
    size = float(whole @ whole)
    return max(float(original @ whole), 0.0) / size if size > 0 else 1.0


def parts_of(handle: Handle, view: str | None = None) -> Parts | None:
    """Return the final parts of a run in a view (by default the first), None if it has none.

    Raises a ValueError for a view that the run does not use.
    """
    if handle.reader is None:
        return None
    request = handle.request
    ds, spec = datasets.load(request.dataset, **request.dataset_options), methods.spec(request.method)
    _, arrays = handle.reader.latest()
    matrices = parts_by_view(arrays, ds, request)
    if "components" not in spec.gives or not matrices or "embedding" not in arrays:
        return None
    view = view or next(iter(matrices))
    if view not in matrices:
        raise ValueError(f"This run has no parts of a view {view!r}; it has those of {', '.join(matrices)}.")
    q = min(handle.ending.get("discriminative") or 0, len(matrices[view]))
    return Parts(
        request, spec, ds, rows_of(ds, request), view, matrices[view], arrays["embedding"],
        arrays.get("mean", 0), q, obstacle_of(spec, handle.reader.layout.terms),
    )  # fmt: skip


def obstacle_of(spec: Spec, terms: Collection[str]) -> str:
    """Return why the parts of a method do not add up to samples; nothing if they do."""
    if not spec.linear:
        return f"The parts of {spec.title} add up only after the bend of space, not as they are drawn."
    if not ERROR_TERMS & set(terms):
        return f"{spec.title} looks for directions, not for parts that add up to a sample."
    return ""
