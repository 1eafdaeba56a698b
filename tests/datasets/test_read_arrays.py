"""datasets.read: .mat of both versions, .npz and .npy, as researchers pass them round."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from scipy import io as scipy_io
from scipy import sparse

import datasets
from datasets import UploadError
from datasets.reading.halves import joined
from datasets.reading.limits import Limits
from datasets.reading.mat5 import read_mat5
from tests.datasets.upload_files import by_columns, cell, faces, mat, mat73, saved

PICTURES, PEOPLE = faces()
UPRIGHT = PICTURES.reshape(40, -1) / np.float32(255)
FEA = by_columns(PICTURES).astype(float)


def one_hot(people: Any) -> Any:
    return np.eye(people.max())[people - 1]


@pytest.mark.parametrize("compressed", [True, False])
def test_fea_and_gnd_with_pixels_by_columns(compressed: bool) -> None:
    ds = datasets.read(mat(compressed, fea=FEA, gnd=PEOPLE[:, None]), name="ORL_32x32.mat")
    assert ds.image_shape == (32, 32)
    np.testing.assert_allclose(ds.X, UPRIGHT, atol=1e-6)
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)
    assert ds.target_names[:3] == ("1", "2", "3")
    assert ds.card is not None
    assert "column by column" in ds.card.summary
    assert "40 samples of 1024 pixels" in ds.card.summary


def test_pixels_by_rows_are_left_and_flip_turns_them() -> None:
    data = mat(fea=PICTURES.reshape(40, -1), gnd=PEOPLE)
    np.testing.assert_allclose(datasets.read(data, name="x.mat").X, UPRIGHT, atol=1e-6)
    turned = datasets.read(data, name="x.mat", flip=True)
    np.testing.assert_allclose(turned.X, by_columns(PICTURES) / 255, atol=1e-6)


def test_oblong_pictures_find_their_shape() -> None:
    pictures, people = faces(40, 32)
    for rows in (pictures.reshape(40, -1), by_columns(pictures)):
        for known in (None, (40, 32)):
            ds = datasets.read(mat(fea=rows, gnd=people), name="x.mat", image_shape=known)
            assert ds.image_shape == (40, 32)
            np.testing.assert_allclose(ds.X, pictures.reshape(40, -1) / 255, atol=1e-6)


LABELS: dict[str, Any] = {
    "row": PEOPLE[None],
    "column": PEOPLE[:, None].astype(np.uint8),
    "from 0": PEOPLE - 1.0,
    "with gaps": PEOPLE * 7 - 3,
    "one-hot": one_hot(PEOPLE),
    "one-hot the other way": one_hot(PEOPLE).T,
    "sparse one-hot": sparse.csc_array(one_hot(PEOPLE)),
    "logical one-hot": one_hot(PEOPLE).astype(bool),
}


@pytest.mark.parametrize("way", LABELS)
@pytest.mark.parametrize("turned", [False, True])
def test_labels_as_people_write_them(way: str, turned: bool) -> None:
    data = mat(X=FEA.T if turned else FEA, Y=LABELS[way])
    ds = datasets.read(data, name="x.mat")
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)
    np.testing.assert_allclose(ds.X, UPRIGHT, atol=1e-6)
    assert ds.n_classes == 20


def test_partial_labels() -> None:
    for missing in (np.nan, -1):
        y = np.where(PEOPLE > 5, missing, PEOPLE)
        ds = datasets.read(mat(X=FEA, y=y), name="x.mat")
        np.testing.assert_array_equal(ds.y, np.where(PEOPLE > 5, -1, PEOPLE - 1))
    half = one_hot(PEOPLE)
    half[10:] = 0
    ds = datasets.read(mat(X=FEA, Y=half), name="x.mat")
    np.testing.assert_array_equal(ds.y, np.where(np.arange(40) < 10, PEOPLE - 1, -1))
    ds = datasets.read(mat(X=FEA, y=PEOPLE - 1), name="x.mat", unknown=0)
    np.testing.assert_array_equal(ds.y, PEOPLE - 2)


VIEWS = [np.arange(40 * width, dtype=float).reshape(40, width) % 7 for width in (5, 9, 11)]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("column", [False, True])
def test_cells_of_views(turned: bool, column: bool) -> None:
    stored = [v.T if turned else v for v in VIEWS]
    ds = datasets.read(mat(X=cell(*stored, column=column), Y=PEOPLE), name="x.mat")
    assert list(ds.views) == ["X 1", "X 2", "X 3"]
    for view, wanted in zip(ds.views.values(), VIEWS, strict=True):
        np.testing.assert_array_equal(view, wanted)


@pytest.mark.parametrize("column", [False, True])
def test_labels_repeated_for_every_view(column: bool) -> None:
    labels = PEOPLE[:, None] if column else PEOPLE[None]
    data = mat(data=cell(*[v.T for v in VIEWS]), truelabel=cell(*[labels] * 3))
    found = datasets.understand(data, name="BBC.mat")
    assert list(found.dataset.views) == ["data 1", "data 2", "data 3"]
    assert found.label_choices == ("truelabel",)
    np.testing.assert_array_equal(found.dataset.y, PEOPLE - 1)
    assert "data 1, data 2, data 3 were turned" in found.summary
    other = mat(data=cell(*VIEWS), truelabel=cell(labels, labels[::-1, ::-1]))
    assert datasets.understand(other, name="x.mat").label_choices == ("truelabel 1", "truelabel 2")


HALVES: dict[str, Any] = {
    "trainX": {"trainX": FEA[:25], "trainY": PEOPLE[:25], "testX": FEA[25:], "testY": PEOPLE[25:]},
    "X_train": {"X_train": FEA[:25], "y_train": PEOPLE[:25], "X_test": FEA[25:], "y_test": PEOPLE[25:]},
    "in columns": {
        "fea_Train": FEA[:20].T, "gnd_Train": PEOPLE[:20, None],
        "fea_Test": FEA[20:].T, "gnd_Test": PEOPLE[20:, None],
    },
    "sparse": {
        "tr_data": sparse.csc_array(FEA[:9]), "tr_labels": PEOPLE[None, :9],
        "te_data": sparse.csc_array(FEA[9:]), "te_labels": PEOPLE[None, 9:],
    },
    "as words": {
        "trainX": FEA[:25], "trainY": cell(*[f"p{k}" for k in PEOPLE[:25]]),
        "testX": FEA[25:], "testY": cell(*[f"p{k}" for k in PEOPLE[25:]]),
    },
}  # fmt: skip


@pytest.mark.parametrize("way", HALVES)
def test_training_and_test_samples_are_one_set(way: str) -> None:
    found = datasets.understand(mat(**HALVES[way]), name="x.mat")
    ds = found.dataset
    assert len(ds.views) == 1
    values = ds.X.toarray() / 255 if sparse.issparse(ds.X) else ds.X
    np.testing.assert_allclose(values, FEA / 255 if way == "sparse" else UPRIGHT, atol=1e-6)
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)
    assert "were put together" in found.summary


def test_lists_of_training_and_test_rows_are_no_samples() -> None:
    data = mat(fea=FEA, gnd=PEOPLE, trainIdx=np.arange(1, 21), testIdx=np.arange(21, 41))
    found = datasets.understand(data, name="x.mat")
    np.testing.assert_array_equal(found.dataset.y, PEOPLE - 1)
    assert "put together" not in found.summary


def test_thousands_of_halves_are_no_work() -> None:
    rng = np.random.default_rng(0)
    many: dict[str, Any] = {}
    for number in range(3000):
        for half in ("train", "test"):
            many[f"{half}{number}"] = rng.random((2, number % 50 + 2))
            many[f"{half}y{number}"] = np.arange(number % 40 + 3)
    started = time.process_time()
    assert joined(many) == (many, [])
    assert time.process_time() - started < 1


def test_pictures_in_columns_without_labels_are_found_and_can_be_turned_back() -> None:
    data = mat(faces=FEA.T)
    found = datasets.understand(data, name="olivettifaces.mat")
    np.testing.assert_allclose(found.dataset.X, UPRIGHT, atol=1e-6)
    assert "Samples were in columns" in found.summary
    assert datasets.read(data, name="x.mat", transpose=True).X.shape == (1024, 40)
    assert datasets.read(mat(faces=FEA), name="x.mat").X.shape == (40, 1024)


def test_numbered_views_sparse_and_chosen() -> None:
    data = mat(X1=VIEWS[0], X2=sparse.csc_array(VIEWS[1]), X3=VIEWS[2].T, y=PEOPLE, note="made by hand")
    found = datasets.understand(data, name="x.mat")
    assert list(found.dataset.views) == ["X1", "X2", "X3"]
    middle = found.dataset.views["X2"]
    assert isinstance(middle, sparse.csr_array)
    np.testing.assert_array_equal(middle.toarray(), VIEWS[1])
    assert found.view_choices == ("X1", "X2", "X3")
    assert found.left_out == ("note (a single value)",)
    assert list(datasets.read(data, name="x.mat", views=["X3", "X1"]).views) == ["X3", "X1"]
    with pytest.raises(UploadError, match="views names X9; this file has X1, X2, X3"):
        datasets.read(data, name="x.mat", views=["X9"])


def test_structs_are_opened() -> None:
    ds = datasets.read(mat(data={"X": FEA, "labels": PEOPLE}), name="x.mat")
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)


def test_words_as_labels() -> None:
    words = cell(*[f"p{k}" for k in PEOPLE], column=True)
    ds = datasets.read(mat(X=VIEWS[0], labels=words), name="x.mat")
    assert ds.target_names[:3] == ("p1", "p2", "p3")  # p10 comes after p9
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)


def test_without_labels_rows_are_samples_unless_told() -> None:
    data = mat(X=VIEWS[0])
    assert datasets.read(data, name="x.mat").X.shape == (40, 5)
    assert datasets.read(data, name="x.mat", transpose=True).X.shape == (5, 40)
    labelled = mat(X=VIEWS[0], y=PEOPLE)
    assert datasets.read(labelled, name="x.mat", label=False).y is None


def test_labels_that_fit_nothing_are_not_labels() -> None:
    found = datasets.understand(mat(X=VIEWS[0], y=np.arange(7)), name="x.mat")
    assert found.dataset.y is None


def test_our_reader_agrees_with_scipy() -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "a": rng.random((3, 4)),
        "b": np.arange(24, dtype=np.int16).reshape(2, 3, 4),
        "c": np.float32([[1.5, 2]]),
        "d": np.array([[True, False]]),
        "e": np.arange(5, dtype=np.uint64),
        "long_name_of_a_matrix": np.ones((1, 1)),
        "s": sparse.random(9, 5, 0.3, format="csc", random_state=0),
    }
    for compressed in (True, False):
        data = mat(compressed, **arrays)
        mine, left_out = read_mat5(data, Limits())
        assert left_out == []
        import io

        for name, wanted in scipy_io.loadmat(io.BytesIO(data)).items():
            if not name.startswith("__"):
                dense = wanted.toarray() if sparse.issparse(wanted) else wanted
                found = mine[name].toarray() if sparse.issparse(mine[name]) else mine[name]
                np.testing.assert_array_equal(found, dense)


def test_a_small_variable_after_a_large_one_is_no_bomb() -> None:
    X = np.random.default_rng(0).random((300, 8000))
    data = mat(fea=X, gnd=np.arange(300) % 5)
    assert datasets.read(data, name="x.mat").n_classes == 5


def test_a_variable_that_unpacks_to_far_more_is_refused() -> None:
    with pytest.raises(UploadError, match="times its size"):
        datasets.read(mat(fea=np.zeros((1000, 3000))), name="x.mat")


@pytest.mark.parametrize("turned", [False, True])
def test_version_73(turned: bool) -> None:
    data = mat73({"fea": FEA.T if turned else FEA, "gnd": PEOPLE[:, None].astype(float)})
    ds = datasets.read(data, name="x.mat")
    np.testing.assert_allclose(ds.X, UPRIGHT, atol=1e-6)
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)


def test_version_73_cells_and_sparse() -> None:
    data = mat73({"X": [VIEWS[0], VIEWS[1].T], "S": sparse.csc_array(VIEWS[2]), "Y": PEOPLE[None]})
    found = datasets.understand(data, name="x.mat", views=["X 1", "X 2", "S"])
    first, second, third = found.dataset.views.values()
    np.testing.assert_array_equal(first, VIEWS[0])
    np.testing.assert_array_equal(second, VIEWS[1])
    assert isinstance(third, sparse.csr_array)
    np.testing.assert_array_equal(third.toarray(), VIEWS[2])


def test_version_73_never_opens_other_files(tmp_path: Any) -> None:
    import h5py

    (tmp_path / "secret").write_bytes(np.arange(12.0).tobytes())
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["X"] = VIEWS[0]
    outside, linked = tmp_path / "outside.mat", tmp_path / "linked.mat"
    with h5py.File(outside, "w") as file:
        file.create_dataset("X", (3, 4), dtype="f8", external=[(str(tmp_path / "secret"), 0, 96)])
    with h5py.File(linked, "w") as file:
        file["X"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "X")
    with pytest.raises(UploadError, match="damaged or unusual"):
        datasets.read(outside)
    with pytest.raises(UploadError, match="holds no matrix"):
        datasets.read(linked)


def test_npz_and_npy() -> None:
    ds = datasets.read(saved(images=PICTURES, labels=PEOPLE), name="x.npz")
    assert ds.image_shape == (32, 32)
    np.testing.assert_allclose(ds.X, UPRIGHT, atol=1e-6)
    np.testing.assert_array_equal(ds.y, PEOPLE - 1)
    ds = datasets.read(saved(PICTURES.reshape(40, -1)), name="x.npy")
    np.testing.assert_allclose(ds.X, UPRIGHT, atol=1e-6)
    words = np.array([f"p{k}" for k in PEOPLE])
    assert datasets.read(saved(X=VIEWS[0], y=words), name="x.npz").n_classes == 20


def test_scipy_npz_and_colour_stacks(tmp_path: Any) -> None:
    sparse.save_npz(tmp_path / "s.npz", sparse.csr_array(VIEWS[1]))
    ds = datasets.read(tmp_path / "s.npz")
    assert isinstance(ds.X, sparse.csr_array)
    np.testing.assert_array_equal(ds.X.toarray(), VIEWS[1])
    colour = np.repeat(PICTURES[..., None], 3, axis=3)
    for stack, name in ((colour, "x.npz"), (np.moveaxis(colour, 0, 3), "x.npz")):
        ds = datasets.read(saved(X=stack, y=PEOPLE), name=name)
        np.testing.assert_allclose(ds.X, UPRIGHT, atol=1e-5)


def test_image_shape_false_leaves_numbers_alone() -> None:
    ds = datasets.read(mat(fea=FEA, gnd=PEOPLE), name="x.mat", image_shape=False)
    assert ds.image_shape is None
    np.testing.assert_array_equal(ds.X, FEA)


def test_noise_and_curves_are_no_pictures() -> None:
    rng = np.random.default_rng(0)
    for X in (rng.random((30, 64)), np.cumsum(rng.standard_normal((30, 256)), axis=1)):
        assert datasets.read(saved(X), name="x.npy").image_shape is None


def test_missing_values_name_their_place() -> None:
    X = VIEWS[0].copy()
    X[3, 2] = np.nan
    X[8, 1] = np.inf
    with pytest.raises(
        UploadError, match="X has NaN, infinite or missing values in 2 places, the first in row 4, column 3"
    ):
        datasets.read(mat(X=X, y=PEOPLE), name="x.mat")
    with pytest.raises(UploadError, match="row 4, column 3"):
        datasets.read(mat(X=sparse.csc_array(X), y=PEOPLE), name="x.mat")


def test_negative_values_are_kept_and_mentioned() -> None:
    found = datasets.understand(saved(VIEWS[0] - 3), name="x.npy")
    np.testing.assert_array_equal(found.dataset.X, VIEWS[0] - 3)
    assert "negative" in found.summary


def test_pickles_are_never_loaded() -> None:
    objects = np.array([{}, 1], dtype=object)
    for data, name in ((saved(X=objects), "x.npz"), (saved(objects), "x.npy")):
        with pytest.raises(UploadError, match=r"pickle\), which are never loaded"):
            datasets.read(data, name=name)
