"""Requests: equal in meaning, equal in key; and nothing unknown gets through."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import datasets
import methods
from experiments import RunRequest, run

BASE = RunRequest("orl", "n2s2l")
SAME: list[dict[str, Any]] = [
    {"params": {"alpha": 10}},
    {"params": {"alpha": np.float64(10), "max_iter": np.int64(500)}},
    {"params": {"max_iter": 500.0, "n_components": None}},
    {"params": {"tol": 1e-6, "solver": "multiplicative"}},
    {"dataset_options": {"size": 64}},
    {"dataset_options": MappingProxyType({"size": np.int64(64)})},
    {"split": {"labelled_per_class": 2}},
    {"split": {"labelled_per_class": np.int64(2), "held_out_fraction": 0, "labelled_fraction": None}},
    {"corruption": {}},
    {"corruption": {"size": 0, "kind": "black"}},
    {"seed": np.int64(0)},
]
OTHER: list[dict[str, Any]] = [
    {"dataset": "digits"},
    {"method": "nmf"},
    {"params": {"alpha": 11}},
    {"params": {"n_components": 78}},
    {"dataset_options": {"size": 32}},
    {"view": "pixels"},
    {"split": {"labelled_per_class": 3}},
    {"split": {"labelled_fraction": 0.2}},
    {"split": {"held_out_per_class": 1}},
    {"corruption": {"size": 20}},
    {"corruption": {"size": 20, "kind": "noise"}},
    {"corruption": {"size": 20, "position": (0, 0)}},
    {"seed": 1},
]
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"dataset": "mnist"}, r"unknown data set 'mnist'.*orl"),
    ({"method": "nnmf"}, r"no method 'nnmf'.*nmf"),
    ({"params": {"gamma": 1}}, r"n2s2l has no parameter 'gamma'.*alpha"),
    ({"params": {"alpha": -1}}, "alpha=-1 is too small"),
    ({"params": {"max_iter": 1.5}}, "max_iter=1.5 is not a whole number"),
    ({"params": {"init": (np.ones(2), np.ones(2))}}, "init must be one of random, nndsvda"),
    ({"params": {"random_state": 3}}, "random_state follows from the seed"),
    ({"dataset_options": {"width": 3}}, "no option 'width'.*size"),
    ({"dataset_options": {"size": 2}}, "size must be an integer from 8 to 112"),
    ({"split": {"labeled_per_class": 2}}, "split has no setting 'labeled_per_class'.*labelled_per_class"),
    ({"split": {"seed": 2}}, "split has no setting 'seed'"),
    ({"split": {"labelled_per_class": -1}}, "labelled_per_class must be at least 0"),
    ({"split": {"labelled_per_class": "two"}}, "labelled_per_class must be a whole number, not 'two'"),
    ({"split": {"held_out_fraction": 1}}, "held_out_fraction must be at least 0 and below 1"),
    ({"split": {"held_out_fraction": 0.1, "held_out_per_class": 1}}, "not both"),
    ({"corruption": {"colour": "red"}}, "corruption has no setting 'colour'.*kind"),
    ({"corruption": {"kind": "red"}}, "kind must be one of grey"),
    ({"corruption": {"position": 3}}, r"position must be a pair \(top, left\)"),
    ({"seed": -1}, "seed must be from 0"),
    ({"seed": 0.5}, "seed must be a whole number"),
    ({"seed": True}, "seed must be a whole number"),
]


def request(**changes: Any) -> RunRequest:
    return RunRequest(**({"dataset": "orl", "method": "n2s2l"} | changes))


@pytest.mark.parametrize("changes", SAME, ids=str)
def test_what_means_the_same_has_the_same_key(changes: dict[str, Any]) -> None:
    assert request(**changes).canonical() == BASE.canonical()
    assert request(**changes).key == BASE.key


def test_what_differs_has_another_key() -> None:
    keys = [request(**changes).key for changes in [{}, *OTHER]]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("changes", [{}, *OTHER], ids=str)
def test_a_request_survives_its_json(changes: dict[str, Any]) -> None:
    text = request(**changes).canonical()
    again = RunRequest.from_json(text)
    assert again.canonical() == text
    assert again.key == request(**changes).key


@pytest.mark.parametrize("name", methods.names())
def test_every_default_is_written_out(name: str) -> None:
    plain = json.loads(RunRequest("orl", name).canonical())
    spec = methods.spec(name)
    assert set(plain["params"]) == {param.name for param in spec.params if param.kind != "seed"}
    assert plain["dataset_options"] == datasets.card("orl").resolve({})
    assert plain["dataset_options"]["size"] == 64
    assert plain["split"]["labelled_per_class"] == 2


def test_labels_of_a_share_make_the_number_void() -> None:
    share = {"labelled_fraction": 0.2}
    assert request(split=share | {"labelled_per_class": 5}).key == request(split=share).key


@pytest.mark.parametrize(("changes", "says"), REFUSED, ids=[str(changes) for changes, _ in REFUSED])
def test_what_is_unknown_or_out_of_range_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        request(**changes).canonical()


def test_a_request_on_an_erased_upload_keeps_its_key_and_cannot_be_run() -> None:
    read = datasets.read(b"text,label\n" + b"the quick fox runs,0\na lazy dog sleeps,1\n" * 5, "texts.csv")
    id = datasets.keep(read)
    request = RunRequest(id, "nmf", {"n_components": 2}, dataset_options=datasets.load(id).options)
    key = request.key
    datasets.erase(id)
    assert request.key == key
    with pytest.raises(ValueError, match="no longer here"):
        run(request)
