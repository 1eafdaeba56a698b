"""Samples on a plane: the same every time, near ones near, sparse ones never made dense."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import datasets
from experiments.inspection.layout import MOST, aligned, layout, moved, planar, ways
from experiments.measures.recognition import nearest_neighbour


def blobs(n: int = 30, features: int = 40, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Three clouds far from each other."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(3), n)
    centres = 10 * rng.normal(size=(3, features))
    return np.abs(centres[codes] + rng.normal(size=(codes.size, features))), codes


@pytest.mark.parametrize("way", list(MOST))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_clouds_stay_apart_and_come_out_the_same_twice(way, form) -> None:
    X, codes = blobs()
    points = planar(form(X), way)
    assert points.shape == (90, 2)
    assert points.dtype == np.float32
    assert np.abs(points).max() == pytest.approx(1, abs=1e-6)
    others = np.arange(90) % 2 == 0
    found = nearest_neighbour(points[others], codes[others], points[~others])
    assert (found == codes[~others]).all()
    assert np.array_equal(points, planar(form(X), way))


def test_principal_plane_is_the_plane_of_the_largest_spread() -> None:
    X, _ = blobs()
    centred = X - X.mean(axis=0)
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    expected = left[:, :2] * values[:2]
    points = planar(X, "pca").astype(np.float64)
    points -= points.mean(axis=0)
    scale = np.linalg.norm(expected) / np.linalg.norm(points)
    for axis in range(2):
        assert abs(points[:, axis] @ expected[:, axis]) * scale == pytest.approx(values[axis] ** 2, rel=1e-4)


@pytest.mark.parametrize("way", list(MOST))
@pytest.mark.parametrize("shape", [(2, 3), (3, 1), (5, 1), (6, 2), (12, 3)])
def test_few_samples_or_features_still_have_places(way, shape) -> None:
    points = planar(np.random.default_rng(1).random(shape), way)
    assert points.shape == (shape[0], 2)
    assert np.isfinite(points).all()


def test_samples_that_do_not_differ_lie_on_one_spot() -> None:
    assert not planar(np.ones((10, 4)), "pca").any()


def test_parts_that_nothing_joins_lie_on_one_plane() -> None:
    X, codes = blobs(n=40)
    X[codes == 2] += 1e4
    assert np.isfinite(planar(X, "spectral")).all()


def test_sparse_rows_are_never_all_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    X = sparse.random_array((500, 3000), density=0.01, format="csr", rng=np.random.default_rng(0))
    for name in ("toarray", "todense"):
        monkeypatch.setattr(sparse.csr_array, name, lambda *_: pytest.fail("made dense"))
    for way in MOST:
        assert planar(X, way).shape == (500, 2)


def test_too_many_samples_are_refused_in_words_and_not_offered() -> None:
    assert ways(MOST["tsne"]) == ["pca", "spectral", "tsne"]
    assert ways(MOST["tsne"] + 1) == ["pca"]
    with pytest.raises(ValueError, match="too many for way='tsne': it takes at most"):
        planar(np.zeros((MOST["tsne"] + 1, 3)), "tsne")
    with pytest.raises(ValueError, match="way must be one of pca"):
        planar(np.zeros((5, 3)), "umap")  # type: ignore[arg-type] # what a caller may get wrong


def test_a_data_set_is_laid_out_once() -> None:
    ds = datasets.load("iris")
    assert layout(ds, "spectral") is layout(ds, "spectral")
    assert layout(ds, "pca") is not layout(ds, "spectral")


def test_where_samples_are_too_many_for_tsne_they_settle_among_those_they_resemble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{planar.__module__}._PLACED_BY_TSNE", 200)
    monkeypatch.setattr(f"{planar.__module__}._LANDMARKS", 120)
    rng = np.random.default_rng(0)
    middles = 8 * rng.normal(size=(6, 20))
    group = np.arange(900) % 6
    points = planar(middles[group] + rng.normal(size=(900, 20)), "tsne")
    nearest = ((points[:, None] - points[None]) ** 2).sum(axis=-1)
    np.fill_diagonal(nearest, np.inf)
    assert (group[nearest.argmin(axis=1)] == group).mean() > 0.98
    assert len(np.unique(points, axis=0)) > 850, "nor do they all fall on the samples that were placed first"


def test_aligned_undoes_turning_and_mirroring() -> None:
    points = np.random.default_rng(2).normal(size=(20, 2)).astype(np.float32)
    turned = points @ np.array([[0.6, 0.8], [0.8, -0.6]], np.float32)
    assert np.allclose(aligned(turned, points), points, atol=1e-5)


def test_places_by_features_move_no_farther_than_they_must() -> None:
    X, codes = blobs(n=20)
    first = moved(X)
    others = np.arange(60) % 2 == 0
    assert (nearest_neighbour(first[others], codes[others], first[~others]) == codes[~others]).all()
    mirrored = first * np.array([1, -1], np.float32)
    again = moved(1.01 * X, mirrored)
    assert np.square(again - mirrored).mean() < np.square(again - first).mean()
    assert moved(np.ones((3, 1))).shape == (3, 2)
