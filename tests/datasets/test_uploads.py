"""Uploads as data sets: the same after a round trip, for who knows their id, gone when erased."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import datasets
from datasets import Dataset, dataset_files, own_folder, private_folder, uploads
from datasets.schema import Card, Option
from experiments import RunRequest, run
from tests.datasets.upload_files import by_columns, faces, mat

TEXTS = [f"the {animal} runs over a {colour} field" for animal in ("fox", "dog") for colour in ("red", "dry")]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of its own for each test, as a fresh server makes it."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv(private_folder.VARIABLE, raising=False)
    monkeypatch.setattr(private_folder, "_own", [])
    yield
    private_folder.close()


def two_views() -> Dataset:
    rng = np.random.default_rng(0)
    counts = sparse.csr_array(rng.random((300, 900)) * (rng.random((300, 900)) < 0.5))
    original = datasets.read(
        mat(X1=rng.random((300, 9)), X2=rng.random((300, 4)), y=np.arange(300) % 3), "v.mat"
    )
    return replace(
        original,
        views={"X1": original.X, "counts": counts},
        view_features={"X1": tuple("abcdefghi")},
        feature_names=None,
        y=np.where(np.arange(300) % 5 == 0, -1, np.arange(300) % 3),
    )


def offered(ds: Dataset) -> list[str]:
    """The options of a data set once it is kept."""
    return [option.name for option in datasets.card(datasets.keep(ds)).options]


def test_an_upload_is_a_data_set_like_any_other() -> None:
    pictures, people = faces()
    read = datasets.read(mat(fea=by_columns(pictures), gnd=people), "faces.mat")
    id = datasets.keep(read)
    kept = datasets.load(id)
    np.testing.assert_array_equal(kept.X, read.X)
    np.testing.assert_array_equal(kept.y, read.y)
    assert (kept.id, kept.title, kept.image_shape) == (id, "faces.mat", (32, 32))
    assert kept.target_names == read.target_names
    assert datasets.load(id) is kept
    assert datasets.card(id).kind == "images"
    assert datasets.is_here(id)
    assert id not in datasets.names()
    assert id not in {card.id for card in datasets.cards()}
    request = RunRequest(id, "nmf", {"n_components": 3, "max_iter": 2})
    assert run(request).status == "max_iter"
    with pytest.raises(ValueError, match="no option 'size'"):
        datasets.load(id, size=3)


def test_pictures_have_textures_and_edges_as_views_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, people = faces()
    file = mat(fea=by_columns(pictures), gnd=people)
    read = datasets.read(file, "faces.mat", views=["fea"])
    id = datasets.keep(read)
    assert list(datasets.load(id).views) == ["fea"]
    assert datasets.load(id).options["views"] == "fea"
    made = datasets.load(id, views="pixels+textures+edges")
    at_once = datasets.read(file, "faces.mat", views="pixels+textures+edges")
    assert list(made.views) == list(at_once.views) == ["pixels", "textures", "edges"]
    for name, view in made.views.items():
        np.testing.assert_array_equal(view, at_once.views[name])
    assert made.image_shape == (32, 32)
    request = RunRequest(id, "sulf", {"n_components": 3, "max_iter": 2}, {"views": "pixels+textures+edges"})
    assert run(request).status == "max_iter"
    assert offered(at_once) == ["preparation"], "there are no more to be made"
    # Where the views would not fit, they are not offered.
    monkeypatch.setenv("PARTWISE_UPLOAD_CELLS", "60000")
    assert offered(read) == ["preparation"]
    with pytest.raises(datasets.UploadError, match="With textures and edges the pictures would hold"):
        datasets.read(file, "faces.mat", views="pixels+textures+edges")


def test_only_pictures_have_textures_and_edges() -> None:
    for file, name in ((b"a,b,label\n1,2,0\n3,4,1\n", "t.csv"), (mat(X=np.eye(9), Y=np.arange(9)), "t.mat")):
        assert offered(datasets.read(file, name)) == ["preparation"]
        with pytest.raises(datasets.UploadError, match="is for pictures that are seen in one way"):
            datasets.read(file, name, views="pixels+textures+edges")


def test_sparse_and_partly_labelled_views_come_back_as_they_were() -> None:
    given = two_views()
    kept = datasets.load(datasets.keep(given))
    assert list(kept.views) == ["X1", "counts"]
    assert (kept.views["counts"] != given.views["counts"]).nnz == 0
    assert kept.views["counts"].data.nbytes > dataset_files.MAPPED_FROM, (
        "so it is read from the file as needed"
    )
    assert not kept.views["counts"].data.flags.writeable
    np.testing.assert_array_equal(kept.y, given.y)
    assert kept.feature_names == tuple("abcdefghi")


def test_texts_are_weighed_anew_with_other_options() -> None:
    table = "text,label\n" + "\n".join(f"{text},{text[4:7]}" for text in TEXTS * 5)
    read = datasets.read(table.encode(), "texts.csv", min_df=2)
    id = datasets.keep(read)
    assert {option.name: option.default for option in datasets.card(id).options}["min_df"] == 2
    assert datasets.load(id).feature_names == read.feature_names
    assert datasets.load(id).texts == read.texts
    assert "dog runs" in datasets.load(id, ngrams=2, stop_words=True).feature_names
    assert datasets.card(id) == datasets.load(id, ngrams=2).card


def test_titles_beside_counts_are_no_texts_to_weigh() -> None:
    """Kept in Python, Reuters-395 became the words of its titles once an option changed."""
    weights = Option("weights", "choice", "counts", choices=("counts",), meaning="How words are weighed.")
    card = Card(
        id="stories", title="Stories", summary="Counts, and titles.", kind="documents", source="Made here.",
        licence="MIT", credit="", options=(weights,),
    )  # fmt: skip
    counts = sparse.csr_array(np.eye(4, 60))
    ds = Dataset("stories", "Stories", {"words": counts}, texts={"words": tuple(TEXTS)}, card=card)
    assert offered(ds) == ["preparation"]
    np.testing.assert_allclose(
        datasets.load(datasets.keep(ds), preparation="unit").X.toarray(), np.eye(4, 60)
    )


def test_ids_cannot_be_guessed_and_are_no_paths() -> None:
    ids = {datasets.keep(two_views()) for _ in range(3)}
    assert len(ids) == 3
    assert all(len(id) == len(uploads.PREFIX) + 32 for id in ids)
    for id in (
        "upload-../../etc",
        "upload-",
        "upload-" + "0" * 32,
        f"upload-{next(iter(ids))}",
        "upload-a/b",
    ):
        assert not datasets.is_here(id)
        for asked in (datasets.load, datasets.card):
            with pytest.raises(ValueError, match="Upload them again"):
                asked(id)


def test_an_erased_upload_is_gone_from_disk_and_memory() -> None:
    id = datasets.keep(two_views())
    other = datasets.keep(two_views())
    datasets.load(id)
    datasets.erase(id)
    datasets.erase(id)
    assert not datasets.is_here(id)
    assert datasets.is_here(other)
    assert not (private_folder.open_folder() / id).exists()
    with pytest.raises(ValueError, match="no longer here"):
        datasets.load(id)


def test_a_process_drops_what_another_has_erased() -> None:
    from datasets.catalogue import _cache

    id = datasets.keep(two_views())
    datasets.load(id)
    uploads.erase(id)
    datasets.load("iris")
    assert id not in {key[0] for key in _cache._slots}


def test_worker_processes_find_uploads_and_nobody_else_can_read_them() -> None:
    id = datasets.keep(two_views())
    assert private_folder.open_folder().stat().st_mode & 0o777 == 0o700
    script = "import sys, datasets; print(datasets.load(sys.argv[1]).n_samples)"
    found = subprocess.run([sys.executable, "-c", script, id], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "300"
    assert datasets.is_here(id), "a worker that ends takes nothing with it"


def test_nothing_is_pickled() -> None:
    id = datasets.keep(two_views())
    files = sorted(path for path in (private_folder.open_folder() / id).iterdir())
    assert {path.suffix for path in files} == {".json", ".npy"}
    for path in files:
        if path.suffix == ".npy":
            np.load(path, allow_pickle=False)
        else:
            json.loads(path.read_text())


def test_the_folder_goes_with_its_server_and_leftovers_with_the_next(tmp_path: Path) -> None:
    private_folder.open_folder()
    script = (
        "import os, sys, datasets\n"
        "from datasets import private_folder\n"
        "datasets.keep(datasets.read(b'a,b\\n1,2\\n3,4\\n', 'a.csv'))\n"
        "print(private_folder.open_folder(), flush=True)\n"
        "if sys.argv[1] == 'killed': os.kill(os.getpid(), 9)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != private_folder.VARIABLE}
    environment["TMPDIR"] = str(tmp_path)

    def folder_of(ending: str) -> Path:
        ended = subprocess.run(
            [sys.executable, "-c", script, ending],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        return Path(ended.stdout.strip())

    assert not folder_of("well").exists()
    leftover = folder_of("killed")
    assert leftover.is_dir()
    own_folder.remove_leftovers(private_folder.FOLDER)
    assert not leftover.exists()
    assert private_folder.open_folder().is_dir(), "the folder of a living server stays"


def test_all_uploads_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    first = datasets.keep(two_views())
    monkeypatch.setenv("PARTWISE_UPLOAD_KEPT_BYTES", "3000000")
    with pytest.raises(datasets.UploadError, match="fill the 3 MB there are for them"):
        datasets.keep(two_views())
    datasets.erase(first)
    assert datasets.is_here(datasets.keep(two_views())), "there is room again"


def test_a_full_disk_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(datasets.UploadError, match="cannot be kept on this server: No space left on device"):
        datasets.keep(two_views())
    assert [path.name for path in private_folder.open_folder().iterdir()] == [own_folder.LOCK]
