"""Splits: a seeded partition, fair to each class, in which sliders only ever add."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets import Dataset
from experiments.requests.splits import Split, split

# Class codes in any order, with gaps in the codes and unknown rows; at least four rows a class.
codes = st.lists(st.sampled_from([-1, 0, 2, 5]), max_size=25).flatmap(
    lambda extra: st.permutations(extra + [0, 2, 5] * 4)
)
seeds = st.integers(0, 2**32)


def per_class(rows: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> list[int]:
    return [int(np.sum(y[rows] == code)) for code in (0, 2, 5)]


@given(codes, st.integers(1, 2), st.integers(0, 2), seeds)
def test_it_is_a_partition_with_the_numbers_asked_for(codes: list[int], m: int, held: int, seed: int) -> None:
    y = np.array(codes)
    s = split(y, labelled_per_class=m, held_out_per_class=held, seed=seed)
    everything = np.concatenate([s.labelled, s.unlabelled, s.held_out])
    assert np.array_equal(np.sort(everything), np.arange(y.size))
    assert per_class(s.labelled, y) == [m] * 3
    assert per_class(s.held_out, y) == [held] * 3
    assert set(np.flatnonzero(y == -1)) <= set(s.unlabelled)
    for rows in (s.labelled, s.unlabelled, s.held_out, s.train):
        assert np.all(np.diff(rows) > 0)
    assert set(s.train) == set(s.labelled) | set(s.unlabelled)


@given(codes, seeds)
def test_only_labelled_rows_show_their_label(codes: list[int], seed: int) -> None:
    y = np.array(codes)
    s = split(y, labelled_per_class=2, held_out_per_class=1, seed=seed)
    assert np.array_equal(np.flatnonzero(s.y_partial != -1), s.labelled)
    assert np.array_equal(s.y_partial[s.labelled], y[s.labelled])


@given(codes, seeds)
def test_more_labels_keep_the_earlier_ones_and_move_no_held_out_row(codes: list[int], seed: int) -> None:
    y = np.array(codes)
    few = split(y, labelled_per_class=1, held_out_per_class=1, seed=seed)
    more = split(y, labelled_per_class=3, held_out_per_class=1, seed=seed)
    assert set(few.labelled) < set(more.labelled)
    assert np.array_equal(few.held_out, more.held_out)


@given(codes, seeds)
def test_more_held_out_rows_keep_the_earlier_ones_and_move_no_label(codes: list[int], seed: int) -> None:
    y = np.array(codes)
    few = split(y, labelled_per_class=2, held_out_per_class=1, seed=seed)
    more = split(y, labelled_per_class=2, held_out_per_class=2, seed=seed)
    assert set(few.held_out) < set(more.held_out)
    assert np.array_equal(few.labelled, more.labelled)


@given(codes, st.floats(0.001, 1), st.floats(0, 0.999), seeds)
def test_fractions_give_every_class_a_label_and_the_rounded_share(
    codes: list[int], labelled: float, held: float, seed: int
) -> None:
    y = np.array(codes)
    s = split(y, labelled_fraction=labelled, held_out_fraction=held, seed=seed)
    sizes = np.array([np.sum(y == code) for code in (0, 2, 5)])
    n_held, n_labelled = np.array(per_class(s.held_out, y)), np.array(per_class(s.labelled, y))
    assert np.all(np.abs(n_held - held * sizes) <= 1)
    assert np.all(n_labelled >= 1)
    assert np.all(np.abs(n_labelled - labelled * (sizes - n_held)) <= 1)


def test_exact_fractions() -> None:
    y = np.repeat([0, 1], 10)
    s = split(y, labelled_fraction=0.5, held_out_fraction=0.5)
    assert (s.labelled.size, s.unlabelled.size, s.held_out.size) == (6, 4, 10)  # 2.5 a class rounds to 3
    assert split(y, labelled_fraction=1.0, held_out_fraction=0.3).unlabelled.size == 0


@given(codes, seeds)
def test_the_seed_decides(codes: list[int], seed: int) -> None:
    one, two = split(codes, seed=seed), split(codes, seed=seed)
    assert np.array_equal(one.labelled, two.labelled)


def test_other_seeds_give_other_splits() -> None:
    y = np.repeat(np.arange(4), 10)
    assert len({tuple(split(y, seed=seed).labelled) for seed in range(20)}) == 20


def test_every_row_of_a_class_has_the_same_chance() -> None:
    times = np.zeros(5)
    for seed in range(2000):
        times[split(np.zeros(5, dtype=int), labelled_per_class=1, seed=seed).labelled] += 1
    # 400 each on average, with a standard deviation of 18.
    assert np.all(np.abs(times - 400) < 90)


def test_another_class_changes_nothing_in_the_others() -> None:
    two, three = np.repeat([0, 1], 10), np.repeat([0, 1, 2], 10)
    assert np.array_equal(split(two).labelled, split(three).labelled[:4])


def make(y: npt.NDArray[np.int64] | None) -> Dataset:
    return Dataset("toy", "Toy", {"a": np.ones((4, 2))}, y=y, target_names=("cat", "dog"))


def test_a_data_set_splits_as_its_labels_do() -> None:
    y = np.array([0, 1, 0, 1])
    assert np.array_equal(
        split(make(y), labelled_per_class=1).labelled, split(y, labelled_per_class=1).labelled
    )


def test_the_arrays_are_read_only_and_the_labels_given_are_not_touched() -> None:
    y = np.array([0, 1, 0, 1])
    s: Split = split(y, labelled_per_class=1)
    with pytest.raises(ValueError, match="read-only"):
        s.y_partial[0] = 3
    y[0] = 1


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (make(None), {}, "data set 'toy' has no labels"),
        (make(np.array([0, 0, 0, 1])), {}, "dog has 1 rows, too few for 2 labelled and 0 held out"),
        ([0, 0, 0, 1, 1], {"held_out_per_class": 1}, "class 1 has 2 rows, too few for 2 labelled and 1 held"),
        ([-1, -1], {}, "no row has a known label"),
        ([], {}, "y must be one row of integer class codes"),
        ([0.5, 1.0], {}, "y must be one row of integer class codes"),
        ([[0, 1]], {}, "y must be one row of integer class codes"),
        ([0, 0], {"labelled_per_class": -1}, "labelled_per_class must be at least 0, not -1"),
        ([0, 0], {"labelled_fraction": 0.0}, "labelled_fraction must be above 0"),
        ([0, 0], {"labelled_fraction": 1.1}, "labelled_fraction must be above 0 and at most 1"),
        ([0, 0], {"held_out_per_class": -1}, "held_out_per_class must be at least 0"),
        ([0, 0], {"held_out_fraction": 1.0}, "held_out_fraction must be at least 0 and below 1"),
        ([0, 0], {"held_out_per_class": 1, "held_out_fraction": 0.5}, "not both"),
        ([0, 0], {"seed": -1}, "seed must be at least 0"),
    ],
)
def test_impossible_requests_are_refused(y: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        split(y, **options)


def test_rows_in_stored_order_give_the_first_half_of_each_class_for_any_seed() -> None:
    y = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    for seed in (0, 5):
        halves = split(y, labelled_per_class=2, held_out_per_class=2, seed=seed, order="stored")
        assert halves.labelled.tolist() == [0, 1, 2, 3]
        assert halves.held_out.tolist() == [4, 5, 6, 7]
    with pytest.raises(ValueError, match="order must be one of shuffled, stored, not 'any'"):
        split(y, order="any")  # type: ignore[arg-type]  # What is refused.
