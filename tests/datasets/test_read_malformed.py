"""datasets.read: whatever is wrong ends in one UploadError with a sentence; a slice of the big benchmark."""

from __future__ import annotations

import copy
import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from benchmarks.malformed import TROUBLES
from benchmarks.malformed.real import real_files
from benchmarks.malformed.sound import sound_files
from benchmarks.malformed_uploads import Case, outcome
from datasets import Limits, UploadError


def test_sound_files_are_sound() -> None:
    for name, data in (*sound_files(), *real_files()):
        assert datasets.read(data, name=name).n_samples > 0, name


def test_malformed_uploads_of_every_kind() -> None:
    """Eight of each kind, and every file that once cost too much.

    In a process of its own: what it does to memory is then its own doing, and a crash is seen.
    How long others waited by the clock says more of a busy machine than of the file: the benchmark asks that.
    """
    command = [sys.executable, "-X", "faulthandler", "-m", "benchmarks.malformed_uploads"]
    run = subprocess.run(
        [*command, "--count", "120", "--seed", "1", "--once", "--dry", "--longest-wait", "60"],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == ""
    assert len(run.stdout.splitlines()) == 1 + 3 + len(TROUBLES)  # an empty line, the table, and nothing else


def test_the_benchmark_sees_a_fault() -> None:
    assert outcome(Case("x", "x.csv", b"a,b\n1,2\n3,4\n", hopeless=True)).fault == "was accepted"


@settings(max_examples=150)
@given(st.sampled_from(sound_files()), st.data())
def test_mutations_end_in_a_sentence_or_in_data(file: tuple[str, bytes], data: st.DataObject) -> None:
    name, content = file
    if name == "new.mat":  # a process each: the slice above has some
        return
    spoiled = bytearray(content)
    for _ in range(data.draw(st.integers(1, 8))):
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] = data.draw(st.integers(0, 255))
    found = outcome(Case("mutated", name, bytes(spoiled), hopeless=False))
    assert found.fault == ""


@settings(max_examples=100)
@given(st.binary(max_size=300), st.sampled_from([name for name, _ in sound_files()]))
def test_noise_ends_in_a_sentence_or_in_data(noise: bytes, name: str) -> None:
    assert outcome(Case("noise", name, noise, hopeless=False)).fault == ""


def test_wrong_use_is_told() -> None:
    for call, said in (
        (lambda: datasets.read("/nowhere/x.zip"), "There is no file /nowhere/x.zip"),
        (lambda: datasets.read("."), "is a folder; pack it"),
        (lambda: datasets.read(io.StringIO("a"), name="x.csv"), "opened as text"),  # type: ignore[arg-type]
        (lambda: datasets.read(3), "A path or an open file is accepted, not int"),  # type: ignore[arg-type]
        (lambda: datasets.read(b"1,2", name="x.csv", colour=1), "There is no correction 'colour'"),
        (lambda: datasets.read(b"1,2", name="x.csv", flip=1), "flip must be True or False"),
        (lambda: datasets.read(b"1,2", name="x.csv", flip=True), "flip is for pictures"),
        (lambda: datasets.read(b"1,2", name="x.doc"), r"x\.doc is of no kind that is known here"),
    ):
        with pytest.raises(UploadError, match=said):
            call()


def test_limits_must_let_something_through() -> None:
    with pytest.raises(ValueError, match="limit files must be a whole number of at least 1, not 0"):
        Limits(files=0)


def test_a_dataset_is_named_by_its_content() -> None:
    table = b"a,b,label\n1,2,x\n3,4,y\n5,6,x\n"
    first, again = (datasets.read(table, name="t.csv") for _ in range(2))
    assert first.id == again.id
    assert first.id.startswith("upload-")
    assert datasets.read(table, name="t.csv", label=False).id != first.id
    assert datasets.read(table.replace(b"6", b"7"), name="t.csv").id != first.id
    assert datasets.read(table, name="t.csv", label=False).options == {"label": False}
    assert copy.copy(first).id == first.id


def test_a_failed_upload_leaves_what_was_read_alone() -> None:
    ds = datasets.read(b"a,b\n1,2\n3,4\n", name="t.csv")
    before = ds.X.copy()
    with pytest.raises(UploadError):
        datasets.read(b"a,b\n1,2\n3\n4,,,,", name="t.csv")
    assert (before == ds.X).all()
