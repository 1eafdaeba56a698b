"""Data sets that a visitor hands over: kept in a private folder while they are wanted, then erased.

The process that serves visitors makes the folder and names it in the environment, so its worker
processes find what was handed over as well. An upload is known by an id that nobody can guess and is
listed nowhere. When the server ends, the folder goes; what a server that was killed has left behind,
the next one removes.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import secrets
import shutil
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy import sparse

from datasets.dataset import Dataset, FloatArray, Matrix
from datasets.image_views import ALL_VIEWS, VIEWS, image_views, room_needed
from datasets.locking import held
from datasets.reading.documents import text_options as weighing_options
from datasets.reading.limits import Limits, UploadError, megabytes
from datasets.schema import Card, Option, OptionValue
from datasets.text import text_options, text_views

VARIABLE = "PARTWISE_UPLOADS"
PREFIX = "upload-"
_FOLDER = "partwise-uploads-"
_LOCK = "in-use"
_CARD, _CONTENT, _LABELS = "card.json", "content.json", "y.npy"
_ID = re.compile(rf"{PREFIX}[0-9a-f]{{16,64}}")
_SPARSE = ("data", "indices", "indptr")
# A smaller file is read at once: that takes less than keeping a map of it.
_MAPPED_FROM = 1_000_000


def is_upload(id: str) -> bool:
    """Say whether this is the name of an upload rather than one of the catalogue."""
    return id.startswith(PREFIX)


def is_here(id: str) -> bool:
    """Say whether this upload is still kept."""
    folder = _folder_of(id)
    return folder is not None and (folder / _CARD).is_file()


def keep(dataset: Dataset, id: str | None = None) -> str:
    """Keep a data set under an id that cannot be guessed (unless one is given) and return the id.

    Texts are kept as they are, so that their words can be weighed anew with other options. An
    UploadError says if there is no room.
    """
    id = id or PREFIX + secrets.token_hex(16)
    made = Path(tempfile.mkdtemp(dir=open_folder()))
    try:
        _write(dataset, made, id)
        _check_room()
    except BaseException as error:
        shutil.rmtree(made, ignore_errors=True)
        if isinstance(error, OSError):
            raise UploadError(f"The upload cannot be kept on this server: {error.strerror}.") from error
        raise
    erase(id)
    # Renamed once complete: whoever finds it finds all of it.
    made.rename(open_folder() / id)
    return id


def _write(dataset: Dataset, made: Path, id: str) -> None:
    _write_json(made / _CONTENT, _content_of(dataset, made))
    if dataset.y is not None:
        np.save(made / _LABELS, dataset.y, allow_pickle=False)
    _write_json(made / _CARD, asdict(replace(_card_of(dataset), id=id)))


def _check_room() -> None:
    limit, size = Limits.from_environment().kept_bytes, 0
    for path in open_folder().rglob("*"):
        with suppress(FileNotFoundError):  # Erased at this moment.
            size += path.stat().st_size
    if size > limit:
        raise UploadError(
            f"The uploads of all visitors together fill the {megabytes(limit)} there are for them; "
            "hand over less, or try again later."
        )


def card(id: str) -> Card:
    """Return the card of an upload; a ValueError says if it is gone."""
    given = _read_json(id, _CARD)
    languages = tuple((view, language) for view, language in given["languages"])
    return Card(**given | {"options": tuple(map(_option, given["options"])), "languages": languages})


def _option(given: dict[str, Any]) -> Option:
    return Option(**given | {"choices": tuple(given["choices"])})


def load(id: str, /, **options: OptionValue) -> Dataset:
    """Return an upload. Large arrays are read from the files as they are needed, shared by all processes."""
    content = _read_json(id, _CONTENT)
    folder, views = open_folder() / id, content.pop("arrays")
    given, texts = content.pop("options"), content.pop("texts")
    if views:
        arrays = {name: _read(folder, number, *kind) for number, (name, *kind) in enumerate(views)}
        content |= {"views": arrays, "texts": texts}
        if options.get(VIEWS.name) == ALL_VIEWS:
            (pixels,) = arrays.values()
            content["views"] = image_views(np.asarray(pixels), tuple(content["image_shape"]), ALL_VIEWS)
        else:
            options = {}  # As it was read, which `given` says.
    else:
        content |= text_views(texts, options, languages=card(id).languages)
    if "image_shape" in content:
        content["image_shape"] = tuple(content["image_shape"])
    labels = folder / _LABELS
    return Dataset(
        id=id,
        y=np.load(labels, allow_pickle=False) if labels.exists() else None,
        options=given | options,
        card=card(id),
        **content,
    )


def erase(id: str) -> None:
    """Remove an upload; one that is gone already is no error."""
    folder = _folder_of(id)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def open_folder() -> Path:
    """Return the folder of this server, made when first asked for and named in the environment."""
    with _opening:
        named = os.environ.get(VARIABLE)
        if named is None:
            remove_leftovers()
            _own.append(_Own.made())
            named = os.environ[VARIABLE] = str(_own[-1].folder)
        return Path(named)


def close() -> None:
    """Remove the folder, if this process made it, with everything in it."""
    with _opening:
        while _own:
            mine = _own.pop()
            shutil.rmtree(mine.folder, ignore_errors=True)
            mine.lock.close()
            if os.environ.get(VARIABLE) == str(mine.folder):
                del os.environ[VARIABLE]


def remove_leftovers() -> None:
    """Remove the folders of servers that are no longer there: nobody holds their locks."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        with suppress(OSError):  # Of another user, or removed by somebody else at this moment.
            if not folder.is_symlink() and (lock := held(folder / _LOCK)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                lock.close()


@dataclass(frozen=True)
class _Own:
    """The folder this process made, and the lock that says so as long as the process lives."""

    folder: Path
    lock: BinaryIO

    @classmethod
    def made(cls) -> _Own:
        # Under another name until it is locked, so that no server takes it for a leftover.
        new = Path(tempfile.mkdtemp(prefix="partwise-new-"))
        lock = held(new / _LOCK)
        assert lock is not None
        folder = new.with_name(_FOLDER + new.name.rpartition("-")[2])
        new.rename(folder)
        return cls(folder, lock)


_opening = threading.RLock()
_own: list[_Own] = []
atexit.register(close)


def _folder_of(id: str) -> Path | None:
    # The pattern keeps every id inside the folder, whatever an address says.
    if _ID.fullmatch(id) is None or VARIABLE not in os.environ:
        return None
    return Path(os.environ[VARIABLE]) / id


def _read_json(id: str, name: str) -> dict[str, Any]:
    folder = _folder_of(id)
    try:
        if folder is not None:
            read: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
            return read
    except FileNotFoundError:
        pass
    raise ValueError(
        "These uploaded data are no longer here: they are kept only while the page they were uploaded to "
        "is open. Upload them again"
    )


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def _content_of(dataset: Dataset, folder: Path) -> dict[str, Any]:
    """Return what is kept of a data set beside its card and labels; arrays are written to the folder."""
    content: dict[str, Any] = {
        "title": dataset.title,
        "target_names": dataset.target_names,
        "sample_names": dataset.sample_names,
        "options": dict(dataset.options),
        "reading": dict(dataset.reading),
        "texts": dict(dataset.texts),
        "arrays": [],
    }
    if dataset.image_shape is not None:
        content["image_shape"] = dataset.image_shape
    if not _is_text(dataset):
        content["arrays"] = [
            (name, *_written(folder, number, view))
            for number, (name, view) in enumerate(dataset.views.items())
        ]
        content["view_features"] = dict(dataset.view_features)
    return content


def _is_text(dataset: Dataset) -> bool:
    return bool(dataset.texts) and set(dataset.texts) == set(dataset.views)


def _card_of(dataset: Dataset) -> Card:
    assert dataset.card is not None
    if _has_image_views(dataset):
        return replace(dataset.card, options=(VIEWS,))
    if not _is_text(dataset):
        return dataset.card
    used = weighing_options(dataset.options, dataset.n_samples)
    return replace(dataset.card, options=text_options(**used))


def _has_image_views(dataset: Dataset) -> bool:
    """Say whether textures and edges can be made of these pictures, and have room."""
    if dataset.image_shape is None or len(dataset.views) > 1 or not isinstance(dataset.X, np.ndarray):
        return False
    room = room_needed(dataset.n_samples, dataset.image_shape)
    return 0 < room <= Limits.from_environment().cells


def _written(folder: Path, number: int, view: Matrix) -> tuple[str, tuple[int, int]]:
    if isinstance(view, np.ndarray):
        np.save(folder / f"{number}.npy", view, allow_pickle=False)
        return "dense", view.shape
    for part in _SPARSE:
        np.save(folder / f"{number}.{part}.npy", getattr(view, part), allow_pickle=False)
    return "sparse", view.shape


def _read(folder: Path, number: int, kind: str, shape: Sequence[int]) -> Matrix:
    if kind == "dense":
        return _mapped(folder / f"{number}.npy")
    data, indices, indptr = (_mapped(folder / f"{number}.{part}.npy") for part in _SPARSE)
    return sparse.csr_array((data, indices, indptr), shape=(shape[0], shape[1]), copy=False)


def _mapped(path: Path) -> FloatArray:
    array = np.load(path, mmap_mode="r" if path.stat().st_size > _MAPPED_FROM else None, allow_pickle=False)
    return np.asarray(array)
