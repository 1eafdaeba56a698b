"""Sparse X: the same answers as dense X where a method takes it, a sentence where it does not; any scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn.utils import get_tags

import methods
from tests.methods.problems import estimator, problem

TAKES = [
    "lda",
    "mfa",
    "hgf",
    "hgf_cmn",
    "cons",
    "s_rlsc",
    "lap_rlsc",
    "lap_svm",
    "drlsc",
    "nearest_neighbour",
]
REFUSES = ["pca", "sda", "smfa", "dpca", "lnp", "src"]


def texts(seed: int = 0, n: int = 60, m: int = 40) -> tuple[Any, Any]:
    """Counts of words, most of them zero; three classes with words of their own."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    rates = np.full((3, m), 0.05) + np.repeat(np.eye(3), [14, 13, 13], axis=1) * 0.6
    X = rng.poisson(rates[truth]).astype(float)
    X[:, 0] += rng.random(n) * 1e-3  # no two distances are equal
    return X, np.where(rng.random(n) < 0.4, truth, -1)


def made(name: str, **params: Any) -> Any:
    return methods.create(name, **({"max_iter": 50} if name == "lap_svm" else {}), **params)


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix])
def test_sparse_rows_are_as_good_as_dense_ones(name: str, dtype: Any, form: Any) -> None:
    X, y = texts()
    X = X.astype(dtype)
    assert get_tags(methods.create(name)).input_tags.sparse
    dense, found = made(name).fit(X, y), made(name).fit(form(X), y)
    tolerance = 1e-6 if dtype == np.float64 else 2e-3
    ask = "transform" if name in ("lda", "mfa") else "decision_function"
    for rows in (X, texts(1)[0].astype(dtype)):
        ours, theirs = getattr(found, ask)(form(rows)), getattr(dense, ask)(rows)
        assert ours.dtype == dtype
        np.testing.assert_allclose(ours, theirs, atol=tolerance * np.abs(theirs).max())


@pytest.mark.parametrize("name", ["hgf", "cons"])
def test_sparse_rows_are_joined_with_their_neighbours(name: str) -> None:
    X, y = texts()
    dense, found = (made(name, graph="knn").fit(form(X), y) for form in (np.asarray, sparse.csr_array))
    np.testing.assert_allclose(found.label_distributions_, dense.label_distributions_, atol=1e-9)


@pytest.mark.parametrize("name", REFUSES)
def test_the_others_say_that_they_need_every_entry(name: str) -> None:
    X, y = texts()
    assert not get_tags(methods.create(name)).input_tags.sparse
    with pytest.raises(TypeError, match=r"takes no sparse matrix\. As X\.toarray\(\) this one takes 0 MB"):
        methods.create(name).fit(sparse.csr_array(X), y)


@pytest.mark.parametrize("name", TAKES + REFUSES)
def test_products_alone_are_refused_in_words(name: str) -> None:
    X, y = texts()
    with pytest.raises(ValueError, match="needs the entries of X"):
        methods.create(name).fit(aslinearoperator(X), y)


def test_long_indices_are_shortened_where_they_can_be() -> None:
    X = sparse.csr_array(texts()[0])
    wide = sparse.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)
    assert wide.indices.dtype == np.int64
    params = {"n_components": 3, "max_iter": 5, "tol": 0, "random_state": 0}
    one, other = (methods.create("semi_nmf", **params).fit(form) for form in (X, wide))
    np.testing.assert_array_equal(one.embedding_, other.embedding_)
    assert wide.indices.dtype == np.int64, "what is passed in is left alone"


SCALED = ["cons", "hgf", "hgf_cmn", "lnp", "s_rlsc", "lap_rlsc", "lda", "sda", "dpca", "nearest_neighbour"]


@pytest.mark.parametrize("name", SCALED)
@pytest.mark.parametrize("scale", [1e-160, 1e150])
def test_the_scale_of_the_data_changes_no_decision(name: str, scale: float) -> None:
    spec = methods.spec(name)
    given = problem(spec)
    usual = estimator(spec).fit(given.X, given.y, **given.known)
    scaled = estimator(spec).fit(given.X * scale, given.y, **given.known)
    if "predict" in spec.gives:
        np.testing.assert_array_equal(scaled.predict(given.X * scale), usual.predict(given.X))
    else:
        np.testing.assert_allclose(
            scaled.transform(given.X * scale) / scale, usual.transform(given.X), rtol=1e-6, atol=1e-9
        )


@pytest.mark.parametrize("scale", [1e-160, 1e150])
def test_neighbours_do_not_depend_on_the_scale(scale: float) -> None:
    from methods import graphs

    X, y = texts()
    for make in (
        lambda Z: graphs.neighbours(Z, 3),
        lambda Z: graphs.penalty(Z, y, 5),
        lambda Z: graphs.intrinsic(Z, y, 2),
    ):
        np.testing.assert_array_equal(make(X * scale).toarray(), make(X).toarray())
