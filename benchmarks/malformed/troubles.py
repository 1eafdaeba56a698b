"""Ways of spoiling an upload that are not about its size.

A maker takes a random generator and returns (name, bytes, hopeless): hopeless if it can only be refused.
"""

from __future__ import annotations

import gzip
import io
import pickle
import random
import tarfile
from typing import Any

import numpy as np

from benchmarks.malformed.real import real_files
from benchmarks.malformed.sound import SIDE, mat, npy, npz, parquet, picture, sound_files, tarred, zipped

Made = tuple[str, bytes, bool]


def _sound(rng: random.Random) -> tuple[str, bytes]:
    return rng.choice(rng.choice((sound_files(), real_files())))


def cut_short(rng: random.Random) -> Made:
    """Cut the end off."""
    name, data = _sound(rng)
    return name, data[: rng.randrange(len(data))], False


def bytes_changed(rng: random.Random) -> Made:
    """Change some bytes, near the beginning more often, where headers are."""
    name, data = _sound(rng)
    spoiled = bytearray(data)
    for _ in range(rng.choice((1, 3, 20))):
        where = (
            min(int(rng.expovariate(1 / 100)), len(data) - 1)
            if rng.random() < 0.6
            else rng.randrange(len(data))
        )
        spoiled[where] = rng.choice((0, 0xFF, 0x7F, rng.randrange(256)))
    return name, bytes(spoiled), False


def wrong_magic(rng: random.Random) -> Made:
    """Put the beginning of one format before noise, under the name of another."""
    data, other = _sound(rng)[1], _sound(rng)[0]
    kept = data[: rng.choice((2, 4, 8, 130))]
    return other, kept + rng.randbytes(rng.randrange(300)), False


_TRICKS = (
    "../../etc/passwd.png",
    "/etc/cron.d/x.png",
    "C:\\Windows\\x.png",
    "..\\..\\x.png",
    "<script>alert(1)</script>/x.png",
    'a/"><img src=x onerror=alert(1)>/b.png',
    "$\\LaTeX$/`code`/[link](javascript:x)/y.png",
    "\u202egnp.exe/x.png",
    "con/nul.png",
    "a" * 3000 + ".png",
    "./././x.png",
    "new\nline/x.png",
)


def path_tricks(rng: random.Random) -> Made:
    """Name files as if they were paths elsewhere, or markup; add links and devices."""
    content = picture(SIDE, SIDE)
    entries = [(f"{i}/{name}" if rng.random() < 0.3 else name, content) for i, name in enumerate(_TRICKS)]
    entries = rng.sample(entries, rng.randrange(1, len(entries)))
    if rng.random() < 0.5:
        return "faces.zip", zipped(entries), False
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
    return "faces.tar", out.getvalue()[: 3 * 512] + tarred(entries), False


class _Evil:
    """Would run code if anything unpickled it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("raise SystemExit('a pickle was loaded')",)


def pickled(rng: random.Random) -> Made:
    """Hide a pickle in whatever can hold one."""
    objects = np.array([_Evil(), 1], dtype=object)
    raw = pickle.dumps(_Evil(), protocol=rng.randrange(6))
    suffix = rng.choice(("pkl", "mat", "npy", "npz", "csv", "joblib", "zip", "parquet", "mtx", "svm", "png"))
    choices = (
        (f"x.{suffix}", raw),
        ("x.npy", npy(objects)),
        ("x.npz", npz(X=objects)),
        ("x.npz", zipped([("x.npy", raw)])),
        ("x.zip", zipped([("a.pkl", raw)])),
    )
    name, data = rng.choice(choices)
    return name, data, True


def not_numbers(rng: random.Random) -> Made:
    """Put NaN or infinity into the data."""
    X = np.ones((6, 5))
    X[rng.randrange(6), rng.randrange(5)] = rng.choice((np.nan, np.inf, -np.inf))
    y = np.array([1, 1, 1, 2, 2, 2])
    rows = "\n".join(",".join(map(str, row)) for row in X)
    choices = (
        ("x.npy", npy(X)),
        ("x.npz", npz(X=X, y=y)),
        ("x.mat", mat(fea=X, gnd=y)),
        ("x.csv", f"a,b,c,d,e\n{rows}\n".encode()),
        ("x.parquet", parquet({name: X[:, i] for i, name in enumerate("abcde")})),
        ("x.svm", b"1 1:nan 2:1\n2 1:3 2:1\n"),
        ("x.mtx", b"%%MatrixMarket matrix array real general\n2 2\n1\nnan\n1\n1\n"),
        ("x.csv", b"a,b,label\n1,,x\n2,3,y\n4,5,x\n"),
    )
    name, data = rng.choice(choices)
    return name, data, True


def negative(rng: random.Random) -> Made:
    """Give negative values, which are kept."""
    X = np.array([[rng.gauss(0, 1) for _ in range(4)] for _ in range(6)])
    choices = (("x.npy", npy(X)), ("x.mat", mat(X=X)), ("x.npz", npz(X=X)))
    name, data = rng.choice(choices)
    return name, data, False


def mixed_sizes(rng: random.Random) -> Made:
    """Mix pictures of all sizes with pieces of pictures."""
    kinds = ("PNG", "JPEG", "PPM", "GIF")
    made = [
        (f"{i % 2}/{i}.png", picture(rng.randrange(1, 60), rng.randrange(1, 60), rng.choice(kinds)))
        for i in range(8)
    ]
    made += [("0/broken.png", made[0][1][: rng.randrange(60)])]
    return "faces.zip", zipped(made), False


def nothing(rng: random.Random) -> Made:
    """Give files with nothing in them."""
    choices = (
        *((name, b"") for name, _ in sound_files()),
        ("x.zip", zipped([])),
        ("x.zip", zipped([("folder/", b"")])),
        ("x.zip", zipped([("a.png", b""), ("b.png", b"")])),
        ("x.tar", bytes(10_240)),
        ("x.tar.gz", gzip.compress(bytes(10_240))),
        ("x.npy", npy(np.zeros((0, 5)))),
        ("x.npy", npy(np.zeros(()))),
        ("x.npz", npz()),
        ("x.mat", mat()),
        ("x.mat", mat(fea=np.zeros((0, 0)))),
        ("x.csv", b"\n\n\n"),
        ("x.csv", b"a,b,c\n"),
        ("x.csv", b"\xef\xbb\xbf"),
        ("x.parquet", parquet({"a": np.zeros(0)})),
        ("x.parquet", parquet({})),
        ("x.svm", b"# nothing\n"),
        ("x.mtx", b"%%MatrixMarket matrix array real general\n0 0\n"),
    )
    name, data = rng.choice(choices)
    return name, data, True


def shuffled(rng: random.Random) -> Made:
    """Cut a file into pieces and put them together in another order, one of them twice."""
    name, data = _sound(rng)
    cuts = sorted(rng.randrange(len(data)) for _ in range(4))
    pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    head, tail = pieces[0], pieces[1:]
    rng.shuffle(tail)
    return name, b"".join([head, *tail, rng.choice(tail)]), False


def grown(rng: random.Random) -> Made:
    """Write one piece of a file again and again, or put one file behind another."""
    name, data = _sound(rng)
    start = rng.randrange(len(data))
    piece = data[start : start + rng.choice((1, 8, 64, 1024))]
    more = piece * rng.choice((2, 50, 3000)) if rng.random() < 0.8 else _sound(rng)[1]
    return name, data[:start] + more + data[start:], False
