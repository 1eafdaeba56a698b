"""Sparse X: the same answers as dense X where a method takes it, a sentence where it does not; any scale."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

import methods
from methods import graphs
from methods.checks import check_data
from methods.classifiers import _ball_codes
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
    "pca",
    "dpca",
    "sda",
    "smfa",
    "lnp",
    "src",
]
# These go other ways with fewer rows than features.
WIDE = ["pca", "dpca", "sda", "smfa", "lnp", "src"]


def texts(seed: int = 0, n: int = 60, m: int = 40) -> tuple[Any, Any]:
    """Counts of words, most of them zero; three classes with words of their own."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    sizes = [m - 2 * (m // 3), m // 3, m // 3]
    rates = np.full((3, m), 0.05) + np.repeat(np.eye(3), sizes, axis=1) * 0.6
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
    ask = "transform" if hasattr(dense, "transform") else "decision_function"
    for rows in (X, texts(1)[0].astype(dtype)):
        ours, theirs = getattr(found, ask)(form(rows)), getattr(dense, ask)(rows)
        assert ours.dtype == dtype
        np.testing.assert_allclose(ours, theirs, atol=tolerance * np.abs(theirs).max())


@pytest.mark.parametrize("name", ["hgf", "cons"])
def test_sparse_rows_are_joined_with_their_neighbours(name: str) -> None:
    X, y = texts()
    dense, found = (made(name, graph="knn").fit(form(X), y) for form in (np.asarray, sparse.csr_array))
    np.testing.assert_allclose(found.label_distributions_, dense.label_distributions_, atol=1e-9)


def compared(name: str, X: Any, y: Any, form: Any, tolerance: float, **params: Any) -> None:
    dense, found = methods.create(name, **params).fit(X, y), methods.create(name, **params).fit(form(X), y)
    ask = "transform" if hasattr(dense, "transform") else "decision_function"
    other = X[::-1] * X.dtype.type(1.1)
    pairs = [(getattr(found, ask)(form(other)), getattr(dense, ask)(other))]
    pairs += [
        (getattr(found, at), getattr(dense, at))
        for at in ("components_", "mean_", "embedding_", "objective_curve_")
        if hasattr(dense, at)
    ]
    for ours, theirs in pairs:
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * np.abs(theirs).max())


def long_indices(X: Any) -> Any:
    rows = sparse.csr_array(X)
    places = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    return sparse.csr_array((rows.data, *places), shape=X.shape)


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize(("n", "m"), [(40, 90), (60, 24)])
@pytest.mark.parametrize("form", [sparse.csc_array, long_indices])
def test_of_sparse_rows_the_same_is_made_to_the_last_digits(name: str, n: int, m: int, form: Any) -> None:
    X, y = texts(2, n, m)
    compared(name, X, y, form, 1e-8)
    compared(name, X.astype(np.float32), y, form, 1e-4)


def test_few_components_of_many_rows_are_found_from_products() -> None:
    X, y = texts(3, 640, 510)
    compared("pca", X, y, sparse.csr_array, 1e-8, n_components=2)


def test_asked_for_more_directions_than_rows_differ_in_they_are_orthonormal_all_the_same() -> None:
    X, y = texts(4, 20, 40)
    for name in ("pca", "dpca"):
        found = methods.create(name, n_components=20).fit(sparse.csr_array(X), y)
        np.testing.assert_allclose(found.components_ @ found.components_.T, np.eye(20), atol=1e-9)
        np.testing.assert_allclose(found.embedding_[:, -1], 0, atol=1e-9)


def test_pairs_drive_sparse_rows_as_they_do_dense_ones() -> None:
    for shape in ((40, 90), (60, 24)):
        X, y = texts(5, *shape)
        given = {"must_link": [(0, 5), (1, 8)], "cannot_link": [(2, 3), (7, 9)]}
        for labels in (y, None):
            dense, found = (
                methods.create("dpca").fit(form(X), labels, **given)
                for form in (np.asarray, sparse.csr_array)
            )
            np.testing.assert_allclose(found.components_, dense.components_, atol=1e-9)


LONG_ROWS, MANY_ROWS = (60, 40_000), (4000, 200)
# With as many labelled rows as features codes alone are as large as the data; and LNP compares all with all.
SIZES = [(name, LONG_ROWS) for name in WIDE] + [(name, MANY_ROWS) for name in ("pca", "dpca", "sda", "smfa")]


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_sparse_rows_are_never_all_written_out(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    n, m = size
    X = sparse.random_array(size, density=max(0.0005, 2 / m), format="csr", rng=np.random.default_rng(0))
    y = np.full(n, -1)
    y[:12] = np.arange(12) % 3
    methods.create(name).fit(*texts())  # What is loaded once does not count.
    monkeypatch.setattr(_ball_codes, "ENTRIES_AT_ONCE", 2**16)
    # Nor does the search for neighbours, which compares all with all.
    monkeypatch.setattr(graphs, "_nearest", lambda X, p: (np.arange(n)[:, None] + 1 + np.arange(p)) % n)
    tracemalloc.start()
    found = methods.create(name, **({"n_components": 5} if name in ("pca", "dpca") else {})).fit(X, y)
    getattr(found, "transform" if hasattr(found, "transform") else "predict")(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.8 * 8 * n * m


class Everything(BaseEstimator):
    """Looks at every entry."""


def test_a_method_that_needs_every_entry_says_so() -> None:
    with pytest.raises(TypeError, match=r"takes no sparse matrix\. As X\.toarray\(\) this one takes 0 MB"):
        check_data(Everything(), sparse.csr_array(texts()[0]), nonnegative=False)


@pytest.mark.parametrize("name", TAKES)
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
    usual = estimator(spec).fit(given.X, given.y, **given.fit_params)
    scaled = estimator(spec).fit(given.X * scale, given.y, **given.fit_params)
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
