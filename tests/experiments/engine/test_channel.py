"""The channel: a reader sees whole rows and whole arrays, whatever the writer is doing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest

from experiments.engine.channel import ChannelLayout, Reader, Writer

# Each set of arrays is filled with its own iteration number, so a mixture of two would show.
WRITING = """
import sys
from pathlib import Path
import numpy as np
from experiments.engine.channel import Writer

arrays = {"a": np.zeros((220, 150)), "b": np.zeros((90, 300), np.int32)}
writer = Writer(Path(sys.argv[1]), ["t"], 10**6, arrays)
i = 0
while True:
    i += 1
    for array in arrays.values():
        array.fill(i)
    writer.add(i, 2 * i, {"t": 3 * i})
    writer.show(i, arrays)
"""


@pytest.fixture
def written(tmp_path: Path, repository: Path) -> Iterator[Path]:
    """A file that another process keeps writing to, without ever pausing."""
    path = tmp_path / "live"
    process = subprocess.Popen([sys.executable, "-c", WRITING, str(path)], cwd=repository)
    try:
        until = monotonic() + 60
        while not (path.exists() and path.stat().st_size) and monotonic() < until:
            sleep(0.01)
        yield path
    finally:
        process.kill()
        process.wait()


def opened(path: Path) -> Reader:
    """The reader, as soon as the head of the file is written."""
    while not path.read_bytes()[:4096].strip(b"\0"):
        sleep(0.01)
    return Reader(path)


def test_what_is_read_is_never_torn(written: Path) -> None:
    reader = opened(written)
    until, seen = monotonic() + 1, []
    while monotonic() < until or len(set(seen)) < 5:
        assert monotonic() < until + 60
        iteration, arrays = reader.latest()
        if iteration == -1:
            continue
        assert {name: (array.min(), array.max()) for name, array in arrays.items()} == {
            "a": (iteration, iteration),
            "b": (iteration, iteration),
        }
        seen.append(iteration)
        rows = reader.curve()
        assert np.array_equal(rows[-1], len(rows) * np.array([1.0, 2.0, 3.0]))
    assert seen == sorted(seen)


def test_the_curve_has_a_row_for_each_iteration(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "live", ["fit", "smooth"], 10, {"a": np.zeros(3)})
    reader = Reader(tmp_path / "live")
    assert reader.curve().shape == (0, 4)
    writer.add(5.0, 0.1, {"smooth": 2.0, "fit": 3.0})
    writer.add(4.0, 0.2, {"fit": 4.0})
    assert np.array_equal(reader.curve(), [[5, 0.1, 3, 2], [4, 0.2, 4, np.nan]], equal_nan=True)


def test_beyond_the_capacity_the_last_row_is_replaced(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "live", [], 3, {"a": np.zeros(2)})
    reader = Reader(tmp_path / "live")
    writer.show(7, {"a": np.array([1.0, 2.0])})
    for i in range(8):
        writer.add(i, 0.0, {})
    assert reader.curve()[:, 0].tolist() == [0, 1, 7]
    assert reader.latest()[0] == 7
    assert reader.latest()[1]["a"].tolist() == [1, 2]


def test_copies_outlive_the_next_page(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "live", [], 3, {"a": np.zeros(2)})
    reader = Reader(tmp_path / "live")
    assert reader.latest() == (-1, {})
    writer.show(0, {"a": np.array([1.0, 1.0])})
    first = reader.latest()[1]["a"]
    for i in range(1, 5):
        writer.show(i, {"a": np.array([9.0, 9.0])})
    assert first.tolist() == [1, 1]


def test_the_version_tells_when_there_is_something_new(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "live", [], 3, {"a": np.zeros(2)})
    reader = Reader(tmp_path / "live")
    versions = [reader.version]
    writer.add(1.0, 0.0, {})
    versions.append(reader.version)
    writer.show(0, {"a": np.zeros(2)})
    versions.append(reader.version)
    assert len(set(versions)) == 3
    assert reader.version == versions[-1]


def test_arrays_keep_shape_and_dtype(tmp_path: Path) -> None:
    arrays = {
        "odd": np.arange(7, dtype=np.float32).reshape(1, 7, 1),
        "number": np.array(3.5),
        "none": np.empty((0, 4)),
        "codes": np.array([1, -1], np.int64),
        "turned": np.arange(6.0).reshape(2, 3).T,
    }
    writer = Writer(tmp_path / "live", [], 1, arrays)
    writer.show(0, arrays)
    found = Reader(tmp_path / "live").latest()[1]
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert np.array_equal(found[name], array)


def test_a_layout_survives_its_json(tmp_path: Path) -> None:
    layout = ChannelLayout(("fit", "α‖L‖"), 12, {"a": ((3, 5), "<f4"), "b": ((), "<i8")})
    assert ChannelLayout.from_json(layout.to_json()) == layout
    writer = Writer(tmp_path / "live", layout.terms, 12, {"a": np.zeros((3, 5), "<f4"), "b": np.array(1)})
    assert writer.layout == Reader(tmp_path / "live").layout == layout
    assert (tmp_path / "live").stat().st_size == layout.total_bytes


def test_the_reader_cannot_write(tmp_path: Path) -> None:
    Writer(tmp_path / "live", [], 3, {"a": np.zeros(2)}).add(1.0, 0.0, {})
    with pytest.raises(ValueError, match="read-only"):
        Reader(tmp_path / "live").curve()[0, 0] = 2


def test_what_does_not_fit_the_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="too many arrays or terms"):
        Writer(tmp_path / "live", [f"term {i}" for i in range(1000)], 3, {"a": np.zeros(2)})


def test_a_reader_that_rests_still_knows_everything(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "live", ["a"], 5, {"c": np.arange(6.0)})
    writer.add(1.0, 0.1, {"a": 1.0})
    writer.show(0, {"c": np.arange(6.0)})
    reader = Reader(tmp_path / "live")
    (tmp_path / "live").unlink()
    reader.rest()
    assert np.array_equal(reader.curve(), [[1.0, 0.1, 1.0]])
    assert np.array_equal(reader.latest()[1]["c"], np.arange(6.0))
