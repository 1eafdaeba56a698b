"""Data sets read from somebody's files, kept as files of ours.

What a visitor hands over stays in a private folder while it is wanted, then it is erased; such an upload is
known by an id that nobody can guess. What whoever runs a machine has put on it stays in the cache, for all
who work there. Neither is listed anywhere.
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

from datasets import dataset_files, picture_sizes
from datasets.dataset import Dataset
from datasets.folders import cache_folder
from datasets.image_views import ALL_VIEWS, VIEWS, image_views, room_needed
from datasets.preparation import NONE, PREPARATION, prepared
from datasets.private_folder import VARIABLE, open_folder
from datasets.reading.documents import text_options as weighing_options
from datasets.reading.limits import Limits, UploadError, megabytes
from datasets.schema import Card, OptionValue
from datasets.text import TEXT_OPTIONS, text_options, text_views

PREFIX = "upload-"
OF_MACHINE = "local-"
_ID = re.compile(rf"({PREFIX}|{OF_MACHINE})[0-9a-f]{{16,64}}")
_GONE = (
    "These uploaded data are no longer here: they are kept only while the page they were uploaded to "
    "is open. Upload them again"
)
_NOT_HERE = "The file that these data are read from is not on this machine (any more)"


def is_upload(id: str) -> bool:
    """Say whether this is the name of an upload: a visitor's own, and gone when the visit is over."""
    return id.startswith(PREFIX)


def is_from_file(id: str) -> bool:
    """Say whether this was read from somebody's file, rather than being one of the catalogue."""
    return id.startswith((PREFIX, OF_MACHINE))


def of_machine(id: str) -> str:
    """Return the id that a data set read from a file has where it stays for all who work on this machine."""
    return OF_MACHINE + id.rpartition("-")[2]


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
    home = open_folder() if is_upload(id) else _made_home()
    made = Path(tempfile.mkdtemp(dir=home))
    try:
        named = replace(dataset, card=_card_of(dataset))
        dataset_files.write(dataset_files.renamed(named, id), made)
        if is_upload(id):
            _check_room()
    except BaseException as error:
        shutil.rmtree(made, ignore_errors=True)
        if isinstance(error, OSError):
            raise UploadError(f"The upload cannot be kept on this server: {error.strerror}.") from error
        raise
    erase(id)
    # Renamed once complete: whoever finds it finds all of it.
    made.rename(home / id)
    return id


def _made_home() -> Path:
    home = cache_folder() / OF_MACHINE.rstrip("-")
    home.mkdir(parents=True, exist_ok=True)
    return home


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
        raise ValueError(_gone(id)) from error


def load(id: str, /, **options: OptionValue) -> Dataset:
    """Return an upload. Large arrays are read from the files as they are needed, shared by all processes."""
    try:
        stored = dataset_files.read(_here(id))
    except FileNotFoundError as error:  # Erased at this moment.
        raise ValueError(_gone(id)) from error
    assert stored.card is not None
    if options == {option.name: option.default for option in stored.card.options}:
        # As it was read. Pictures keep what their options say of that.
        return stored if stored.image_shape else replace(stored, options={**stored.options, **options})
    changed = {**stored.options, **options}
    made: dict[str, Any] = {}
    languages = stored.card.languages
    stored = picture_sizes.in_size(stored, str(options.get(picture_sizes.NAME, picture_sizes.STORED)))
    if options.get(VIEWS.name) == ALL_VIEWS and stored.image_shape is not None:
        views = image_views(np.asarray(stored.X), stored.image_shape, ALL_VIEWS)
        made = {"views": views, "view_features": {}, "feature_names": None}
    elif _is_text(stored):
        made = {**text_views(stored.texts, options, languages=languages), "feature_names": None}
    return prepared(replace(stored, options=changed, **made), str(options.get(PREPARATION.name, NONE)))


def erase(id: str) -> None:
    """Remove an upload; one that is gone already is no error."""
    folder = _folder_of(id)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _folder_of(id: str) -> Path | None:
    # The pattern keeps every id inside the folder, whatever an address says.
    if _ID.fullmatch(id) is None:
        return None
    if not is_upload(id):
        return cache_folder() / OF_MACHINE.rstrip("-") / id
    return Path(os.environ[VARIABLE]) / id if VARIABLE in os.environ else None


def _here(id: str) -> Path:
    folder = _folder_of(id)
    if folder is None or not (folder / dataset_files.CARD_FILE).is_file():
        raise ValueError(_gone(id))
    return folder


def _gone(id: str) -> str:
    return _GONE if is_upload(id) else _NOT_HERE


def _card_of(dataset: Dataset) -> Card:
    card = dataset.card or _card_made_here(dataset)
    if not _is_text(dataset):
        views = (VIEWS,) if _has_image_views(dataset) else ()
        sizes = tuple(option for option in card.options if option.name == picture_sizes.NAME)
        return replace(card, options=(*sizes, *views, PREPARATION))
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
    """Say whether the numbers are the words of the texts: of Reuters-395 only the titles are texts."""
    options = dataset.card.options if dataset.card else ()
    weighed = not options or bool({option.name for option in TEXT_OPTIONS} & {each.name for each in options})
    return weighed and bool(dataset.texts) and set(dataset.texts) == set(dataset.views)


def _has_image_views(dataset: Dataset) -> bool:
    """Say whether textures and edges can be made of these pictures, and have room."""
    if dataset.image_shape is None or len(dataset.views) > 1 or not isinstance(dataset.X, np.ndarray):
        return False
    room = room_needed(dataset.n_samples, dataset.image_shape)
    return 0 < room <= Limits.from_environment().cells
