"""Several views through the engine: who gets which, side by side or one by one, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import datasets
import methods
from experiments import RunRequest, run
from experiments.requests.prepare import prepare
from experiments.requests.views import parts_by_view, sample_scale, select_rows, side_by_side, view_names

OPTIONS = {"samples": 60}
MULTIVIEW = ["cca", "cotraining", "pcsc", "sulf"]
SHORT = {"max_iter": 4}


def request(method: str, view: Any = None, params: Any = None, **more: Any) -> RunRequest:
    return RunRequest("planted_views", method, params or {}, dataset_options=OPTIONS, view=view, **more)


def test_left_open_a_method_for_views_gets_all_and_any_other_the_first() -> None:
    ds = datasets.load("planted_views", **OPTIONS)
    every, first = prepare(request("sulf")), prepare(request("nmf"))
    assert list(every.X) == list(ds.views)
    for name, view in ds.views.items():
        np.testing.assert_array_equal(every.X[name], view[every.rows.train])
    np.testing.assert_array_equal(first.X, ds.X)


def test_named_views_come_in_the_order_asked_for() -> None:
    now = prepare(request("sulf", ["view 3", "view 1"], split={"held_out_per_class": 2}))
    assert list(now.X) == list(now.unseen) == ["view 3", "view 1"]
    assert now.unseen["view 3"].shape == (10, 30)
    assert list(prepare(request("sulf", "view 2")).X) == ["view 2"]
    with pytest.raises(ValueError, match="has no view 'view 9'; it has view 1, view 2, view 3"):
        prepare(request("sulf", ["view 1", "view 9"]))


def test_any_other_method_gets_named_views_side_by_side_each_sample_of_length_one() -> None:
    ds = datasets.load("planted_views", **OPTIONS)
    joined = prepare(request("nmf", ["view 2", "view 1"])).X
    assert joined.shape == (60, 100)
    for part, name in ((joined[:, :60], "view 2"), (joined[:, 60:], "view 1")):
        np.testing.assert_allclose(np.linalg.norm(part, axis=1), 1, rtol=1e-5)
        X = ds.views[name]
        np.testing.assert_allclose(part, X / np.linalg.norm(X, axis=1, keepdims=True), rtol=1e-5)
    np.testing.assert_array_equal(prepare(request("nmf", ["view 2"])).X, ds.views["view 2"])


def test_a_method_for_one_matrix_sees_what_it_would_make_of_the_views_itself() -> None:
    ds, now = datasets.load("planted_views", **OPTIONS), prepare(request("sgnmf", ["view 1", "view 3"]))
    views = [ds.views["view 1"], ds.views["view 3"]]
    params = {"n_components": 4, "max_iter": 3, "tol": 0, "random_state": 0}
    ours = methods.create("sgnmf", **params).fit(now.X, now.y_partial)
    own = methods.create("sgnmf", **params).fit(views, now.y_partial)
    np.testing.assert_allclose(ours.embedding_, own.embedding_, rtol=1e-5)


def test_the_scale_of_a_view_does_not_matter_side_by_side() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random((5, 3)), sparse.csr_array(rng.random((5, 2)))
    one, other = side_by_side({"a": a, "b": b}), side_by_side({"a": 1000 * a, "b": b})
    assert sparse.issparse(one)
    np.testing.assert_allclose(one.toarray(), other.toarray(), rtol=1e-12)
    assert select_rows({"a": a, "b": b}, np.array([3]))["b"].shape == (1, 2)


def test_requests_that_name_the_same_views_are_the_same() -> None:
    assert request("nmf", "view 2").key == request("nmf", ["view 2"]).key == request("nmf", ("view 2",)).key
    assert request("nmf", ["view 1", "view 2"]).key != request("nmf", "view 1").key
    # Runs that were kept before views could be listed are found again.
    assert '"view": null' in request("nmf").canonical()
    assert '"view": "view 2"' in request("nmf", ["view 2"]).canonical()
    again = RunRequest.from_json(request("nmf", ("view 1", "view 2")).canonical())
    assert again.key == request("nmf", ["view 1", "view 2"]).key


@pytest.mark.parametrize("view", [[], ["a", "a"], [3], 3, {"a": 1}, ["a", None]])
def test_what_names_no_views_is_refused(view: Any) -> None:
    with pytest.raises(ValueError, match="view must be the name of a view or a list of different names"):
        request("nmf", view).canonical()


@pytest.mark.parametrize("method", MULTIVIEW)
def test_methods_for_views_run_and_are_scored(method: str) -> None:
    params = SHORT if method != "cca" else {"n_components": 4}
    record = run(request(method, params=params, split={"labelled_per_class": 4, "held_out_per_class": 2}))
    assert record.status in ("done", "max_iter")
    assert 0.3 < record.scores["accuracy_euclidean"] <= 1
    if "predict" in methods.spec(method).gives or "transform" in methods.spec(method).gives:
        assert 0.3 < record.scores["held_out_euclidean"] <= 1
    assert "embedding" in record.arrays


def test_parts_and_sparsity_of_every_view() -> None:
    ds, asked = datasets.load("planted_views", **OPTIONS), request("sulf", params=SHORT)
    record = run(asked)
    parts = parts_by_view(record.arrays, ds, asked)
    assert {name: found.shape[1] for name, found in parts.items()} == {
        name: view.shape[1] for name, view in ds.views.items()
    }
    assert 0 < record.scores["hoyer"] < 1
    joined = request("pca", ["view 2", "view 1"])
    arrays = run(joined).arrays
    cut = parts_by_view(arrays, ds, joined)
    assert {name: found.shape[1] for name, found in cut.items()} == {"view 2": 60, "view 1": 40}
    np.testing.assert_array_equal(cut["view 1"], arrays["components"][:, 60:])
    assert parts_by_view(arrays, ds, joined, "mean")["view 1"].shape == (40,)
    assert parts_by_view({}, ds, joined) == {}


def test_parts_add_up_to_samples_of_their_own_length() -> None:
    ds, asked = datasets.load("planted_views", **OPTIONS), request("sulf", params={"max_iter": 200})
    record = run(asked)
    for name, parts in parts_by_view(record.arrays, ds, asked).items():
        rebuilt = record.arrays["embedding"][5] @ parts * sample_scale(ds, asked, name, 5)
        assert np.linalg.norm(rebuilt - ds.views[name][5]) < 0.4 * np.linalg.norm(ds.views[name][5])
    plain = request("sulf", params={"unit_samples": False})
    assert sample_scale(ds, plain, "view 1", 5) == sample_scale(ds, request("nmf"), "view 1", 5) == 1
    assert view_names(ds, request("nmf")) == ("view 1",)


def test_a_patch_needs_pixels_alone() -> None:
    several = RunRequest(
        "orl", "nmf", dataset_options={"size": 32, "views": "pixels+textures+edges"}, corruption={"size": 4}
    )
    assert prepare(several).X.shape == (400, 1024)
    for view, method in (("edges", "nmf"), (["pixels", "edges"], "nmf"), (None, "sulf")):
        wrong = RunRequest(
            "orl", method, dataset_options=several.dataset_options, view=view, corruption={"size": 4}
        )
        with pytest.raises(ValueError, match="does not hold images alone"):
            prepare(wrong)


def test_all_rows_in_order_are_the_data_themselves_and_not_a_copy() -> None:
    X = np.arange(12.0).reshape(4, 3)
    assert select_rows(X, np.arange(4)) is X
    assert select_rows({"a": X}, np.arange(4))["a"] is X
    for rows in ([1, 0, 2, 3], [0, 1, 2], [0, 1, 2, 3, 3], []):
        some = select_rows(X, np.array(rows, dtype=int))
        assert not np.shares_memory(some, X)
        assert np.array_equal(some, X[np.array(rows, dtype=int)])
