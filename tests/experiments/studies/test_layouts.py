"""Every set that a study waits for, in the layouts in which it is passed round, made in its shape."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.ndimage import gaussian_filter

from datasets import Dataset
from datasets.picture_sizes import written
from experiments.cli.command_line import main
from experiments.studies import names, study
from experiments.studies.awaited import USPS, VOWEL, YALE, YALE_B, Awaited
from experiments.studies.study_files import FOLDER, every_awaited, understood_as
from tests.datasets.upload_files import by_columns, cell, encoded, mat, zipped

Array = np.ndarray[Any, Any]
PICTURED = [awaited for awaited in every_awaited() if awaited.pictures]
TABLES = [awaited for awaited in every_awaited() if not awaited.pictures]


def pictures(awaited: Awaited, samples: int = 0) -> tuple[Array, Array]:
    """As many smooth pictures as the set has, in the first of its sizes, and their classes."""
    rng, y = np.random.default_rng(0), np.arange(samples or awaited.samples[0]) % awaited.classes
    shape = awaited.pictures[0]
    of_class = [gaussian_filter(rng.random(shape), shape[0] / 12) for _ in range(awaited.classes)]
    bright = np.stack([(one - one.min()) / np.ptp(one) for one in of_class])[y] * 180
    return (bright + rng.random(bright.shape) * 10).astype(np.uint8), y


# How pixels X (one sample a row) and labels y from 1 are stored.
LAYOUTS: dict[str, Callable[[Array, Array], dict[str, Any]]] = {
    "fea, gnd": lambda X, y: {"fea": X, "gnd": y[:, None].astype(float)},
    "X, Y turned": lambda X, y: {"X": X.T / 255, "Y": y[:, None]},
    "DAT, labels": lambda X, y: {"DAT": X.T, "labels": y[None]},
    "train and test": lambda X, y: {
        "NewTrain_DAT": X[::2].T, "trainlabels": y[None, ::2], "NewTest_DAT": X[1::2].T,
        "testlabels": y[None, 1::2],
    },
}  # fmt: skip
# Each set in two of them, so that every layout is met with several sets.
MET = [
    (awaited, layout)
    for at, awaited in enumerate(PICTURED)
    for layout in (list(LAYOUTS)[at % 4], list(LAYOUTS)[(at + 1) % 4])
]


@pytest.mark.parametrize(("awaited", "layout"), MET, ids=lambda one: getattr(one, "id", one))
def test_pictures_are_recognised_in_the_layouts_of_matlab(awaited: Awaited, layout: str) -> None:
    taken, y = pictures(awaited)
    stored = LAYOUTS[layout](by_columns(taken), y + 1)
    understood, found = understood_as(mat(**stored), "any name.mat", every_awaited())
    assert found is awaited
    ds = understood.dataset
    order = np.r_[0 : len(y) : 2, 1 : len(y) : 2] if layout == "train and test" else np.arange(len(y))
    _are_these(ds, awaited, taken[order], y[order])
    assert ds.card is not None
    assert ds.card.title == f"{awaited.title} (any name.mat)"
    assert {option.name for option in ds.card.options} == {"size"}


@pytest.mark.parametrize("awaited", PICTURED[::3], ids=lambda one: one.id)
def test_pixels_row_by_row_are_turned_once_somebody_says_so(awaited: Awaited) -> None:
    taken, y = pictures(awaited)
    understood, found = understood_as(
        mat(fea=taken.reshape(len(y), -1), gnd=y + 1), "x.mat", every_awaited(), pixels="rows"
    )
    assert found is awaited
    _are_these(understood.dataset, awaited, taken, y)


def _are_these(ds: Dataset, awaited: Awaited, taken: Array, y: Array) -> None:
    assert ds.image_shape == awaited.pictures[0]
    np.testing.assert_allclose(ds.X, taken.reshape(len(y), -1) / 255, atol=1e-6)
    np.testing.assert_array_equal(ds.y, y)


@pytest.mark.parametrize("awaited", TABLES, ids=lambda one: one.id)
def test_numbers_are_recognised_as_one_matrix_and_as_views(awaited: Awaited) -> None:
    rng, y = np.random.default_rng(0), np.arange(awaited.samples[0]) % awaited.classes
    views = [rng.random((len(y), width)) for width in (40, 30, 20)]
    thin = [sparse.csc_array(X * (X > 0.8)) for X in views]
    for stored, widths in (
        ({"fea": views[0], "gnd": y + 1}, [40]),
        ({"X": cell(*(X.T for X in views)), "Y": (y + 1)[None]}, [40, 30, 20]),
        ({"X": cell(*thin, column=True), "Y": (y + 1)[:, None]}, [40, 30, 20]),
        ({"X1": views[0], "X2": views[1], "X3": views[2], "y": y + 1.0}, [40, 30, 20]),
    ):
        understood, found = understood_as(mat(**stored), "x.mat", every_awaited())
        assert found is awaited
        assert [X.shape for X in understood.dataset.views.values()] == [(len(y), width) for width in widths]
        np.testing.assert_array_equal(understood.dataset.y, y)


def test_digits_as_one_layer_a_class() -> None:
    taken, y = pictures(USPS, 11_000)
    layers = np.stack([by_columns(taken[y == code]).T for code in range(10)], axis=2)
    assert layers.shape == (256, 1100, 10)
    understood, found = understood_as(mat(data=layers), "usps_all.mat", every_awaited())
    assert found is USPS
    _are_these(understood.dataset, USPS, taken[np.argsort(y, kind="stable")], np.sort(y))
    stack = np.moveaxis(pictures(Awaited("", "", "", (10,), 5, ((64, 96),)))[0], 0, 2)
    ds = understood_as(mat(data=stack), "x.mat", every_awaited())[0].dataset
    assert (ds.n_samples, ds.n_features) == (10, 64 * 96), "pictures are no layers of samples"


def test_faces_by_folder_and_by_the_names_of_their_files() -> None:
    taken, y = pictures(YALE)
    named = {f"yalefaces/subject{code + 1:02d}.{at // 15}": (one, code) for at, (one, code) in
             enumerate(zip(taken, y, strict=True))}  # fmt: skip
    files = {name: encoded(one, "GIF") for name, (one, _) in named.items()}
    understood, found = understood_as(zipped(files), "yalefaces.zip", every_awaited())
    assert found is YALE
    assert understood.dataset.target_names[:2] == ("subject01", "subject02")
    few, codes = pictures(YALE_B, 2414)
    folders = {f"yaleB{code:02d}/{at}.png": encoded(one) for at, (one, code) in
               enumerate(zip(few[:, ::2, ::4], codes, strict=True))}  # fmt: skip
    understood, found = understood_as(zipped(folders), "CroppedYale.zip", every_awaited())
    assert found is YALE_B, "any size of pictures will do: it is brought to those of the paper"
    assert understood.dataset.image_shape == (16, 8)


def _as_table(y: Array, separator: str, classes: str = "") -> bytes:
    numbers = np.random.default_rng(0).standard_normal((len(y), 10)).round(3)
    numbers[:, 0] = np.arange(len(y)) % 2
    return "\n".join(
        separator.join([*map(str, row), classes[code] if classes else str(code)])
        for row, code in zip(numbers, y, strict=True)
    ).encode()


def test_the_command_says_what_files_are_and_why_others_are_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    # Neither has a head: which column has the classes follows from what is waited for.
    (tmp_path / "vowel-context.data").write_bytes(_as_table(np.arange(990) % 11, " "))
    (tmp_path / "sonar.all-data").write_bytes(_as_table(np.arange(208) % 2, ",", "RM"))
    (tmp_path / "dermatology.data").write_bytes(
        _as_table(np.arange(366) % 6, ",").replace(b"\n1.0,", b"\n?,", 8)
    )
    (tmp_path / "other.csv").write_bytes(_as_table(np.arange(60) % 3, ",", "abc"))
    assert main(["study", "--data"]) == 0
    said = capsys.readouterr().out
    assert f"{VOWEL.title} is vowel-context.data" in said
    assert "Sonar is sonar.all-data" in said
    assert "dermatology.data is left alone: Column f0 has no number in 8 rows" in said
    assert "other.csv is left alone: 60 samples of 10 features in 3 classes: nothing" in said


@pytest.mark.parametrize("awaited", every_awaited(), ids=lambda one: one.id)
def test_cells_ask_for_sizes_in_which_a_file_can_be_had(awaited: Awaited) -> None:
    sizes = {written(shape) for shape in awaited.pictures}
    described = [study(name) for name in names() if study(name).paper]
    waiting = [cell for one in described for cell in one.plan.cells if cell.awaits == awaited.id]
    assert waiting
    for cell_of_it in waiting:
        for candidate in cell_of_it.candidates:
            options = dict(candidate.request.dataset_options)
            assert options.pop("size", None) in sizes | {None}
            assert not options, "a file has no other option"
