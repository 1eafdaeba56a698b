"""What is tried along the axes of a comparison can be run on the data it is meant for."""

from __future__ import annotations

import numpy as np
import pytest

import datasets
from datasets import Dataset
from experiments import split
from experiments.requests.ranges import dimensions, held_out, label_counts


def of_sizes(*sizes: int) -> Dataset:
    y = np.repeat(np.arange(len(sizes)), sizes)
    return Dataset("made", "Made", {"x": np.random.default_rng(0).random((y.size, 6))}, y=y)


@pytest.mark.parametrize("sizes", [(3, 9), (4, 4), (10, 10), (50, 60), (200, 300)])
@pytest.mark.parametrize("labelled", [1, 2])
def test_every_number_of_labels_leaves_some_to_ask_about(sizes: tuple[int, ...], labelled: int) -> None:
    ds = of_sizes(*sizes)
    kept = held_out(ds, {"labelled_per_class": labelled})
    counts = label_counts(ds, kept)
    assert counts == sorted(set(counts))
    assert counts[0] == 1
    for count in counts:
        found = split(ds, **(kept | {"labelled_per_class": count}))
        assert set(ds.y[found.unlabelled]) == {0, 1}


def test_small_classes_keep_nothing_from_the_methods() -> None:
    assert held_out(of_sizes(3, 9), {"labelled_per_class": 2}) == {"labelled_per_class": 2}


def test_shares_hold_out_a_share() -> None:
    assert held_out(of_sizes(40, 40), {"labelled_fraction": 0.2})["held_out_fraction"] == 0.25


def test_dimensions_are_no_more_than_the_data_have() -> None:
    ds = of_sizes(20, 20)
    assert dimensions(ds, split(ds)) == [2, 3, 4, 5, 6]
    faces = datasets.load("orl", size=16)
    assert dimensions(faces, split(faces)) == [2, 5, 10, 20, 40, 80, 120]
