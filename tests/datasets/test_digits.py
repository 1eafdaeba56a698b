"""Digits: scikit-learn's images, scaled to [0, 1] and otherwise as they are."""

import numpy as np
from sklearn.datasets import load_digits

import datasets


def test_the_digits_are_scikit_learns() -> None:
    ds = datasets.load("digits")
    source = load_digits()
    assert ds.image_shape == (8, 8)
    assert ds.X.dtype == np.float32
    assert np.array_equal(ds.X * 16, source.images.reshape(1797, 64))
    assert np.array_equal(ds.y, source.target)
    assert ds.target_names == tuple("0123456789")
    assert ds.X.max() == 1
