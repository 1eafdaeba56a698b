"""Stacks of pictures, their sides in any order: so many samples as there are, upright, of their own shape."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import datasets
from datasets.reading.stacks import flattened, samples_side
from tests.datasets.foreign_layouts import faces, grain, handwriting, waves
from tests.datasets.upload_files import mat, mat73, saved

SIDES = [(0, 1, 2), (1, 2, 0), (1, 0, 2)]
# As many pictures as they are high or wide, or nearly: then the odd side out says nothing.
STACKS = {
    "faces": faces((92, 112))[:100],
    "tall faces": faces((112, 92))[:95],
    "digits": handwriting((28, 28))[:28],
    "texture": grain((24, 30), 1.5, 1.5)[:27],
    "waves": waves((16, 16))[:16],
}


@pytest.mark.parametrize("kind", STACKS)
def test_the_side_along_which_pictures_differ_most_counts_them(kind: str) -> None:
    pictures = STACKS[kind]
    for order in permutations(range(3)):
        assert samples_side(pictures.transpose(order), ()) == order.index(0), order


def test_labels_say_which_side_counts_the_samples() -> None:
    noise = np.random.default_rng(0).random((30, 20, 25))
    for side, count in enumerate(noise.shape):
        assert samples_side(noise, {count}) == side
    rows, shapes = flattened({"X": np.moveaxis(noise, 0, 2)}, {30})
    np.testing.assert_array_equal(rows["X"], noise.reshape(30, -1))
    assert shapes == {500: (20, 25)}


@pytest.mark.parametrize("order", SIDES)
@pytest.mark.parametrize("kind", ["faces", "texture"])
def test_a_stack_is_read_as_it_is_and_nobody_is_asked(kind: str, order: tuple[int, int, int]) -> None:
    pictures = STACKS[kind]
    stored: dict[str, Any] = {"X": pictures.transpose(order), "y": np.arange(len(pictures)) % 3}
    for data, name in ((mat(**stored), "x.mat"), (mat73(stored), "x.mat"), (saved(**stored), "x.npz")):
        found = datasets.understand(data, name)
        assert found.dataset.image_shape == pictures.shape[1:]
        assert not found.unsure
        np.testing.assert_allclose(found.dataset.X, pictures.reshape(len(pictures), -1), atol=1e-5)


def test_a_stack_whose_faces_lie_is_turned_and_noise_is_no_picture() -> None:
    upright = faces((28, 28))
    ds = datasets.read(saved(upright.transpose(0, 2, 1)), "x.npy")
    np.testing.assert_allclose(ds.X, upright.reshape(len(upright), -1), atol=1e-5)
    assert datasets.read(saved(np.random.default_rng(0).random((30, 20, 25))), "x.npy").image_shape is None
    told = datasets.read(saved(STACKS["texture"]), "x.npy", pixels="columns")
    assert told.image_shape == (30, 24)


def test_official_halves_of_stacks_as_keras_hands_mnist_over() -> None:
    digits = (handwriting((28, 28)) * 255).astype(np.uint8)
    y = np.arange(len(digits)) % 10
    cut = 200
    file = saved(x_train=digits[:cut], y_train=y[:cut], x_test=digits[cut:], y_test=y[cut:])
    ds = datasets.read(file, "mnist.npz")
    assert ds.image_shape == (28, 28)
    np.testing.assert_allclose(ds.X, digits.reshape(len(digits), -1) / 255, atol=1e-5)
    np.testing.assert_array_equal(ds.y, y)
    assert ds.given is not None
    np.testing.assert_array_equal(np.bincount(ds.given), [cut, 0, len(digits) - cut])
