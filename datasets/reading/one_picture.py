"""A single picture made to the shape of others: its middle, cut and scaled, as grey values."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from datasets.private_folder import passing_folder
from datasets.reading import sandbox
from datasets.reading.limits import Limits, UploadError
from datasets.reading.pixels import FORMATS, KINDS, camera_turn, check_picture, grey_values
from datasets.reading.source import FileSource, received

LARGEST_MEGABYTES = 20
_LIMITS = Limits(file_bytes=LARGEST_MEGABYTES * 1_000_000, pixels=60_000_000)
_FITTED = "fitted.npy"


def fitted_picture(source: FileSource, shape: tuple[int, int], nearer: float = 1.0) -> npt.NDArray[np.uint8]:
    """Return the middle of a picture in the shape (height, width); `nearer` cuts a smaller piece out of it.

    It is decoded in a limited process. An UploadError says in a sentence what is wrong with it.
    """
    with passing_folder() as folder:
        (file,) = received(source, "The picture", _LIMITS, folder, f"{KINDS} are accepted.")
        arguments = {"path": str(file.path), "shape": list(shape), "nearer": nearer}
        sandbox.carry_out(_fitted_in, folder, arguments, _LIMITS, file.size)
        return np.asarray(np.load(folder / _FITTED, allow_pickle=False), dtype=np.uint8)


def _fitted_in(folder: Path, arguments: dict[str, Any]) -> None:
    data = Path(arguments["path"]).read_bytes()
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        check_picture("of your own", data, image, _LIMITS)
        height, width = arguments["shape"]
        enough = int(2 * max(height, width) * arguments["nearer"])
        image.draft("L", (enough, enough))
        turn, upright = camera_turn(image), Image.fromarray(grey_values(image))
    except (MemoryError, UploadError):
        raise
    except Exception as error:  # whatever a decoder may raise on damaged bytes
        damage = "" if isinstance(error, UnidentifiedImageError) else " It is damaged."
        raise UploadError(f"This file cannot be read as a picture: {KINDS} are accepted.{damage}") from error
    if turn is not None:
        upright = upright.transpose(turn)
    unit = min(upright.width / width, upright.height / height) / arguments["nearer"]
    across, down = width * unit, height * unit
    left, top = (upright.width - across) / 2, (upright.height - down) / 2
    box = (left, top, left + across, top + down)
    fitted = upright.resize((width, height), Image.Resampling.BOX, box=box)
    np.save(folder / _FITTED, np.asarray(fitted, dtype=np.uint8), allow_pickle=False)
