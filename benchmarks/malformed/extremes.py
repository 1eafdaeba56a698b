"""Uploads of extreme size: headers that claim it, bombs that unpack to it, a million entries."""

from __future__ import annotations

import gzip
import random
import struct
import tarfile
import zlib
from functools import cache

import numpy as np

from benchmarks.malformed.sound import mat, zipped

Made = tuple[str, bytes, bool]
_BOMB = 400_000_000
_MILLION = 1_000_000


@cache
def deflated_zeros() -> bytes:
    """Return 400 MB of zeros as a zlib stream of 400 kB, made without ever holding them."""
    block = bytes(1_000_000)
    count = _BOMB // len(block)
    check = 1
    for _ in range(count):
        check = zlib.adler32(block, check)
    return b"\x78\xda" + _deflated(block, count) + struct.pack(">L", check)


def _deflated(block: bytes, count: int) -> bytes:
    """Return a deflate stream of a block again and again, which is packed once."""
    packer = zlib.compressobj(9, wbits=-15)
    once = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    return once * count + zlib.compressobj(9, wbits=-15).flush()


@cache
def million_zip() -> bytes:
    """Return a zip that lists a million empty pictures."""
    small = zipped([("a.png", b"")])
    middle = small.index(b"PK\x01\x02")
    end = small.index(b"PK\x05\x06")
    directory = small[middle:end] * _MILLION
    return (
        small[:middle]
        + directory
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(directory), middle, 0)
    )


@cache
def million_tar() -> bytes:
    """Return a packed tar of a million empty pictures: the same header again and again."""
    block = tarfile.TarInfo("a.png").tobuf() * 1000
    count = _MILLION // 1000
    check = 0
    for _ in range(count):
        check = zlib.crc32(block, check)
    size = len(block) * count
    return (
        gzip.compress(b"", mtime=0)[:10] + _deflated(block, count) + struct.pack("<LL", check, size % 2**32)
    )


def absurd_header(rng: random.Random) -> Made:
    """Claim enormous sizes."""
    huge = rng.choice((10**5, 10**9, 2**31 - 1, 2**31, 2**40, 10**18))
    makers = (
        _absurd_npy,
        _absurd_pgm,
        _absurd_png,
        _absurd_mat,
        _absurd_mtx,
        _absurd_svm,
        _absurd_tar,
        _absurd_tif,
    )
    return rng.choice(makers)(huge)


def _absurd_npy(huge: int) -> Made:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({huge}, {huge}), }}".ljust(117) + "\n"
    return "x.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(64), True


def _absurd_pgm(huge: int) -> Made:
    return "x.pgm", b"P5 %d %d 255\n" % (huge, huge) + bytes(64), True


def _absurd_png(huge: int) -> Made:
    side = huge % 2**31
    return "x.png", _png(side, zlib.compress(bytes(1000))), True


