"""`read`: any supported upload to a `Dataset`; `understand`: the same with what was understood in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from datasets import dataset_files
from datasets.dataset import Dataset
from datasets.private_folder import passing_folder
from datasets.reading.limits import Limits, UploadError
from datasets.reading.reader import DATASET, understood_in
from datasets.reading.sandbox import carry_out
from datasets.reading.source import FileSource, received
from datasets.reading.understood import Understood, plain_value


def read(
    path_or_file: FileSource | Sequence[FileSource],
    name: str | Sequence[str] | None = None,
    *,
    limits: Limits | None = None,
    **corrections: object,
) -> Dataset:
    """Read an upload: a path, an open file, bytes, or a list of these (loose pictures).

    Parameters
    ----------
    path_or_file : path, binary file, bytes, or list of these
        What to read.
    name : str or list of str, optional
        Name of the file, where the file object does not know it.
    limits : Limits, optional
        How much it may hold; by default `Limits.from_environment()`.
    **corrections
        What the reader could not know: `pixels` says how those of a picture were stored, "rows" or
        "columns" one after the other, and `flip=True` turns pictures that lie on their side;
        `image_shape=(height, width)`, or False for no pictures; `label` names the
        labels (False for none; "folder" or "name" for pictures); `views` lists the views to use,
        or is "pixels+textures+edges" to have two more made of pictures;
        `size` resizes pictures to a longest side or (height, width); `samples` is how many are used
        at most, spread over the file; `transpose=True` takes
        columns as samples (or rows, where columns were taken); `triplets` says whether three columns
        are row, column and value of the entries of a matrix; `unknown` is a label that means
        none; and the options of documents (`vocabulary`, `min_df`, `max_df`, `ngrams`, `stop_words`).

    Missing labels (-1, NaN, empty) are unknown. Missing values are refused with the row and column
    of the first. Negative values are kept: methods that cannot take them say so themselves.

    Raises
    ------
    UploadError
        Whatever is wrong, in one sentence. Nothing else is raised.
    """
    return understand(path_or_file, name, limits=limits, **corrections).dataset


def understand(
    path_or_file: FileSource | Sequence[FileSource],
    name: str | Sequence[str] | None = None,
    *,
    limits: Limits | None = None,
    **corrections: object,
) -> Understood:
    """Read like `read`, and return the data set with its description and possible corrections."""
    try:
        bounds = Limits.from_environment() if limits is None else limits
    except ValueError as error:
        raise UploadError(f"{error}.") from error
    with passing_folder() as folder:
        files = received(path_or_file, name, bounds, folder)
        arguments = {
            "files": [(file.name, str(file.path)) for file in files],
            "limits": asdict(bounds),
            "corrections": {name: plain_value(value) for name, value in corrections.items()},
        }
        size = sum(file.size for file in files)
        answer = carry_out(understood_in, folder, arguments, bounds, size)
        return _understood(answer, dataset_files.read(folder / DATASET))


def _understood(answer: dict[str, Any], dataset: Dataset) -> Understood:
    lists: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in answer.items()
    }
    return Understood(dataset=dataset, **lists)
