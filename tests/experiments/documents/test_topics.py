"""Topics: words, mixes, classes, neighbours and other views, against plain definitions on random matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from experiments.documents.topics import (
    class_profiles,
    in_view,
    mixes,
    near_words,
    sensible_number,
    title,
    to_one,
    top_words,
    word_topics,
)

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


@given(sizes, st.integers(1, 20))
def test_mixes_are_shares_of_word_weight_however_the_factors_are_scaled(
    size: tuple[int, int, int], n: int
) -> None:
    H = components(size)
    rng = np.random.default_rng(size[2])
    W = rng.integers(0, 4, (n, len(H))).astype(np.float64)
    mix = mixes(H, W)
    for document, w in zip(mix, W, strict=True):
        put = np.array([weight * part.sum() for weight, part in zip(w, H, strict=True)])
        np.testing.assert_allclose(document, put / put.sum() if put.sum() else put)
    scale = rng.uniform(0.1, 10, len(H))
    np.testing.assert_allclose(mixes(H * scale[:, None], W / scale), mix, rtol=1e-5)


@given(st.integers(0, 2**31), st.integers(1, 30), st.integers(1, 6))
def test_class_profiles_are_means_of_the_known_documents(seed: int, n: int, n_classes: int) -> None:
    rng = np.random.default_rng(seed)
    mix, codes = rng.random((n, 3)), rng.integers(-1, n_classes, n)
    found = class_profiles(mix, codes, n_classes)
    assert found.shape == (n_classes, 3)
    for code in range(n_classes):
        members = mix[codes == code]
        np.testing.assert_allclose(found[code], members.mean(axis=0) if len(members) else 0)


@given(sizes)
def test_a_words_topics_add_up_and_count_long_topics_no_more(size: tuple[int, int, int]) -> None:
    H = components(size).astype(np.float64)
    word = size[2] % H.shape[1]
    shares = to_one(H)
    found = word_topics(shares, word)
    assert found.sum() == pytest.approx(1) or (H[:, word] == 0).all()
    np.testing.assert_allclose(word_topics(to_one(H * np.arange(1, len(H) + 1)[:, None]), word), found)


@given(sizes)
def test_near_words_are_no_farther_than_the_others(size: tuple[int, int, int]) -> None:
    shares = to_one(components(size).astype(np.float64))
    word = size[2] % shares.shape[1]
    near = near_words(shares, word, 5)
    if not shares[:, word].any():
        assert near.size == 0
        return
    used = [other for other in range(shares.shape[1]) if other != word and shares[:, other].any()]
    assert set(near) <= set(used)
    assert near.size == min(5, len(used))

    def alike(other: int) -> float:
        a, b = shares[:, word], shares[:, other]
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    farthest = min((alike(other) for other in near), default=0.0)
    assert all(alike(other) <= farthest + 0.021 for other in used if other not in near)


@given(st.integers(0, 2**31), st.integers(1, 4))
def test_topics_find_their_words_in_another_view(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    W, truth = rng.random((20, k)), rng.random((k, 12)) * (rng.random((k, 12)) < 0.5)
    for X in (W @ truth, sparse.csr_array(W @ truth)):
        found = in_view(W, X)
        assert found.shape == truth.shape
        np.testing.assert_allclose(found, truth, atol=1e-6)


@pytest.mark.parametrize(("n", "n_classes"), [(3, 0), (50, 3), (5000, 6), (7674, 8), (18821, 20), (9100, 52)])
def test_the_usual_number_of_topics_can_be_had_and_read(n: int, n_classes: int) -> None:
    count = sensible_number(n, n_classes)
    assert 2 <= count <= 60
    assert count < n
    assert n < 100 or n_classes > 30 or count > n_classes
