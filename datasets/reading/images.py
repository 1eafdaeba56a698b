"""Pictures to rows of grey values: decoded one at a time, brought to one size, classes from their folders."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from datasets.reading.draft import Draft, plain, some
from datasets.reading.labels import encode, folder_labels
from datasets.reading.limits import Limits, UploadError, quiet
from datasets.reading.pixels import FORMATS, KINDS, TURNS, camera_turn, check_picture, grey_values
from datasets.reading.source import File

SUFFIXES = {
    *(
        ".pgm",
        ".ppm",
        ".pbm",
        ".pnm",
        ".png",
        ".jpg",
        ".jpeg",
        ".jpe",
        ".gif",
        ".tif",
        ".tiff",
        ".webp",
        ".bmp",
    ),
}
# Larger pictures are made smaller unless a size is asked for: parts are learned from pixels, and
# neither the methods nor the screen gain from more of them.
LONGEST_SIDE = 256
# Pillow opens nothing larger, whatever the limit says.
_PILLOW_MOST = 2 * (Image.MAX_IMAGE_PIXELS or 0)
_SIDEWAYS = (TURNS[5], TURNS[6], TURNS[7], TURNS[8])
Size = int | tuple[int, int] | None


def is_picture(file: File) -> bool:
    """Say whether the name, or the first bytes, are those of a picture."""
    head = file.data[:12]
    magic = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
    return (
        file.suffix in SUFFIXES
        or head.startswith(magic)
        or (head[:4] == b"RIFF" and head[8:] == b"WEBP")
        or (head[:1] == b"P" and head[1:2] in b"123456" and head[2:3].isspace())
    )


def read_pictures(files: Iterable[File], limits: Limits, size: Size, label: object = None) -> Draft:
    """Turn pictures into a draft; files that cannot be decoded are listed in `left_out`.

    `size` is the longest side, or (height, width); None keeps the size up to `LONGEST_SIDE`.
    `label` is "folder" (the default) or "name": the file name up to its first mark or number after a letter.
    """
    if label not in (None, False, "folder", "name"):
        raise UploadError(f"label must be 'folder' or 'name' for pictures, not {label!r}.")
    shelf = _Shelf(limits, checked_size(size))
    for file in files:
        shelf.add(file)
    if not shelf.pictures:
        raise UploadError(
            "None of the pictures can be read "
            f"({some(shelf.left_out) or 'there are none'}); {KINDS} are accepted."
        )
    shape = shelf.common_shape()
    X = np.empty((len(shelf.pictures), shape[0] * shape[1]), dtype=np.float32)
    for row, picture in zip(X, shelf.pictures, strict=True):
        row[:] = _resized(picture.pixels, shape).ravel() / np.float32(255)
    names = [picture.name for picture in shelf.pictures]
    if label is False:
        labels = None
    else:
        labels = encode(list(_stems(names)), "by file name") if label == "name" else folder_labels(names)
    return Draft(
        "pictures",
        "images",
        {"pixels": X},
        labels=labels,
        image_shape=shape,
        orientation="as stored",
        sample_names=tuple(plain(name) for name in names),
        notes=shelf.notes(shape),
        left_out=shelf.left_out,
        label_choices=("folder", "name"),
        corrections=("label", "size"),
    )


@dataclass
class _Picture:
    name: str
    stored: tuple[int, int]
    pixels: npt.NDArray[np.uint8]


class _Shelf:
    """Decoded pictures, each made small at once so that never more than one large one is in memory."""

    def __init__(self, limits: Limits, size: Size) -> None:
        self.limits, self.size = limits, size
        self.pictures: list[_Picture] = []
        self.left_out: list[str] = []
        self._pixels = self._cells = 0

    def add(self, file: File) -> None:
        """Decode one picture, or note why not."""
        if not file.data:
            self.left_out.append(f"{plain(file.name)} (empty)")
            return
        with quiet():
            try:
                image = Image.open(io.BytesIO(file.data), formats=FORMATS)
            except (UnidentifiedImageError, Image.DecompressionBombError) as error:
                self._refuse_if_huge(file, error)
                self.left_out.append(f"{plain(file.name)} (not a picture)")
                return
            except MemoryError:
                raise
            except Exception:  # whatever a decoder may raise on damaged bytes
                self.left_out.append(f"{plain(file.name)} (damaged)")
                return
            check_picture(plain(file.name), file.data, image, self.limits)
            self._count(image)
            try:
                stored, pixels = self._decoded(image)
            except MemoryError:
                raise
            except Exception:  # as above
                self.left_out.append(f"{plain(file.name)} (damaged)")
                return
        self._cells += pixels.size
        if self._cells > self.limits.cells:
            raise UploadError(
                f"The pictures together hold more than {self.limits.cells} pixels at this size; "
                "pass a smaller size, or fewer of them."
            )
        self.pictures.append(_Picture(file.name, stored, pixels))

    def _refuse_if_huge(self, file: File, error: Exception) -> None:
        if isinstance(error, Image.DecompressionBombError):
            raise UploadError(
                f"The picture {plain(file.name)} says it has more than "
                f"{min(self.limits.pixels, _PILLOW_MOST)} pixels, which is the limit."
            ) from error

    def _count(self, image: Image.Image) -> None:
        self._pixels += image.width * image.height
        if self._pixels > self.limits.all_pixels:
            raise UploadError(
                f"The pictures together have more than {self.limits.all_pixels // 10**6} million pixels; "
                "make them smaller, or take fewer."
            )

    def _decoded(self, image: Image.Image) -> tuple[tuple[int, int], npt.NDArray[np.uint8]]:
        """Return the size the picture is stored in, upright, and its grey values in the wanted size."""
        turn = camera_turn(image)
        stored = (image.width, image.height) if turn in _SIDEWAYS else (image.height, image.width)
        shape = shape_for(LONGEST_SIDE if self.size is None else self.size, *stored)
        # JPEG can be decoded at a fraction of its size, which saves nearly all the time on photos.
        image.draft("L", (2 * max(shape), 2 * max(shape)))
        grey = grey_values(image)
        if turn is not None:
            grey = np.asarray(Image.fromarray(grey).transpose(turn), dtype=np.uint8)
        if grey.shape != shape:
            grey = _resized(grey, shape)
        return stored, grey

    def common_shape(self) -> tuple[int, int]:
        """Return the size that half of them share, or else one in the middle of all."""
        shapes = [_shape(picture.pixels) for picture in self.pictures]
        shape, count = Counter(shapes).most_common(1)[0]
        if 2 * count >= len(shapes):
            return shape
        height, width = np.median(shapes, axis=0)
        return int(height), int(width)

    def notes(self, shape: tuple[int, int]) -> list[str]:
        """Return a sentence for each change made to the pictures."""
        sentences = []
        shrunk = sum(_shape(picture.pixels) != picture.stored for picture in self.pictures)
        if shrunk:
            sentences.append(f"{shrunk} of {len(self.pictures)} pictures were resized on the way in.")
        odd = sum(_shape(picture.pixels) != shape for picture in self.pictures)
        if odd:
            sentences.append(
                f"{odd} of {len(self.pictures)} pictures had another size and were stretched to "
                f"{shape[0]} × {shape[1]}."
            )
        return sentences


def _shape(pixels: npt.NDArray[np.uint8]) -> tuple[int, int]:
    return int(pixels.shape[0]), int(pixels.shape[1])


def _resized(pixels: npt.NDArray[np.uint8], shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    if _shape(pixels) == shape:
        return pixels
    image = Image.fromarray(pixels).resize((shape[1], shape[0]), Image.Resampling.LANCZOS)
    return np.asarray(image, dtype=np.uint8)


def shape_for(size: int | tuple[int, int], height: int, width: int) -> tuple[int, int]:
    """Return height and width of a picture whose longest side is to be at most `size`, or (height, width)."""
    if isinstance(size, tuple):
        return size
    shrink = min(1.0, size / max(height, width))
    return max(1, round(height * shrink)), max(1, round(width * shrink))


def checked_size(size: object) -> Size:
    """Return a valid size; an UploadError says which sizes are accepted."""
    sides = size if isinstance(size, tuple | list) else (size,)
    whole = all(isinstance(side, int) and not isinstance(side, bool) and 1 <= side <= 4096 for side in sides)
    if size is None:
        return None
    if not whole or len(sides) > 2 or (isinstance(size, tuple | list) and len(sides) != 2):
        raise UploadError(
            f"size must be a number of pixels from 1 to 4096, or (height, width), not {size!r}."
        )
    return (int(sides[0]), int(sides[1])) if len(sides) == 2 else int(sides[0])


def _stems(names: list[str]) -> Iterator[str]:
    for name in names:
        stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
        cut = next((at for at, mark in enumerate(stem) if at and mark in "._- "), len(stem))
        yield stem[:cut]
