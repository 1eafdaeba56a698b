"""Topics: the words of parts, against plain sorting and over random matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.topics import title, top_words

sizes = st.tuples(st.integers(1, 5), st.integers(1, 30), st.integers(0, 2**32 - 1))


def components(size: tuple[int, int, int], *, signed: bool = False) -> np.ndarray:
    k, m, seed = size
    rng = np.random.default_rng(seed)
    values = rng.integers(-4 if signed else 0, 5, (k, m)).astype(np.float32)  # Many ties and zeros.
    return values


@given(sizes, st.integers(0, 40), st.booleans())
def test_top_words_are_the_heaviest_in_order(size: tuple[int, int, int], count: int, signed: bool) -> None:
    H = components(size, signed=signed)
    names = [f"w{i}" for i in range(H.shape[1])]
    for part, words in zip(H, top_words(H, names, count), strict=True):
        order = sorted(range(part.size), key=lambda i: (-abs(part[i]), i))
        expected = [i for i in order if part[i] != 0][:count]
        assert [word for word, _ in words] == [names[i] for i in expected]
        total = float(np.abs(part).sum())
        assert [weight for _, weight in words] == pytest.approx([float(part[i]) / total for i in expected])


@given(sizes)
def test_scaling_a_part_changes_nothing(size: tuple[int, int, int]) -> None:
    H = components(size)
    names = [f"w{i}" for i in range(H.shape[1])]
    before, after = top_words(H, names, 5), top_words(H * 7.5, names, 5)
    for one, other in zip(before, after, strict=True):
        assert [word for word, _ in one] == [word for word, _ in other]
        assert [weight for _, weight in one] == pytest.approx([weight for _, weight in other])


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"names has 2 words; components has shape \(1, 3\)"):
        top_words(np.ones((1, 3)), ["a", "b"])


def test_a_topic_without_words_goes_by_its_number() -> None:
    assert top_words(np.zeros((1, 3)), ["a", "b", "c"]) == [()]
    assert title((), 4) == "topic 5"
    assert title((("a", 0.4), ("b", 0.3), ("c", 0.2), ("d", 0.1)), 0) == "a, b, c"
