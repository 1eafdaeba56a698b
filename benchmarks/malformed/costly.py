"""Files that are small, or within what may be handed over, and cost far more than they should to open.

Each was found by an attack on an earlier version; what it cost then is said beside it.
"""

from __future__ import annotations

import gzip
import io
import random
import struct
import zlib
from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.malformed.sound import mat, npz, picture, png_of, tarred, zipped

Made = tuple[str, bytes, bool]


@cache
def blanks() -> bytes:
    """Return a line with 80 000 blanks in it: a regular expression stood still for 20 s."""
    return b"1" + b" " * 80_000 + b"2\n"


def _noise(size: int) -> bytes:
    """Return what cannot be packed: with enough of it, a file is not refused for being packed too well."""
    return np.random.default_rng(0).bytes(size)


@cache
def wide_colours() -> bytes:
    """Return a PNG of 16 bits in four colours, 39 million pixels, 1.2 MB: +428 MB."""
    return png_of(8000, 4900, depth=16, colour=6, row=bytes(8000 * 8), notes=[b"noIS" + _noise(900_000)])


@cache
def float_tiff() -> bytes:
    """Return a TIFF of 36 million floats: +621 MB."""
    out = io.BytesIO()
    Image.new("F", (6000, 6000)).save(out, "TIFF", compression="tiff_deflate")
    return out.getvalue() + _noise(900_000)


@cache
def large_webp() -> bytes:
    """Return a WebP of 36 million pixels: +729 MB."""
    out = io.BytesIO()
    Image.new("RGBA", (6000, 6000)).save(out, "WEBP", lossless=True, quality=0, method=0)
    chunks = out.getvalue()[8:] + b"NOIS" + struct.pack("<L", 900_000) + _noise(900_000)
    return b"RIFF" + struct.pack("<L", len(chunks)) + chunks


@cache
def many_scans() -> bytes:
    """Return a progressive JPEG whose last scan is repeated two thousand times: 26 s."""
    out = io.BytesIO()
    Image.new("L", (2000, 2000), 128).save(out, "JPEG", progressive=True)
    data = out.getvalue()
    scan = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + scan * 2000 + b"\xff\xd9"


@cache
def many_words() -> bytes:
    """Return ten million words in a .npz of a few MB: +1165 MB."""
    words = np.random.default_rng(0).integers(97, 123, size=10_000_000, dtype=np.uint8)
    return npz(y=words.view("S1"), X=np.ones((3, 4)))


@cache
def many_variables() -> bytes:
    """Return a .mat file of 100 000 variables: 38 s."""
    head, one = mat(v00000=np.ones((2, 2)))[:128], mat(v00000=np.ones((2, 2)))[128:]
    return head + b"".join(one.replace(b"v00000", b"v%05d" % number) for number in range(100_000))


@cache
def many_cells() -> bytes:
    """Return a .mat file with a cell array of 20 000 matrices."""
    cells = np.empty((1, 20_000), dtype=object)
    for place in range(cells.size):
        cells[0, place] = np.ones((2, 2))
    return mat(True, X=cells)


@cache
def empty_square() -> bytes:
    """Return a matrix of a million by a million with one number, 94 bytes: 4 GB when used."""
    return b"%%MatrixMarket matrix coordinate real general\n" + b"%" * 24 + b"\n1000000 1000000 1\n1 1 1\n"


@cache
def one_long_word() -> bytes:
    """Return a table whose labels are words of two million letters, in runs of digits and letters."""
    word = b"a1" * 1_000_000
    return b"a,label\n" + b"".join(b"%d,%s%d\n" % (row, word, row % 2) for row in range(4))


@cache
def one_long_document() -> bytes:
    """Return a text of a few million different words."""
    rng = random.Random(0)
    letters = bytes.maketrans(b"0123456789", b"abcdefghij")
    words = (b"%d" % rng.randrange(10**9) for _ in range(300_000))
    return zipped([("a/1.txt", b" ".join(words).translate(letters)), ("b/2.txt", b"a few words here")])


@cache
def deep_gif() -> bytes:
    """Return a GIF that claims 39 million pixels and holds none."""
    size = struct.pack("<HH", 6200, 6200)
    picture = b"," + bytes(4) + size + b"\0\x08" + b"\xff" * 300
    return b"GIF89a" + size + b"\x80\0\0" + bytes(6) + picture + _noise(300_000)


@cache
def stacked_deflate() -> bytes:
    """Return a TIFF-like claim in a zip, twice packed."""
    inner = zipped([("a.csv", b"1,2\n" * 3_000_000)])
    return zipped([("inner.zip", inner), ("again.zip", inner)])


@cache
def repeated_svm() -> bytes:
    """Return svmlight text of 900 000 short lines; of 16 million, 98 MB: 7.4 s."""
    return b"1 1:1\n" * 900_000


@cache
def wide_table() -> bytes:
    """Return a table of 20 000 columns and a few rows, each a number of its own type."""
    rows = [",".join(str(column * (1 if row else 0.5)) for column in range(20_000)) for row in range(20)]
    return "\n".join(rows).encode()


@cache
def compressed_text_png() -> bytes:
    """Return a small PNG with notes that unpack to hundreds of megabytes."""
    note = zlib.compress(bytes(60_000_000), 9)
    return png_of(16, 16, depth=8, colour=0, row=bytes(16), notes=[b"iTXtx\0\x01\0\0\0" + note] * 8)


@cache
def unpacked_tar() -> bytes:
    """Return a packed tar of pictures without the end that says it is complete."""
    whole = tarred([(f"{k}/{k}.pgm", picture(16, 16, "PPM")) for k in range(3)])
    return gzip.compress(whole[: 3 * 1024], mtime=0)


@cache
def wrong_checksum() -> bytes:
    """Return a packed tar whose checksum does not fit."""
    whole = bytearray(gzip.compress(tarred([("a/1.pgm", picture(16, 16, "PPM"))]), mtime=0))
    whole[-8] ^= 1
    return bytes(whole)


@cache
def without_checksum() -> bytes:
    """Return a packed .mat variable without the checksum behind it."""
    whole = mat(True, fea=np.ones((9, 4)))
    size = struct.unpack("<L", whole[132:136])[0]
    return whole[:132] + struct.pack("<L", size - 4) + whole[136:-4]


CASES: tuple[tuple[str, Any, bool], ...] = (
    ("blanks.csv", blanks, False),
    ("wide.png", wide_colours, False),
    ("float.tif", float_tiff, True),
    ("large.webp", large_webp, True),
    ("scans.jpg", many_scans, True),
    ("words.npz", many_words, True),
    ("variables.mat", many_variables, True),
    ("cells.mat", many_cells, True),
    ("empty.mtx", empty_square, True),
    ("word.csv", one_long_word, False),
    ("document.zip", one_long_document, False),
    ("deep.gif", deep_gif, True),
    ("twice.zip", stacked_deflate, True),
    ("lines.svm", repeated_svm, False),
    ("columns.csv", wide_table, False),
    ("notes.png", compressed_text_png, False),
    ("short.tar.gz", unpacked_tar, True),
    ("checksum.tar.gz", wrong_checksum, True),
    ("checksum.mat", without_checksum, True),
)


def costly(rng: random.Random) -> Made:
    """Give one of the files that cost too much."""
    name, make, hopeless = rng.choice(CASES)
    return name, make(), hopeless
