"""Axes: the values on them, where a value lies, and how they are widened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.tuning import Axis, axis


def test_an_axis_takes_range_scale_and_paper_value_from_the_spec() -> None:
    alpha = axis("n2s2l", "alpha")
    assert (alpha.low, alpha.high, alpha.scale, alpha.paper, alpha.least) == (1e-3, 1e4, "log", 10.0, 0.0)
    beta = axis("n2s2l", "beta", 1e-4, 100)
    assert beta.paper is None
    assert beta.usual == 1.0
    assert beta.nearest(beta.usual) in beta.values
    assert axis("n2s2l", "solver").values == ("multiplicative", "accelerated")
    assert axis("n2s2l", "smooth_neighbors", 0, 8, count=5).values == (0, 2, 4, 6, 8)
    assert axis("n2s2l", "metric").read_only


@pytest.mark.parametrize(
    ("made", "part"),
    [
        (lambda: axis("n2s2l", "gamma"), "no parameter 'gamma'"),
        (lambda: axis("n2s2l", "alpha", 10, 1), "from a smaller to a larger"),
        (lambda: axis("n2s2l", "alpha", -5, 1), "too small"),
        (lambda: Axis("alpha", 0, 1, "log", 5), "begin above 0"),
        (lambda: axis("n2s2l", "alpha", count=1), "2 to 100"),
        (lambda: axis("n2s2l", "sample_shape"), "cannot be tuned"),
    ],
)
def test_what_makes_no_axis_is_refused_in_a_sentence(made, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        made()


@given(st.floats(1e-6, 1e3), st.floats(1.5, 1e6), st.integers(2, 30), st.sampled_from(["log", "linear"]))
def test_values_keep_their_places_when_a_range_is_widened(
    low: float, factor: float, count: int, scale
) -> None:
    made = Axis("alpha", low, low * factor, scale, count, least=0.0)
    assert list(made.values) == sorted(made.values)
    assert made.share(made.values[0]) == pytest.approx(0, abs=1e-6)
    assert made.edge(made.values[-1]) == "high"
    assert made.edge(made.values[0]) == "low"
    wider = made.widened("high")
    assert wider.count == count + max(1, (count - 1) // 2)
    assert wider.values[:count] == pytest.approx(made.values, rel=1e-7)
    assert made.widened("") == made


def test_a_range_that_is_widened_finds_its_trials_again() -> None:
    made = axis("n2s2l", "alpha", 0.1, 1000, count=9)
    assert set(made.values) <= set(made.widened("high").values) & set(made.widened("low").values)


def test_there_is_no_way_on_below_the_least_value() -> None:
    neighbours = axis("n2s2l", "smooth_neighbors", 0, 8, count=5)
    assert neighbours.edge(0) == ""
    assert neighbours.edge(8) == "high"
