"""Opens zip and tar archives: counted and measured before unpacking, files only, names never paths."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from datasets.reading.draft import plain
from datasets.reading.limits import Limits, UploadError
from datasets.reading.source import PACKED, File

_ZIP_ENTRY = b"PK\x01\x02"
_BLOCK, _PIECE = 512, 65_536
# A long name or a pax header of more than this is not a name.
_LONGEST_HEADER = 65_536
_COMPRESSED: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
# What the standard library raises on archives that contradict themselves.
_DAMAGE = (
    zipfile.BadZipFile,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    ValueError,
)
_JUNK = {"__MACOSX", "Thumbs.db", "desktop.ini"}


def is_zip(data: bytes) -> bool:
    """Say whether these bytes start or end like a zip archive."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def is_tar(data: bytes) -> bool:
    """Say whether these bytes are a tar archive, or compressed as one may be."""
    return data[257:262] == b"ustar" or any(data.startswith(magic) for magic in _COMPRESSED)


def unpacked_alone(file: File, limits: Limits) -> File | None:
    """Return what a compressed file holds if that is no archive (`docword.txt.gz`); None for an archive."""
    if file.suffix not in PACKED or file.name.lower().endswith(f".tar{file.suffix}"):
        return None
    try:
        stream = _Unpacked(file.data, limits)
        pieces = [stream.take(_BLOCK)]
        with suppress(tarfile.HeaderError):
            tarfile.TarInfo.frombuf(pieces[0], "utf-8", "replace")
            return None
        while pieces[-1]:
            pieces.append(stream.take(_PIECE))
    except UploadError:
        raise
    except _DAMAGE as error:
        raise UploadError(f"{plain(file.name)} is damaged or was not copied completely.") from error
    return File(file.name[: -len(file.suffix)], b"".join(pieces))


def entries(file: File, limits: Limits) -> Iterator[File]:
    """Yield the files of an archive one by one, so that they need not be in memory together.

    Links, devices, folders, hidden files and what systems add by themselves are passed over.
    """
    files = _zip(file, limits) if is_zip(file.data) else _tar(file, limits)
    try:
        for entry in files:
            parts = entry.name.replace("\\", "/").split("/")
            if not (_JUNK & set(parts) or parts[-1].startswith(".")):
                yield entry
    except UploadError:
        raise
    except _DAMAGE as error:
        raise UploadError(
            "The archive is damaged, was not copied completely or is packed in an unusual way; "
            "pack the files again as zip or tar."
        ) from error


def _too_many(limits: Limits) -> UploadError:
    return UploadError(f"The archive holds more than {limits.files} files, which is the limit.")


def _zip(file: File, limits: Limits) -> Iterator[File]:
    # Each file of a zip has such a mark, so this bounds their number before zipfile lists them all.
    if file.data.count(_ZIP_ENTRY) > limits.files:
        raise _too_many(limits)
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if any(info.flag_bits & 1 for info in members):
            raise UploadError("The zip archive is protected by a password; pack it again without one.")
        total = sum(info.file_size for info in members)
        limits.check_unpacked("The archive", total, len(file.data))
        left = limits.unpacked_bytes
        for info in members:
            # Entries may lie about their size, and several may share the same packed bytes.
            limits.check_unpacked(
                f"{plain(info.filename)} in the archive", info.file_size, info.compress_size
            )
            if _is_link(info):
                continue
            with archive.open(info) as stream:
                data = stream.read(min(info.file_size, left) + 1)
            left -= len(data)
            limits.check_unpacked("The archive", limits.unpacked_bytes - left, len(file.data))
            yield File(info.filename, data)


def _is_link(info: zipfile.ZipInfo) -> bool:
    return (info.external_attr >> 16) & 0o170000 == 0o120000


def _tar(file: File, limits: Limits) -> Iterator[File]:
    stream = _Unpacked(file.data, limits)
    name, count, has_members = "", 0, False
    while (block := stream.take(_BLOCK)).strip(b"\0"):
        # tarfile reads headers of any length into memory, so it is asked about one header at a time.
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "replace")
        except tarfile.HeaderError as error:
            raise UploadError(
                "The archive is damaged or not a tar archive; pack the files again as zip or tar."
            ) from error
        count += 1
        if count > limits.files:
            raise _too_many(limits)
        if header.size < 0:
            raise UploadError("The tar archive is damaged: a file in it has a negative size.")
        if header.type in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE):
            if header.size > _LONGEST_HEADER:
                raise UploadError("The tar archive is damaged: a file name in it is too long.")
            name = _long_name(header.type, stream.content(header.size)) or name
            continue
        has_members = True
        if header.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not header.name.endswith("/"):
            yield File(name or header.name, stream.content(header.size))
        elif header.type not in (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE):
            stream.content(header.size)
        name = ""
    if len(block) < _BLOCK:
        # Blocks of zeros are written behind the last file.
        raise _cut_short()
    stream.drain()
    if not has_members:
        raise UploadError("The archive is empty; pack pictures or .txt files, one folder for each class.")


def _long_name(kind: bytes, content: bytes) -> str:
    if kind == tarfile.GNUTYPE_LONGNAME:
        return content.rstrip(b"\0").decode("utf-8", "replace")
    # pax: lines "<length> path=<name>\n"
    for line in content.split(b"\n"):
        _, _, setting = line.partition(b" ")
        if setting.startswith(b"path="):
            return setting[5:].decode("utf-8", "replace")
    return ""


def _cut_short() -> UploadError:
    return UploadError("The tar archive ends before its end; it was not copied completely.")


class _Unpacked:
    """The bytes of a tar archive, decompressed as they are asked for and counted."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._packed, self._limits, self._read = len(data), limits, 0
        raw = io.BytesIO(data)
        opener = next((open_ for magic, open_ in _COMPRESSED.items() if data.startswith(magic)), None)
        self._stream: BinaryIO = raw if opener is None else opener(raw)

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes, fewer only at the end."""
        self._limits.check_unpacked("The archive", self._read + size, self._packed)
        data = self._stream.read(size)
        self._read += len(data)
        return data

    def drain(self) -> None:
        """Read to the end, where the checksum behind the archive is compared."""
        while self.take(_PIECE):
            pass

    def content(self, size: int) -> bytes:
        """Return the content that follows a header, which is padded to whole blocks."""
        data = self.take(size)
        if len(data) < size:
            raise _cut_short()
        self.take(-size % _BLOCK)
        return data
