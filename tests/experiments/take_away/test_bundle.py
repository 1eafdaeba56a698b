"""Bundles come back as they were, and anything else in their place is refused in a sentence."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import datasets
import methods
from datasets import UploadError
from datasets.reading.understood import content_id
from experiments import RunRequest
from experiments.take_away import Parcel, bundle, unbundle
from experiments.take_away.parcel import of_owner

Pack = Callable[..., Parcel]
REQUEST = RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 20, "tol": 0.0}, seed=1)


@pytest.fixture(scope="module")
def parcel(pack: Pack) -> Parcel:
    return replace(pack(REQUEST, name="The one"), tags=("lecture",))


def taken_apart(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put_together(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


def changed(parcel: Parcel, **values: Any) -> bytes:
    """The bundle with other things said in it."""
    files = taken_apart(bundle(parcel))
    files["run.json"] = json.dumps(json.loads(files["run.json"]) | values).encode()
    return put_together(files)


def test_there_and_back(parcel: Parcel) -> None:
    back = unbundle(bundle(parcel))
    assert back.request.key == parcel.request.key
    assert (back.name, back.tags) == ("The one", ("lecture",))
    assert back.content.terms == parcel.content.terms
    assert back.content.iteration == parcel.content.iteration
    np.testing.assert_array_equal(back.content.curve, parcel.content.curve)
    assert back.content.arrays.keys() == parcel.content.arrays.keys()
    for name, array in parcel.content.arrays.items():
        np.testing.assert_array_equal(back.content.arrays[name], array)
        assert back.content.arrays[name].dtype == array.dtype
    assert back.outcome.status == parcel.outcome.status
    assert back.outcome.scores == pytest.approx(dict(parcel.outcome.scores))
    assert [number for number, _ in back.outcome.snapshots] == [n for n, _ in parcel.outcome.snapshots]
    assert back.outcome.versions == parcel.outcome.versions


@pytest.mark.parametrize("method", ["pca", "n2s2l", "lda", "lnp", "ntf"])
def test_every_kind_of_method(pack: Pack, method: str) -> None:
    request = RunRequest("orl", method, {}, dataset_options={"size": 16})
    parcel = pack(request, iterations=3)
    back = unbundle(bundle(parcel))
    np.testing.assert_allclose(back.content.curve, parcel.content.curve)
    assert back.content.arrays.keys() == parcel.content.arrays.keys()


def test_a_run_without_curve_and_arrays(parcel: Parcel) -> None:
    empty = replace(parcel.content, curve=np.empty((0, 2)), arrays={}, terms=(), iteration=-1)
    failed = replace(parcel, content=empty, outcome=replace(parcel.outcome, status="failed", scores={}))
    assert unbundle(bundle(failed)).iterations == 0


def test_sentences_of_strangers_are_not_taken_over(parcel: Parcel) -> None:
    told = changed(parcel, message="![](http://example.org/x.png)", ending={"note": "<b>", "warm": False})
    back = unbundle(told)
    assert back.outcome.message == ""
    assert "note" not in back.outcome.ending


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"format": "something"}, "not the bundle of a run"),
        ({"version": 2}, "format 2"),
        ({"status": "running"}, "status must be"),
        ({"status": ["done"]}, "damaged"),
        ({"objective": [1.0]}, "same length"),
        ({"objective": "x"}, "must be lists"),
        ({"objective": [True] * 21}, "a number is expected"),
        ({"objective": [10**400] * 21}, "damaged"),
        ({"terms": {"<script>": [0.0] * 21}}, "short words"),
        ({"terms": []}, "lists by name"),
        ({"scores": {"accuracy_euclidean": "1"}}, "a number is expected"),
        ({"scores": {str(i): 1.0 for i in range(100)}}, "numbers by name"),
        ({"snapshots": [[0, {}]] * 1000}, "too many snapshots"),
        ({"snapshots": [1]}, "damaged"),
        ({"versions": {"numpy": "<img>"}}, "versions must be short"),
        ({"versions": []}, "damaged"),
        ({"iteration": 1.5}, "whole number"),
        ({"ending": {"resumed_at": "x"}}, "whole number"),
        ({"name": "x" * 200}, "up to 80 characters"),
        ({"name": 5}, "name must be text"),
        ({"name": "x" * 2000}, "name must be text, and short"),
        ({"tags": ["x" * 2000]}, "few and short"),
        ({"versions": {f"v{i}": "1" for i in range(50)}}, "too many versions"),
        ({"request": {"dataset": "orl", "method": "nmf", "note": "x" * 10**6}}, "too great a length"),
        ({"tags": "x"}, "list of words"),
        ({"request": {}}, "does not say what was run"),
        ({"request": {"dataset": "upload-0123456789abcdef", "method": "nmf"}}, "somebody uploaded"),
        ({"request": {"dataset": "nothing", "method": "nmf"}}, "cannot be run here"),
        ({"request": {"dataset": "orl", "method": "../nmf"}}, "cannot be run here"),
        ({"request": {"dataset": "orl", "method": "nmf", "params": {"n_components": -1}}}, "n_components"),
        ({"request": {"dataset": "orl", "method": "nmf", "extra": 1}}, "cannot be run here"),
        ({"request": {"dataset": "orl", "method": "nmf", "params": 3}}, "cannot be run here"),
        ({"request": {"dataset": "orl", "method": "nmf", "labels": 3}}, "cannot be run here"),
    ],
)
def test_wrong_values(parcel: Parcel, values: dict[str, Any], words: str) -> None:
    with pytest.raises(UploadError, match=words):
        unbundle(changed(parcel, **values))


@pytest.mark.parametrize("method", sorted(methods.names()))
def test_arrays_of_every_method_have_the_shapes_that_its_request_gives_them(pack: Pack, method: str) -> None:
    several = "views" in methods.spec(method).needs
    dataset, options = ("planted_views", {}) if several else ("orl", {"size": 16})
    parcel = pack(RunRequest(dataset, method, {}, dataset_options=options), iterations=1)
    back = unbundle(bundle(parcel))
    assert back.content.arrays.keys() == parcel.content.arrays.keys()
    assert back.outcome.ending["imported"] is True


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("components", (5, 1023)),
        ("components", (6, 1024)),
        ("components", (1024,)),
        ("embedding", (255, 5)),
        ("embedding", (256,)),
        ("mean", (1023,)),
        ("coef", (256, 7777)),
        ("factors_0", (32, 4321)),
    ],
)
def test_arrays_of_another_shape_are_refused(parcel: Parcel, name: str, shape: tuple[int, ...]) -> None:
    arrays = dict(parcel.content.arrays) | {name: np.zeros(shape, np.float32)}
    spoiled = replace(parcel, content=replace(parcel.content, arrays=arrays))
    with pytest.raises(UploadError, match=r"its array \w+ \([\d ×]+\) does not fit Swimmer"):
        unbundle(bundle(spoiled))


def scattered(*pieces: bytes, count: int) -> bytes:
    """So many pieces in random order: they pack well, but not suspiciously well."""
    return bytes(np.array(pieces)[np.random.default_rng(0).integers(len(pieces), size=count)].tobytes())


@pytest.mark.parametrize(
    ("begin", "pieces", "count", "end", "words"),
    [
        (b'{"x": [', (b"[],", b"{},"), 8_000_000, b"1]}", "more memory|takes longer"),
        (b'{"x": [', (b"[],", b"{},"), 14_000_000, b"1]}", "larger than 40 MB"),
        (b"", (b"[[[[", b"[[ ["), 2_000_000, b"", "cannot be read"),
    ],
)
def test_a_description_that_grows_when_it_is_parsed_does_so_elsewhere(
    begin: bytes,
    pieces: tuple[bytes, bytes],
    count: int,
    end: bytes,
    words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A zip of half a megabyte took 1.5 GB and eight seconds of the server."""
    packed = put_together({"run.json": begin + scattered(*pieces, count=count) + end})
    with caplog.at_level("DEBUG", "datasets.reading.sandbox"), pytest.raises(UploadError, match=words):
        unbundle(packed)
    assert "unpacked_in" in caplog.text, "it was parsed in the limited process"