def _png(side: int, pixels: bytes) -> bytes:
    """Return a PNG that claims to be a square of this side, with any packed content."""
    header = b"IHDR" + struct.pack(">LLBBBBB", side, side, 8, 0, 0, 0, 0)
    chunks = [
        struct.pack(">L", len(chunk) - 4) + chunk + struct.pack(">L", zlib.crc32(chunk))
        for chunk in (header, b"IDAT" + pixels, b"IEND")
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _absurd_mat(huge: int) -> Made:
    sound = mat(fea=np.ones((3, 4)))
    sizes = struct.pack("<2l", 3, 4)
    return "x.mat", sound.replace(sizes, struct.pack("<2L", huge % 2**32, huge % 2**32), 1), True


def _absurd_mtx(huge: int) -> Made:
    kind = "array" if huge % 2 else "coordinate"
    sizes = f"{huge} {huge}" + ("" if kind == "array" else f" {huge}")
    return "x.mtx", f"%%MatrixMarket matrix {kind} real general\n{sizes}\n1\n".encode(), True


def _absurd_svm(huge: int) -> Made:
    return "x.svm", f"1 1:2 {huge * 100}:1\n2 1:3\n".encode(), True


def _absurd_tar(huge: int) -> Made:
    info = tarfile.TarInfo("a.png")
    info.size = huge * 10**4
    return "x.tar", info.tobuf(tarfile.GNU_FORMAT) + bytes(1024), True


def _absurd_tif(huge: int) -> Made:
    tags = [
        (256, 4, 1, huge % 2**32),
        (257, 4, 1, huge % 2**32),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
    ]
    tags += [(273, 4, 1, 200), (278, 4, 1, huge % 2**32), (279, 4, 1, 64)]
    directory = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHLL", *tag) for tag in tags)
    return "x.tif", b"II*\0" + struct.pack("<L", 8) + directory + bytes(400), True


def bomb(rng: random.Random) -> Made:
    """Unpack to far more than the file."""
    return rng.choice((_zip_bomb, _tar_bomb, _png_bomb, _mat_bomb, _npz_bomb, _overlapping))(rng)


def _raw_zip(name: str, packed: bytes, size: int) -> bytes:
    """Return a zip of one entry from a ready deflate stream, claiming any size."""
    out = zipped([(name, b"")])
    middle = out.index(b"PK\x01\x02")
    local, directory = bytearray(out[:30]), bytearray(out[middle : out.index(b"PK\x05\x06")])
    struct.pack_into("<LL", local, 18, len(packed), size)
    struct.pack_into("<LL", directory, 20, len(packed), size)
    start = bytes(local) + name.encode() + packed
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), len(start), 0)
    return start + bytes(directory) + end


def _zip_bomb(rng: random.Random) -> Made:
    packed = deflated_zeros()[2:-4]
    claimed = rng.choice((_BOMB, 2**32 - 2, 100, 30_000_000))
    return "faces.zip", _raw_zip(rng.choice(("a.png", "a.txt", "b.csv")), packed, claimed), True


def _tar_bomb(rng: random.Random) -> Made:
    info = tarfile.TarInfo(rng.choice(("a.png", "a.txt")))
    info.size = _BOMB - 1024
    if rng.random() < 0.3:
        info.type = tarfile.XHDTYPE
    packer = zlib.compressobj(9, wbits=31)
    start = packer.compress(info.tobuf()) + packer.flush(zlib.Z_FULL_FLUSH)
    body = packer.compress(bytes(40_000_000)) + packer.flush()
    return "faces.tar.gz", start + body, True


def _png_bomb(rng: random.Random) -> Made:
    side = rng.choice((6000, 20_000, 30_000))
    # Within the limit on pixels it is an ordinary black picture, if a large one.
    return "x.png", _png(side, deflated_zeros()), side > 6000


def _mat_bomb(rng: random.Random) -> Made:
    head = mat(fea=np.ones((2, 2)))[:128]
    packed = deflated_zeros()
    if rng.random() < 0.5:
        element = struct.pack("<LL", 14, _BOMB) + bytes(64)
        packed = zlib.compress(element + bytes(30_000_000), 9)
    return "x.mat", head + struct.pack("<LL", 15, len(packed)) + packed, True


def _npz_bomb(rng: random.Random) -> Made:
    return "x.npz", _raw_zip("x.npy", deflated_zeros()[2:-4], rng.choice((_BOMB, 1000))), True


def _overlapping(rng: random.Random) -> Made:
    """List the same packed megabytes many times."""
    packed = zlib.compress(rng.randbytes(1000) * 1000)[2:-4]
    one = _raw_zip("a.txt", packed, 1_000_000)
    middle, end = one.index(b"PK\x01\x02"), one.rindex(b"PK\x05\x06")
    directory = one[middle:end] * 900
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 900, 900, len(directory), middle, 0)
    return "texts.zip", one[:middle] + directory + last, True


def million(rng: random.Random) -> Made:
    """List a million entries."""
    return rng.choice((("x.zip", million_zip(), True), ("x.tar.gz", million_tar(), True)))
