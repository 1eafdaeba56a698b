"""Data sets that a visitor hands over: kept in a private folder while they are wanted, then erased.

An upload is known by an id that nobody can guess and is listed nowhere.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets import dataset_files
from datasets.dataset import Dataset
from datasets.image_views import ALL_VIEWS, VIEWS, image_views, room_needed
from datasets.preparation import NONE, PREPARATION, prepared
from datasets.private_folder import VARIABLE, open_folder
from datasets.reading.documents import text_options as weighing_options
from datasets.reading.limits import Limits, UploadError, megabytes
from datasets.schema import Card, OptionValue
from datasets.text import text_options, text_views

PREFIX = "upload-"
_ID = re.compile(rf"{PREFIX}[0-9a-f]{{16,64}}")
_GONE = (
    "These uploaded data are no longer here: they are kept only while the page they were uploaded to "
    "is open. Upload them again"
)


def is_upload(id: str) -> bool:
    """Say whether this is the name of an upload rather than one of the catalogue."""
    return id.startswith(PREFIX)


def is_here(id: str) -> bool:
    """Say whether this upload is still kept."""
    folder = _folder_of(id)
    return folder is not None and (folder / dataset_files.CARD_FILE).is_file()


def keep(dataset: Dataset, id: str | None = None) -> str:
    """Keep a data set under an id that cannot be guessed (unless one is given) and return the id.

    Texts are kept as they are, so that their words can be weighed anew with other options. An
    UploadError says if there is no room.
    """
    id = id or PREFIX + secrets.token_hex(16)
    made = Path(tempfile.mkdtemp(dir=open_folder()))
    try:
        named = replace(dataset, card=_card_of(dataset))
        dataset_files.write(dataset_files.renamed(named, id), made)
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
    try:
        return dataset_files.read_card(_here(id))
    except FileNotFoundError as error:  # Erased at this moment.
        raise ValueError(_GONE) from error


def load(id: str, /, **options: OptionValue) -> Dataset:
    """Return an upload. Large arrays are read from the files as they are needed, shared by all processes."""
    try:
        stored = dataset_files.read(_here(id))
    except FileNotFoundError as error:  # Erased at this moment.
        raise ValueError(_GONE) from error
    assert stored.card is not None
    if options == {option.name: option.default for option in stored.card.options}:
        # As it was read. Pictures keep what their options say of that.
        return stored if stored.image_shape else replace(stored, options={**stored.options, **options})
    changed = {**stored.options, **options}
    made: dict[str, Any] = {}
    if options.get(VIEWS.name) == ALL_VIEWS and stored.image_shape is not None:
        views = image_views(np.asarray(stored.X), stored.image_shape, ALL_VIEWS)
        made = {"views": views, "view_features": {}, "feature_names": None}
    elif _is_text(stored):
        made = {**text_views(stored.texts, options, languages=stored.card.languages), "feature_names": None}
    return prepared(replace(stored, options=changed, **made), str(options.get(PREPARATION.name, NONE)))


def erase(id: str) -> None:
    """Remove an upload; one that is gone already is no error."""
    folder = _folder_of(id)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _folder_of(id: str) -> Path | None:
    # The pattern keeps every id inside the folder, whatever an address says.
    if _ID.fullmatch(id) is None or VARIABLE not in os.environ:
        return None
    return Path(os.environ[VARIABLE]) / id


def _here(id: str) -> Path:
    folder = _folder_of(id)
    if folder is None or not (folder / dataset_files.CARD_FILE).is_file():
        raise ValueError(_GONE)
    return folder


def _card_of(dataset: Dataset) -> Card:
    card = dataset.card or _card_made_here(dataset)
    if not _is_text(dataset):
        views = (VIEWS,) if _has_image_views(dataset) else ()
        return replace(card, options=(*views, PREPARATION))
    used = weighing_options(dataset.options, dataset.n_samples)
    return replace(card, options=text_options(**used))


def _card_made_here(dataset: Dataset) -> Card:
    """Return a card for a data set that was put together in Python."""
    return Card(
        id=dataset.id,
        title=dataset.title,
        summary=f"{dataset.n_samples} samples of {dataset.n_features} features, made in Python.",
        kind="images" if dataset.image_shape else "documents" if dataset.texts else "table",
        source="Made in Python.",
        licence="",
        credit="",
    )


def _is_text(dataset: Dataset) -> bool:
    return bool(dataset.texts) and set(dataset.texts) == set(dataset.views)


def _has_image_views(dataset: Dataset) -> bool:
    """Say whether textures and edges can be made of these pictures, and have room."""
    if dataset.image_shape is None or len(dataset.views) > 1 or not isinstance(dataset.X, np.ndarray):
        return False
    room = room_needed(dataset.n_samples, dataset.image_shape)
    return 0 < room <= Limits.from_environment().cells