def test_words_of_strangers_are_short_and_plain(parcel: Parcel) -> None:
    told = "![x](http://example.org/x.png)" * 1000
    for request in ({"dataset": told, "method": "nmf"}, {"dataset": "orl", "method": told}):
        with pytest.raises(UploadError) as refusal:
            unbundle(changed(parcel, request=request))
        assert len(str(refusal.value)) < 700


def test_wrong_files(parcel: Parcel) -> None:
    files = taken_apart(bundle(parcel))
    for data, words in (
        (b"", "The file is empty. A bundle is a zip file"),
        (b"nonsense", "a zip file is expected"),
        (b"PK\x03\x04nonsense", "damaged"),
        (bundle(parcel)[:-200], "damaged"),
        (put_together({"other.txt": b"x"}), "no run.json"),
        (put_together({"run.json": b"{"}), "cannot be read"),
        (put_together({"run.json": b"[" * 100_000}), "cannot be read"),
        (put_together({"run.json": b"[]"}), "something else"),
        (put_together(files | {"arrays.npz": b"nonsense"}), "damaged|archive"),
        (put_together(files | {f"{i}.txt": b"" for i in range(60)}), "more than 40 files"),
        (put_together(files | {"zeros": bytes(150_000_000)}), "times its size"),
    ):
        with pytest.raises(UploadError, match=words):
            unbundle(data)


