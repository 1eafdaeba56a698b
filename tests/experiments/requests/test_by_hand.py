"""Labels and pairs given by hand: what counts, what has no effect, what is refused."""

from dataclasses import replace

import numpy as np
import pytest

import datasets
import experiments
from experiments import RunRequest
from experiments.requests.by_hand import class_names, pairs_among
from experiments.requests.prepare import prepare, rows_of

IRIS = {"dataset": "iris", "method": "pca", "split": {"labelled_per_class": 1, "held_out_per_class": 10}}


@pytest.fixture
def iris():
    return datasets.load("iris")


def by_split(iris):
    return rows_of(iris, RunRequest(**IRIS))


def test_a_label_counts_on_an_unlabelled_row(iris):
    before = by_split(iris)
    row = int(before.unlabelled[3])
    after = rows_of(iris, RunRequest(**IRIS, labels=((row, iris.target_names[2]),)))
    assert after.y_partial[row] == 2
    assert set(after.labelled) == {*before.labelled, row}
    assert row not in after.unlabelled
    np.testing.assert_array_equal(after.held_out, before.held_out)
    np.testing.assert_array_equal(after.train, before.train)


@pytest.mark.parametrize("part", ["labelled", "held_out"])
def test_a_label_has_no_effect_on_other_rows(iris, part):
    before = by_split(iris)
    row = int(getattr(before, part)[0])
    after = rows_of(iris, RunRequest(**IRIS, labels=((row, "something else"),)))
    np.testing.assert_array_equal(after.y_partial, before.y_partial)


def test_new_names_become_classes_behind_the_known_ones(iris):
    rows = by_split(iris).unlabelled
    labels = ((int(rows[0]), "zinnia"), (int(rows[1]), "aster"), (int(rows[2]), iris.target_names[0]))
    request = RunRequest(**IRIS, labels=labels)
    assert class_names(iris, request.labels) == (*iris.target_names, "aster", "zinnia")
    assert rows_of(iris, request).y_partial[rows[:3]].tolist() == [4, 3, 0]


def test_data_without_classes_can_be_labelled_by_hand():
    ds = datasets.Dataset("toy", "Toy", {"x": np.eye(4)})
    rows = rows_of(ds, RunRequest("toy", "nmf", labels=((1, "b"), (3, "a"))))
    assert rows.y_partial.tolist() == [-1, 1, -1, 0]


def test_hand_labels_reach_the_method(iris):
    given = {**IRIS, "method": "lda", "split": {"labelled_per_class": 0}}
    with pytest.raises(ValueError, match=r"LDA cannot work on .*: it needs labelled samples\."):
        experiments.run(RunRequest(**given))
    labels = tuple((row, iris.target_names[iris.y[row]]) for row in range(0, 150, 5))
    assert experiments.run(RunRequest(**given, labels=labels)).scores["accuracy_euclidean"] > 0.9


def test_a_row_without_a_class_is_labelled_by_hand(monkeypatch, iris):
    """Of uploads and news stories some have no class: those are what a person names."""
    gaps = replace(iris, y=np.where(np.arange(150) % 5, iris.y, -1))
    monkeypatch.setattr(datasets, "load", lambda *_, **__: gaps)
    request = RunRequest("iris", "nmf", {"max_iter": 5}, labels=((0, iris.target_names[0]), (5, "gossip")))
    assert 0.3 < experiments.run(request).scores["accuracy_euclidean"] <= 1


def test_pairs_reach_the_method_by_their_training_places(iris):
    held = int(by_split(iris).held_out[0])
    train = by_split(iris).train
    pairs = ((int(train[5]), int(train[2]), "must"), (int(train[0]), held, "cannot"))
    request = RunRequest(**{**IRIS, "method": "dpca"}, pairs=pairs)
    assert prepare(request).fit_params == {"must_link": [(2, 5)], "cannot_link": []}
    assert pairs_among(iris, by_split(iris), request.pairs) == {"must_link": [(2, 5)], "cannot_link": []}


def test_a_cannot_link_drives_two_samples_apart(iris):
    train = by_split(iris).train
    pair = (int(train[0]), int(train[1]))

    def distance(*pairs):
        request = {**IRIS, "method": "dpca", "params": {"n_components": 1}}
        embedding = experiments.run(RunRequest(**request, pairs=pairs)).arrays["embedding"]
        return abs(embedding[0, 0] - embedding[1, 0]) / np.ptp(embedding)

    assert distance((*pair, "cannot")) > distance((*pair, "must"))


def test_what_is_said_makes_another_run_in_whatever_order():
    plain = RunRequest(**IRIS)
    one = RunRequest(**IRIS, labels=[[7, "a"], [3, " b "]], pairs=[[9, 4, "must"]])
    other = RunRequest(**IRIS, labels=((3, "b"), (7, "a"), (7, "a")), pairs=((4, 9, "must"),))
    assert one == other
    assert one.key == other.key != plain.key
    assert "labels" not in plain.canonical()
    assert RunRequest.from_json(one.canonical()).key == one.key
    assert RunRequest.from_json(one.as_given()) == one


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"labels": [(1, "a"), (1, "b")]}, "row 1 is given two classes: 'a' and 'b'"),
        ({"labels": [(-1, "a")]}, "row by its number, 0 or more, not -1"),
        ({"labels": [(True, "a")]}, "row by its number, 0 or more, not True"),
        ({"labels": [(1, "  ")]}, "class name of row 1 must be 1 to 100 characters"),
        ({"labels": [(1, 2)]}, "class name of row 1 must be"),
        ({"labels": [3]}, r"a label must be \(row, class name\), not 3"),
        ({"pairs": [(1, 1, "must")]}, "two samples, not row 1 twice"),
        ({"pairs": [(1, 2, "maybe")]}, "must be 'must' or 'cannot', not 'maybe'"),
        ({"pairs": [(1, 2, "must"), (2, 1, "cannot")]}, "rows 1 and 2 are said both"),
    ],
)
def test_nonsense_is_refused(said, why):
    with pytest.raises(ValueError, match=why):
        RunRequest(**IRIS, **said)


@pytest.mark.parametrize("said", [{"labels": ((150, "a"),)}, {"pairs": ((0, 150, "must"),)}])
def test_a_row_beyond_the_data_is_refused(said):
    with pytest.raises(ValueError, match="150 samples: there is no row 150"):
        prepare(RunRequest(**{**IRIS, "method": "dpca"}, **said))
