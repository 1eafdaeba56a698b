"""From named arrays, as .mat and .npz files hold them, to views and labels."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.dataset import Matrix
from datasets.reading.draft import (
    Draft,
    LabelColumn,
    as_matrix,
    distinct,
    is_sparse,
    picked_views,
    plain,
    some,
)
from datasets.reading.halves import joined, training_and_test
from datasets.reading.known_layouts import classes_together, entries_together, length_of, named, without_names
from datasets.reading.labels import from_array
from datasets.reading.limits import Limits, UploadError
from datasets.reading.orientation import are_pictures
from datasets.reading.stacks import Shapes, flattened

# Named values as read: arrays, sparse matrices, lists (cells) of these, lists of words.
Arrays = dict[str, Any]
_LABEL_NAME = re.compile(
    r"(gnd|gt|ground_?truth|truth|(true_?)?labels?|targets?|class(es)?|y|c|l|id|ids|subject)"
    r"(_?(train|tr|all))?( \d+)?",
    re.I,
)
_DATA_NAME = re.compile(r"(fea|features?|data|x|images?|samples?)(_?(train|tr|all))?", re.I)
# Whether longer rows or columns are pictures is not worth the time to find out.
_LONGEST_LOOKED_AT = 100_000
# Each costs time of its own, however small.
_MOST_PARTS = 2_000


@dataclass
class _Sorted:
    """Arrays by their possible use: views, labels (`written` as in the file), and names left out."""

    views: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, LabelColumn] = field(default_factory=dict)
    written: dict[str, Any] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    parts: int = 0


def read_arrays(
    arrays: Arrays,
    format: str,
    limits: Limits,
    *,
    label: object = None,
    views: object = None,
    transpose: bool = False,
    triplets: bool | None = None,
    left_out: tuple[str, ...] = (),
) -> Draft:
    """Choose labels and views among named arrays, samples in rows; `label` and `views` choose by name."""
    contents = _Sorted(left_out=list(left_out))
    arrays, names = without_names(arrays)
    made = _put_together(arrays, limits, triplets)
    for name, value in made.whole.items():
        _sort(contents, name, value)
    choices = tuple(contents.labels)
    name_of_labels = _label_name(contents, label)
    chosen = contents.labels.get(name_of_labels) if name_of_labels else None
    for name in contents.labels:
        # A vector is no view, unless it is asked for; a matrix that could have been labels may be one.
        value = contents.written[name]
        if name != name_of_labels and not _is_vector(value) and not _all_words(value):
            contents.views[name] = value
        elif name != name_of_labels:
            contents.left_out.append(f"{plain(name)} (a vector beside the labels)")
    if name_of_labels:
        contents.views.pop(name_of_labels, None)
    view_choices = tuple(contents.views)
    picked = _picked(contents, views)
    matrices, turned = _oriented(contents, picked, chosen, transpose, limits)
    first = next(iter(matrices.values()))
    draft = Draft(
        format,
        "table",
        matrices,
        stack_shape=made.shapes.get(first.shape[1]),
        given=_given(made.parts, first.shape[0]),
        labels=chosen,
        notes=made.notes + turned,
        left_out=contents.left_out,
        label_choices=choices,
        view_choices=view_choices,
        corrections=("label", "views", "transpose", *made.corrections),
    )
    named(draft, names)
    return draft


@dataclass(frozen=True)
class _PutTogether:
    """Arrays as rows of samples: `parts` with training and test samples apart, and as a whole."""

    parts: Arrays
    whole: Arrays
    shapes: Shapes
    notes: list[str]
    corrections: tuple[str, ...]


def _put_together(arrays: Arrays, limits: Limits, triplets: bool | None) -> _PutTogether:
    """Return the arrays with classes, entries of matrices, stacks and halves put together."""
    arrays, notes = classes_together(arrays)
    arrays, listed, any_listed = entries_together(arrays, limits, triplets)
    if triplets and not any_listed:
        raise UploadError("triplets=True is for matrices of three columns, and there is none.")
    parts, shapes = flattened(arrays, {length_of(value) for value in arrays.values()})
    whole, further = joined(parts)
    corrections = ("triplets",) if any_listed else ()
    return _PutTogether(parts, whole, shapes, [*notes, *listed, *further], corrections)


def _given(arrays: Arrays, samples: int) -> npt.NDArray[np.int8] | None:
    """Return the split of a file with training and test samples: those labelled, these held out."""
    sizes = training_and_test(arrays)
    return np.repeat(np.array([0, 2], np.int8), sizes) if sizes and sum(sizes) == samples else None


def too_many(what: str, most: int) -> UploadError:
    """Return the refusal of a file with more parts than any data set has."""
    return UploadError(f"The file holds more than {most} {what}; put them together into a few matrices.")


def _is_vector(value: Any) -> bool:
    shape = getattr(value, "shape", ())
    return len(shape) == 1 or (len(shape) == 2 and 1 in shape)


def _all_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _sort(contents: _Sorted, name: str, value: Any) -> None:
    contents.parts += 1
    if contents.parts > _MOST_PARTS:
        raise too_many("variables and cells", _MOST_PARTS)
    if isinstance(value, list) and not _all_words(value):
        if (labels := _same_labels(value)) is not None:
            contents.labels[name], contents.written[name] = labels, value[0]
            return
        for number, item in enumerate(value, start=1):
            _sort(contents, f"{name} {number}", item)
        return
    if isinstance(value, str) or (not isinstance(value, list) and int(np.prod(np.shape(value))) <= 1):
        what = "empty" if not isinstance(value, str) and np.size(value) == 0 else "a single value"
        contents.left_out.append(f"{plain(name)} ({what})")
        return
    labels = from_array(value)
    if labels is not None and len(labels.codes) > 1:
        contents.labels[name], contents.written[name] = labels, value
    elif isinstance(value, list):
        contents.left_out.append(f"{plain(name)} (words)")
    elif _is_vector(value):
        contents.left_out.append(f"{plain(name)} (a vector that is not labels)")
    elif is_sparse(value) or (value.dtype.kind in "buif" and value.ndim == 2):
        contents.views[name] = value
    else:
        contents.left_out.append(f"{plain(name)} (not a matrix of numbers)")


def _same_labels(cells: list[Any]) -> LabelColumn | None:
    """Return the labels that every cell holds, as sets of views come that repeat them for each view."""
    first = from_array(cells[0]) if cells else None
    if first is None or len(first.codes) < 2 or len(cells) > _MOST_PARTS:
        return None
    read = [from_array(value) for value in cells]
    same = (
        other is not None and other.names == first.names and np.array_equal(other.codes, first.codes)
        for other in read
    )
    return first if all(same) else None


def _label_name(contents: _Sorted, label: object) -> str | None:
    if label is False:
        return None
    if label is not None:
        if label not in contents.labels:
            listed = some(map(plain, contents.labels)) or "none"
            raise UploadError(f"label={label!r} is not among what can be labels here: {listed}.")
        return str(label)
    sides = [side for view in contents.views.values() for side in view.shape]
    # Among one-hot candidates that are alone, one must be the data.
    fitting = [
        name for name, labels in contents.labels.items() if not contents.views or len(labels.codes) in sides
    ]
    named = [name for name in fitting if _LABEL_NAME.fullmatch(name.rpartition(".")[2])]
    named += [name for name in fitting if not _DATA_NAME.fullmatch(name.rpartition(".")[2])]
    return named[0] if named else None


def _picked(contents: _Sorted, views: object) -> list[str]:
    if views is not None:
        return picked_views(views, contents.views)
    if not contents.views:
        reason = f" ({some(contents.left_out)})" if contents.left_out else ""
        raise UploadError(
            f"The file holds no matrix of samples{reason}; "
            "fea and gnd, X and Y, X1 … Xn and y, or a cell array of views are accepted."
        )
    data = [name for name in contents.views if _DATA_NAME.fullmatch(name.rpartition(".")[2])]
    return data or list(contents.views)


def _oriented(
    contents: _Sorted, picked: list[str], labels: LabelColumn | None, transpose: bool, limits: Limits
) -> tuple[dict[str, Matrix], list[str]]:
    """Return the picked matrices with samples in rows, and a note if some were transposed."""
    for name in contents.views:
        if name not in picked:
            contents.left_out.append(f"{plain(name)} (not chosen as a view)")
    samples = _samples(contents, picked, labels, transpose)
    fitting: list[tuple[str, Any]] = []
    turned = []
    for name in picked:
        value = contents.views[name]
        if samples not in value.shape:
            contents.left_out.append(
                f"{plain(name)} ({value.shape[0]} × {value.shape[1]}: no side has {samples})"
            )
            continue
        # A square matrix is turned only when asked; of one with labels the other side would not fit.
        square = value.shape[0] == value.shape[1]
        if (transpose and square) or (not square and value.shape[0] != samples):
            value = value.T
            turned.append(plain(name))
        fitting.append((name, value))
    if not fitting:
        raise UploadError(
            f"There are {samples} labels, but no matrix has {samples} rows or columns; "
            "labels and samples must be as many."
        )
    stored = sum(value.nnz if is_sparse(value) else value.size for _, value in fitting)
    for name, value in fitting:
        limits.check_matrix(plain(name), value.shape[0], value.shape[1], stored=stored)
    were = "was" if len(turned) == 1 else "were"
    notes = [f"Samples were in columns, so {some(turned)} {were} turned."] if turned else []
    titles = distinct((name for name, _ in fitting), "view")
    return {title: as_matrix(title, value) for title, (_, value) in zip(titles, fitting, strict=True)}, notes


def _lies(value: Any) -> bool:
    """Say whether the columns of a matrix are pictures and its rows are not: then the columns are samples."""
    if is_sparse(value) or max(value.shape) > _LONGEST_LOOKED_AT or value.min() < 0:
        return False
    return not are_pictures(value) and are_pictures(value.T)


def _samples(contents: _Sorted, picked: list[str], labels: LabelColumn | None, transpose: bool) -> int:
    """Return how many samples there are: as many as labels, else the side all views have in common."""
    if labels is not None:
        return len(labels.codes)
    shapes = [contents.views[name].shape for name in picked]
    lying = len(picked) == 1 and _lies(contents.views[picked[0]])
    sides = shapes[0][::-1] if transpose != lying else shapes[0]
    for side in sides:
        if all(side in shape for shape in shapes):
            return int(side)
    return int(sides[0])