@pytest.mark.parametrize(
    ("name", "array", "words"),
    [
        ("../components", np.eye(2), "no run has found"),
        ("components", np.array([None]), "pickle"),
        ("components", np.array(["a", "b"]), "no run has found"),
        ("components", np.zeros((1, 1, 1, 1, 1)), "no run has found"),
    ],
)
def test_wrong_arrays(parcel: Parcel, name: str, array: Any, words: str) -> None:
    held = io.BytesIO()
    np.savez(held, **{name: array})
    files = taken_apart(bundle(parcel)) | {"arrays.npz": held.getvalue()}
    with pytest.raises(UploadError, match=words):
        unbundle(put_together(files))


def test_a_run_on_an_upload_comes_back_to_whoever_has_the_file(pack: Pack) -> None:
    table = b"a,b,class\n" + b"\n".join(b"%d,%d,%d" % (i % 7, i % 5, i % 2) for i in range(20))
    mine = datasets.read(table, "mine.csv", label="class")
    id = datasets.keep(mine, content_id(mine.files, mine.reading, "anna"))
    parcel = pack(RunRequest(id, "nmf", {"n_components": 2, "max_iter": 3}))
    packed = bundle(parcel)
    there = unbundle(packed)
    assert not datasets.is_here(there.request.dataset), "nobody's, until an owner is known"
    assert there.outcome.ending["files"] == [["mine.csv", hashlib.sha256(table).hexdigest()]]
    assert of_owner(there, "anna").request.key == parcel.request.key
    assert of_owner(there, "ben").request.dataset not in (id, there.request.dataset)


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ({"files": [["a.csv", "x"]]}, "a plain name and a SHA-256"),
        ({"files": [["<b>a</b>", "0" * 64]]}, "a plain name"),
        ({"files": [["a.csv"]]}, "pairs of a name"),
        ({"files": "a.csv"}, "files must be a list"),
        ({"reading": {"open": "/etc/passwd"}}, "corrections that there are"),
        ({"reading": {"label": {"a": 1}}}, "corrections that there are"),
        ({"reading": ["flip"]}, "corrections by name"),
    ],
)
def test_what_a_bundle_says_of_files_is_checked(parcel: Parcel, ending: dict[str, Any], words: str) -> None:
    with pytest.raises(UploadError, match=words):
        unbundle(changed(parcel, ending=ending))
