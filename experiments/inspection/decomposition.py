"""One sample as weight × part + weight × part + … + rest, the largest terms first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.inspection.parts import ERROR_TERMS, fitting_scale, has_free_scale, obstacle_of
from experiments.requests.library import (
    load_dataset,
    method_spec,
    parts_by_view,
    rows_of,
    sample_scale,
    seen_rows,
)

Values = NDArray[Any]
Kind = Literal["mean", "part", "rest"]


@dataclass(frozen=True, eq=False)
class Term:
    """One summand: `weight` × `values`, whose largest entry is ±1.

    `number` is that of the part, -1 for the mean and for the rest; `count` says of how many parts it is.
    """

    kind: Kind
    number: int
    weight: float
    values: Values
    count: int = 1


@dataclass(frozen=True, eq=False)
class Summands:
    """A sample, and what a method adds up to come near it: weights × parts + mean.

    `shape` is height and width if the features are pixels, `names` are those of other features.
    """

    original: Values
    weights: Values
    parts: Values
    mean: Any = 0
    shape: tuple[int, int] | None = None
    names: Sequence[str] | None = None

    @property
    def whole(self) -> Values:
        """The sum of everything."""
        return np.asarray(self.weights @ self.parts + self.mean)

    def terms(self, most: int, off: Collection[int] = ()) -> list[Term]:
        """Return the mean, if there is one, the largest `most` parts, and the rest of those not `off`."""
        size = np.abs(self.weights) * np.linalg.norm(self.parts, axis=1)
        largest = [int(part) for part in np.argsort(-size, kind="stable")[:most]]
        others = np.setdiff1d(np.arange(len(size)), [*largest, *off])
        mean = np.broadcast_to(self.mean, self.original.shape)
        rest = self.weights[others] @ self.parts[others]
        terms = [_term("mean", -1, mean, 1)] if mean.any() else []
        terms += [_term("part", part, self.weights[part] * self.parts[part], 1) for part in largest]
        return terms + ([_term("rest", -1, rest, len(others))] if rest.any() else [])


def _term(kind: Kind, number: int, values: Values, count: int) -> Term:
    # A part that is subtracted is told by its weight: it looks the same wherever it is used.
    weight = float(np.abs(values).max(initial=0.0))
    if kind == "part" and values.size and values[np.abs(values).argmax()] < 0:
        weight = -weight
    return Term(kind, number, weight, values / weight if weight else values, count)


def why_no_sum(handle: Handle) -> str:
    """Return why the parts of a run do not add up to samples; nothing if they do."""
    terms = handle.reader.layout.terms if handle.reader else ()
    return obstacle_of(method_spec(handle.request.method), terms)


def rebuilds(handle: Handle) -> bool:
    """Return whether a method tries to rebuild samples, if only after a bend of space."""
    return handle.reader is not None and bool(ERROR_TERMS & set(handle.reader.layout.terms))


def summands(
    handle: Handle, arrays: dict[str, Values], place: int = 0, view: str | None = None
) -> Summands | None:
    """Return what adds up to a training sample (by its place) in a view; None if nothing does.

    They are in the units of the data, whatever the method has made of these.
    """
    request = handle.request
    ds, spec = load_dataset(request.dataset, **request.dataset_options), method_spec(request.method)
    parts_of_views = parts_by_view(arrays, ds, request)
    if not parts_of_views or not 0 <= place < len(arrays.get("embedding", ())):
        return None
    displayed_view = view if view in parts_of_views else next(iter(parts_of_views))
    parts, weights = parts_of_views[displayed_view], arrays["embedding"][place]
    if weights.size != parts.shape[0] or parts.shape[1] != ds.views[displayed_view].shape[1]:
        return None
    row = int(rows_of(ds, request).train[place])
    scale = sample_scale(ds, request, displayed_view, row)
    original = _original(handle, displayed_view, row)
    mean = parts_by_view(arrays, ds, request, "mean").get(displayed_view, 0)
    weights = weights * scale
    if has_free_scale(spec):
        weights = weights * fitting_scale(original - mean * scale, weights @ parts)
    first = displayed_view == next(iter(ds.views))
    names = ds.view_features.get(displayed_view) or (ds.feature_names if first else None)
    return Summands(original, weights, parts, mean * scale, ds.image_shape if first else None, names)


def _original(handle: Handle, view: str, row: int) -> Values:
    """Return a sample as the method was shown it, behind its patch if it has one."""
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    rows: Any = ds.views[view] if request.corruption is None else seen_rows(ds, request, rows_of(ds, request))
    sample = rows[[row]]
    dense: Values = np.asarray(sample.toarray() if hasattr(sample, "toarray") else sample)
    return np.asarray(dense[0])
