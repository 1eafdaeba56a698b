"""A person's own files as the data that studies wait for: recognised by their shape, whatever their names.

Every file is decoded in a limited process, as uploads are; see `datasets.reading`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

import datasets
from datasets import Dataset, Understood, UploadError
from datasets.picture_sizes import size_option
from datasets.uploads import of_machine
from experiments.studies.awaited import Awaited
from experiments.studies.catalogue import names, study
from experiments.studies.study import Study

FOLDER = "PARTWISE_STUDY_DATA"
_MOST_FILES = 200
Stamp = tuple[str, int, int]
# By file what it is, or why it is nothing.
_seen: dict[Stamp, StudyFile | str] = {}
_lock = Lock()


@dataclass(frozen=True)
class StudyFile:
    """A file that is what studies wait for: its name, and the id under which its data set is loaded."""

    awaited: Awaited
    name: str
    dataset: str
    sentences: tuple[str, ...] = ()


def recognised(ds: Dataset, wanted: Iterable[Awaited]) -> Awaited | None:
    """Return which of the data sets that are waited for this one is, by samples, classes and features."""
    return next((awaited for awaited in wanted if awaited.fits(ds)), None)


def understood_as(
    what: Any, name: str | None, wanted: Iterable[Awaited], **corrections: Any
) -> tuple[Understood, Awaited | None]:
    """Read a file; return what was understood and which of the awaited data sets it is, None if none.

    One that is recognised can be had in every size that papers use. An UploadError says what is wrong.
    """
    if hasattr(what, "seek"):
        what.seek(0)  # Read before, perhaps: with other corrections.
    understood = datasets.understand(what, name, **corrections)
    awaited = recognised(understood.dataset, wanted)
    if awaited is None and understood.dataset.y is None and "label" not in corrections:
        understood, awaited = _with_labels_elsewhere(what, name, wanted, understood, corrections)
    if awaited is None or not awaited.pictures:
        return understood, awaited
    if understood.dataset.image_shape is None and "image_shape" not in corrections:
        # Pixels that do not look like any, such as those that were centred: their number says it.
        shape = next(
            (sides for sides in awaited.pictures if sides[0] * sides[1] == understood.dataset.n_features),
            None,
        )
        if shape is not None:
            return understood_as(what, name, (awaited,), **corrections, image_shape=shape)
    return replace(understood, dataset=_in_sizes(understood.dataset, awaited)), awaited


def _with_labels_elsewhere(
    what: Any,
    name: str | None,
    wanted: Iterable[Awaited],
    understood: Understood,
    corrections: dict[str, Any],
) -> tuple[Understood, Awaited | None]:
    """Read a file without labels again, if as many samples are waited for, with those it may have after all.

    They are in the names of pictures, or in the last or the first column of a table without a head.
    """
    likely = [one for one in wanted if understood.dataset.n_samples in one.samples]
    ends: tuple[object, ...] = ("name",) if "name" in understood.label_choices else (-1, 0)
    for label in ends if likely and understood.label_choices else ():
        try:
            again, awaited = understood_as(what, name, likely, **corrections, label=label)
        except UploadError:
            continue
        if awaited is not None:
            return again, awaited
    return understood, None


def in_folder(folder: str | Path | None = None) -> dict[str, StudyFile]:
    """Return the files of the folder that `PARTWISE_STUDY_DATA` names, by the id of what each of them is.

    Names do not matter. Of two that fit the first by name is taken.
    """
    recognised: dict[str, StudyFile] = {}
    for stamp in folder_stamp(folder):
        if isinstance(one := _once(stamp), StudyFile):
            recognised.setdefault(one.awaited.id, one)
    return recognised


def left_alone(folder: str | Path | None = None) -> dict[str, str]:
    """Return why files of that folder are none of the data that studies wait for, by their names."""
    looked_at = {Path(stamp[0]).name: _once(stamp) for stamp in folder_stamp(folder)}
    return {name: why for name, why in looked_at.items() if isinstance(why, str)}


def folder_stamp(folder: str | Path | None = None) -> tuple[Stamp, ...]:
    """Return path, time of change and size of each file of that folder; nothing if there is none."""
    place = Path(folder or os.environ.get(FOLDER, "") or os.devnull)
    paths = sorted(path for path in place.iterdir() if path.is_file()) if place.is_dir() else []
    states = [(path, path.stat()) for path in paths[:_MOST_FILES]]
    return tuple((str(path.absolute()), state.st_mtime_ns, state.st_size) for path, state in states)


def every_awaited() -> tuple[Awaited, ...]:
    """Return all that some study waits for, each once."""
    return tuple({one.id: one for name in names() for one in study(name).awaits}.values())


def with_files(described: Study, files: Mapping[str, StudyFile]) -> Study:
    """Return a study whose cells are measured on these files where they wait for them."""
    wanted = {one.id: files[one.id].dataset for one in described.awaits if one.id in files}
    return described.filled(wanted) if wanted else described


def _once(stamp: Stamp) -> StudyFile | str:
    """Return what a file is, or why it is nothing; read once as long as it stays the same."""
    with _lock:
        if stamp not in _seen or not _is_here(_seen[stamp]):
            _seen[stamp] = _read(Path(stamp[0]))
        return _seen[stamp]


def _is_here(one: StudyFile | str) -> bool:
    return isinstance(one, str) or datasets.is_here(one.dataset)


def _read(path: Path) -> StudyFile | str:
    # An ending that nobody knows (sonar.all-data) says nothing: then the content does.
    refusal = ""
    for name in (path.name, path.stem):
        try:
            understood, awaited = understood_as(path, name, every_awaited())
        except (UploadError, OSError) as error:
            refusal = refusal or str(error)
        else:
            return _recognised(path.name, understood, awaited)
    return refusal


def _recognised(name: str, understood: Understood, awaited: Awaited | None) -> StudyFile | str:
    if awaited is None:
        ds = understood.dataset
        return (
            f"{ds.n_samples:,} samples of {ds.n_features:,} features in {ds.n_classes} classes: nothing that "
            "is waited for has this shape."
        )
    id = of_machine(understood.dataset.id)
    if not datasets.is_here(id):
        datasets.keep(understood.dataset, id)
    return StudyFile(awaited, name, id, understood.sentences)


def _in_sizes(ds: Dataset, awaited: Awaited) -> Dataset:
    assert ds.card is not None
    card = replace(ds.card, title=f"{awaited.title} ({ds.title})")
    if ds.image_shape is not None:
        card = replace(card, options=(size_option(awaited.pictures),))
    return replace(ds, card=card, title=card.title)
