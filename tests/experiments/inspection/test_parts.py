"""The parts of a run: what they add up to, who uses them, in which order they come, and their files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import experiments
from experiments import RunRequest
from experiments.engine.run import Run
from experiments.inspection.part_files import to_csv, to_npz
from experiments.inspection.parts import parts_of


def handle_of(dataset: str, method: str, params: dict, **options):
    """What a finished run looks like to who asks for its parts."""
    under_way = Run(RunRequest(dataset, method, params, dataset_options=options))
    while under_way.advance():
        pass
    record = under_way.record()
    layout = SimpleNamespace(terms=tuple(record.terms))
    q = getattr(under_way.estimator, "n_discriminative_", None)
    return SimpleNamespace(
        request=under_way.request,
        reader=SimpleNamespace(latest=lambda: (record.iterations, dict(record.arrays)), layout=layout),
        ending={"discriminative": q},
    )


@pytest.fixture(scope="module")
def nmf():
    return parts_of(handle_of("planted_parts", "nmf", {"n_components": 5, "max_iter": 60}, parts=5))


def test_all_parts_add_up_to_what_the_method_made_of_a_sample(nmf) -> None:
    found = nmf.rebuilt(7)
    assert np.allclose(found.whole, nmf.embedding[7] @ nmf.components)
    assert np.array_equal(found.left, found.whole)
    assert np.array_equal(found.original, nmf.ds.X[nmf.rows.train[7]])
    expected = np.linalg.norm(found.original - found.whole) / np.linalg.norm(found.original)
    assert found.whole_error == pytest.approx(expected, rel=1e-5)


def test_a_part_switched_off_takes_away_exactly_its_share(nmf) -> None:
    found = nmf.rebuilt(3, off=[1, 4])
    share = nmf.embedding[3, [1, 4]] @ nmf.components[[1, 4]]
    assert np.allclose(found.whole - found.left, share, atol=1e-6)
    nothing = nmf.rebuilt(3, off=range(5))
    assert not nothing.left.any()
    assert nothing.left_error == pytest.approx(1)


def test_the_mean_stays_when_every_part_is_off() -> None:
    pca = parts_of(handle_of("planted_parts", "pca", {"n_components": 3}))
    assert np.allclose(pca.rebuilt(0, off=[0, 1, 2]).left, pca.ds.X[pca.rows.train].mean(axis=0), atol=1e-5)


def test_users_are_those_with_the_largest_coefficients(nmf) -> None:
    users = nmf.users(2, 6)
    assert len(users) == 6
    use = nmf.embedding[:, 2]
    assert use[users].tolist() == sorted(use, reverse=True)[:6]


def test_orders(nmf) -> None:
    assert nmf.ordered("number").tolist() == [0, 1, 2, 3, 4]
    assert (np.diff(nmf.weight[nmf.ordered("weight")]) <= 0).all()
    assert (np.diff(nmf.sparsity[nmf.ordered("sparsity")]) <= 0).all()
    assert (np.diff(nmf.best_class[nmf.ordered("class")]) >= 0).all()
    assert nmf.weight.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="order must be one of weight, sparsity, class, number"):
        nmf.ordered("colour")


def test_a_part_belongs_to_the_class_that_uses_it_most(nmf) -> None:
    y = nmf.ds.y[nmf.rows.train]
    for part, code in enumerate(nmf.best_class):
        means = [nmf.embedding[y == other, part].mean() for other in range(nmf.ds.n_classes)]
        assert code == int(np.argmax(means))


def test_without_classes_parts_belong_to_none(nmf) -> None:
    bare = replace(nmf, ds=replace(nmf.ds, y=None, target_names=()))
    assert bare.best_class is None
    assert bare.ordered("class").tolist() == bare.ordered("weight").tolist()


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda parts: parts.rebuilt(10_000), "sample must be from 0 to"),
        (lambda parts: parts.rebuilt(0, [5]), "parts to switch off must be from 0 to 4"),
        (lambda parts: parts.users(5, 3), "part must be from 0 to 4"),
    ],
)
def test_what_is_not_there_is_refused_in_words(nmf, ask, words) -> None:
    with pytest.raises(ValueError, match=words):
        ask(nmf)


@pytest.mark.parametrize(
    ("method", "words"), [("lda", "directions, not for parts"), ("gaussian_nmf", "after the bend of space")]
)
def test_parts_that_do_not_add_up_say_so(method: str, words: str) -> None:
    params = {"max_iter": 5, "n_components": 4} if method == "gaussian_nmf" else {}
    parts = parts_of(handle_of("planted_parts", method, params))
    with pytest.raises(ValueError, match=words):
        parts.rebuilt(0)


def test_discriminative_parts_are_counted() -> None:
    params = {"n_components": 6, "n_discriminative": 2, "max_iter": 5}
    assert parts_of(handle_of("planted_parts", "n2s2l", params)).discriminative == 2


def test_each_view_has_its_own_parts_and_samples_of_length_one() -> None:
    handle = handle_of("planted_views", "sulf", {"n_components": 6, "max_iter": 40})
    names = list(parts_of(handle).ds.views)
    for name in names:
        parts = parts_of(handle, name)
        assert parts.components.shape == (6, parts.ds.views[name].shape[1])
        assert parts.image_shape is None
        assert np.linalg.norm(parts.original(0)) == pytest.approx(1)
        assert parts.rebuilt(0).whole_error < 0.7
    assert parts_of(handle).view == names[0]
    with pytest.raises(ValueError, match="no parts of a view 'smell'"):
        parts_of(handle, "smell")


@pytest.mark.parametrize("method", ["nearest_neighbour", "cons"])
def test_methods_without_parts_have_none(method: str) -> None:
    assert parts_of(handle_of("iris", method, {})) is None


@pytest.mark.parametrize("dataset", ["planted_parts", "wine"])
@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_the_table_reads_back_as_the_same_numbers(dataset: str, precision: type) -> None:
    parts = parts_of(handle_of(dataset, "nmf", {"n_components": 3, "max_iter": 10}))
    parts = replace(parts, components=parts.components.astype(precision) / precision(3))
    names = parts.feature_names or [str(index) for index in range(parts.components.shape[1])]
    head, *rows = csv.reader(io.StringIO(to_csv(parts, names)))
    assert head == ["part", *names]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    again = np.array([[precision(value) for value in row[1:]] for row in rows])
    assert np.array_equal(again, parts.components)


def test_the_arrays_read_back_without_pickles(nmf) -> None:
    names = [f"feature {index}" for index in range(nmf.components.shape[1])]
    with np.load(io.BytesIO(to_npz(nmf, names)), allow_pickle=False) as kept:
        assert np.array_equal(kept["components"], nmf.components)
        assert np.array_equal(kept["embedding"], nmf.embedding)
        assert kept["feature_names"].tolist() == names
        assert tuple(kept["image_shape"]) == nmf.image_shape
        assert RunRequest.from_json(str(kept["request"])).key == nmf.request.key
        again = experiments.run(RunRequest.from_json(str(kept["request"])))
    assert np.array_equal(again.arrays["components"], nmf.components)


def test_weights_of_a_size_of_their_own_still_show_the_picture() -> None:
    lnmf = parts_of(handle_of("orl", "lnmf", {"n_components": 25, "max_iter": 100}, size=16))
    found = lnmf.rebuilt(0)
    assert found.whole_error < 0.4, "nearly black before: 90 % missing"
    light = found.original @ found.whole / (found.whole @ found.whole)
    assert light == pytest.approx(1, rel=1e-5)
