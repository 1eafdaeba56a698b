"""Iris, wine and breast cancer: scikit-learn's numbers, stretched to 0 to 1 only if asked."""

import numpy as np
import pytest
from sklearn import datasets as sklearn_datasets

import datasets


@pytest.mark.parametrize(
    ("id", "shape", "classes"),
    [("iris", (150, 4), 3), ("wine", (178, 13), 3), ("breast_cancer", (569, 30), 2)],
)
def test_the_table_is_scikit_learns(id: str, shape: tuple[int, int], classes: int) -> None:
    source = getattr(sklearn_datasets, f"load_{id}")()
    raw, scaled = datasets.load(id, scale=False), datasets.load(id)
    for ds in (raw, scaled):
        assert ds.X.shape == shape
        assert ds.X.dtype == np.float32
        assert np.array_equal(ds.y, source.target)
        assert ds.target_names == tuple(source.target_names)
        assert ds.n_classes == classes
        assert ds.feature_names == tuple(source.feature_names)
        assert ds.image_shape is None
    assert np.array_equal(raw.X, source.data.astype(np.float32))
    assert np.array_equal(scaled.X.min(axis=0), np.zeros(shape[1]))
    assert np.array_equal(scaled.X.max(axis=0), np.ones(shape[1]))
    for column in range(shape[1]):
        assert np.corrcoef(scaled.X[:, column], source.data[:, column])[0, 1] == pytest.approx(1)
