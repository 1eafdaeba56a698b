"""datasets.read: archives of pictures and loose ones; classes from folders, names made harmless."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

import datasets
from datasets import UploadError
from datasets.reading.limits import Limits
from tests.datasets.upload_files import encoded, faces, tarred, zipped

PICTURES, PEOPLE = faces()
ENTRIES = {f"faces/s{k}/{i}.png": encoded(p) for i, (p, k) in enumerate(zip(PICTURES, PEOPLE, strict=True))}
WANTED = PICTURES.reshape(40, -1) / np.float32(255)


@pytest.mark.parametrize("name", ["f.zip", "f.tar", "f.tar.gz", "f.tar.bz2", "f.tar.xz"])
def test_archives_of_folders(name: str, tmp_path: Path) -> None:
    kind = name.rpartition(".")[2]
    data = zipped(ENTRIES) if kind == "zip" else tarred(ENTRIES, "" if kind == "tar" else kind)
    (tmp_path / name).write_bytes(data)
    ds = datasets.read(tmp_path / name)
    assert ds.image_shape == (32, 32)
    np.testing.assert_allclose(ds.X, WANTED, atol=1e-6)
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)
    assert ds.target_names[9:11] == ("s10", "s11")
    assert ds.title == name


@pytest.mark.parametrize("kind", ["PPM", "PNG", "JPEG", "GIF", "TIFF", "WEBP"])
def test_every_kind_of_picture(kind: str) -> None:
    options = {"quality": 95} if kind in ("JPEG", "WEBP") else {}
    files = [io.BytesIO(encoded(picture, kind, **options)) for picture in PICTURES[:3]]
    ds = datasets.read(files, name=["a", "b", "c"])
    np.testing.assert_allclose(ds.X, WANTED[:3], atol=0.15)
    assert np.abs(ds.X - WANTED[:3]).mean() < 0.02
    assert ds.y is None


def test_deep_and_transparent_pictures() -> None:
    wide = PICTURES[0].astype(np.uint16) * 257
    ds = datasets.read(encoded(wide), name="a.png")
    np.testing.assert_allclose(ds.X, WANTED[:1], atol=0.005)
    ink = np.zeros((4, 4, 4), dtype=np.uint8)
    ink[1, 1, 3] = 255
    ds = datasets.read(encoded(ink), name="a.png")
    assert ds.X[0, 5] == 0
    assert ds.X[0, 0] == 1  # see-through is paper


@pytest.mark.parametrize(("note", "shape"), [(1, (32, 24)), (3, (32, 24)), (6, (24, 32)), (8, (24, 32))])
def test_photos_of_a_turned_camera_are_upright(note: int, shape: tuple[int, int]) -> None:
    photo = Image.fromarray(faces(32, 24)[0][0])
    exif = Image.Exif()
    exif[0x0112] = note
    out = io.BytesIO()
    photo.save(out, "JPEG", quality=95, exif=exif)
    ds = datasets.read(out.getvalue(), name="p.jpg")
    assert ds.image_shape == shape
    wanted = np.asarray(ImageOps.exif_transpose(Image.open(out)), dtype=float) / 255
    np.testing.assert_allclose(ds.X[0].reshape(shape), wanted, atol=0.02)


def test_labels_by_file_name() -> None:
    entries = {f"s{k:02}.{i}.png": encoded(p) for i, (p, k) in enumerate(zip(PICTURES, PEOPLE, strict=True))}
    assert datasets.read(zipped(entries), name="f.zip").y is None
    np.testing.assert_array_equal(datasets.read(zipped(entries), name="f.zip", label="name").y, PEOPLE - 1)


def test_the_folder_that_tells_people_apart() -> None:
    entries = {f"all/s{k}/images/{i}.png": encoded(PICTURES[i]) for i, k in enumerate((1, 1, 2, 3))}
    assert datasets.read(zipped(entries), name="f.zip").target_names == ("s1", "s2", "s3")


def test_sizes() -> None:
    data = zipped(ENTRIES)
    assert datasets.read(data, name="f.zip", size=16).image_shape == (16, 16)
    assert datasets.read(data, name="f.zip", size=(20, 10)).image_shape == (20, 10)
    large = datasets.read(encoded(np.zeros((600, 300), dtype=np.uint8)), name="a.png")
    assert large.image_shape == (256, 128)
    for size in (0, -1, "big", (1, 2, 3), (8,), True, 10**6):
        with pytest.raises(UploadError, match="size must be a number of pixels"):
            datasets.read(data, name="f.zip", size=size)


def test_mixed_sizes_are_stretched_and_said() -> None:
    odd = np.asarray(Image.fromarray(PICTURES[0]).resize((40, 20)))
    found = datasets.understand(zipped({**ENTRIES, "faces/s1/odd.png": encoded(odd)}), name="f.zip")
    assert found.dataset.image_shape == (32, 32)
    assert "1 of 41 pictures had another size and were stretched to 32 × 32." in found.sentences


def test_what_is_left_out_is_said() -> None:
    extra = {
        "__MACOSX/._a.png": b"x",
        ".hidden.png": b"x",
        "README.txt": b"hello",
        "faces/s1/bad.png": b"\x89PNGx",
    }
    found = datasets.understand(zipped({**ENTRIES, **extra}), name="f.zip")
    assert found.dataset.n_samples == 40
    assert set(found.left_out) == {"faces README.txt"[6:] + " (not a picture)", "s1 bad.png (not a picture)"}


def test_names_never_become_paths_or_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [
        "../../x/a.png",
        "/etc/y/b.png",
        "C:\\z\\c.png",
        "<script>alert(1)</script>/d.png",
        "$a$`b`[c](d)/e.png",
    ]
    data = {name: encoded(PICTURES[i]) for i, name in enumerate(names)}
    for archive in (zipped(data), tarred(data)):
        ds = datasets.read(archive, name="<b>../f.zip")
        assert ds.n_samples == 5
        for name in (*ds.target_names, *(ds.sample_names or ()), ds.title):
            assert not set(name) & set("<>\\$`[]")
            assert ".." not in name
    assert list(tmp_path.iterdir()) == []


def test_links_and_devices_are_ignored() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, kind in (
            ("l.png", tarfile.SYMTYPE),
            ("h.png", tarfile.LNKTYPE),
            ("d.png", tarfile.CHRTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    links = out.getvalue()[: 3 * 512]
    assert datasets.read(links + tarred(ENTRIES), name="f.tar").n_samples == 40
    info = zipfile.ZipInfo("a/link.png")
    info.external_attr = 0o120777 << 16
    zipfile_out = io.BytesIO(zipped(ENTRIES))
    with zipfile.ZipFile(zipfile_out, "a") as archive:
        archive.writestr(info, encoded(PICTURES[0]))
    assert datasets.read(zipfile_out.getvalue(), name="f.zip").n_samples == 40


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_in_tar(format: int) -> None:
    entries = {f"{'long' * 40}/s{i}/{'ä' * 60}.png": encoded(PICTURES[i]) for i in range(3)}
    assert datasets.read(tarred(entries, format=format), name="f.tar").target_names == ("s0", "s1", "s2")


def test_a_password_is_refused() -> None:
    data = bytearray(zipped(ENTRIES))
    position = data.index(b"PK\x01\x02")
    data[position + 8] |= 1
    with pytest.raises(UploadError, match="protected by a password"):
        datasets.read(bytes(data), name="f.zip")


def test_limits_come_before_decoding() -> None:
    data = zipped(ENTRIES)
    for limits, said in (
        (Limits(files=39), "more than 39 files"),
        (Limits(pixels=1000), "32 × 32 pixels; at most 1000"),
        (Limits(all_pixels=2000), "together have more than"),
        (Limits(cells=2000), "together hold more than 2000 pixels"),
        (Limits(file_bytes=100), "larger than 100 bytes"),
        (Limits(unpacked_bytes=1000), "more than 1000 bytes"),
    ):
        with pytest.raises(UploadError, match=said):
            datasets.read(data, name="f.zip", limits=limits)
    with pytest.raises(UploadError, match="more than 39 files"):
        datasets.read(tarred(ENTRIES), name="f.tar", limits=Limits(files=39))


def test_limits_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARTWISE_UPLOAD_FILES", "3")
    with pytest.raises(UploadError, match="more than 3 files"):
        datasets.read(zipped(ENTRIES), name="f.zip")
    monkeypatch.setenv("PARTWISE_UPLOAD_FILES", "many")
    with pytest.raises(ValueError, match="PARTWISE_UPLOAD_FILES must be a whole number"):
        Limits.from_environment()


def test_a_compressed_bomb_is_refused_before_it_unpacks() -> None:
    packer = zlib.compressobj(9, wbits=31)
    header = tarfile.TarInfo("a.png")
    header.size = 300_000_000
    data = packer.compress(header.tobuf() + bytes(20_000_000)) + packer.flush()
    with pytest.raises(UploadError, match="times its size"):
        datasets.read(data, name="f.tar.gz")


def test_a_header_that_lies_about_pixels() -> None:
    data = bytearray(encoded(PICTURES[0]))
    data[16:24] = struct.pack(">LL", 100_000, 100_000)
    data[29:33] = struct.pack(">L", zlib.crc32(data[12:29]))
    with pytest.raises(UploadError, match=r"x\.png says it has more than"):
        datasets.read(bytes(data), name="x.png")


def test_several_files_must_be_pictures() -> None:
    with pytest.raises(UploadError, match=r"Several files at once must all be pictures; b\.csv is not"):
        datasets.read([encoded(PICTURES[0]), b"1,2\n"], name=["a.png", "b.csv"])
    with pytest.raises(UploadError, match="No file was given"):
        datasets.read([])
    with pytest.raises(UploadError, match="name lists 1 names for 2 files"):
        datasets.read([b"a", b"b"], name=["a"])
