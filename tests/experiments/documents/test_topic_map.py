"""The map of topics: everything lies on it, topics with the same words lie together, the same every time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.documents.topic_map import document_places, topic_places


@given(st.integers(0, 2**31), st.integers(1, 12), st.integers(1, 60))
def test_everything_lies_on_the_map(seed: int, k: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    H = rng.random((k, 15)) * (rng.random((k, 15)) < 0.4)  # Some topics have no words at all.
    mix = rng.random((n, k)) * (rng.random((n, k)) < 0.6)
    places = topic_places(H)
    documents = document_places(mix, places)
    for found, count in ((places, k), (documents, n)):
        assert found.shape == (count, 2)
        assert np.isfinite(found).all()
        assert found.min() >= 0
        assert found.max() <= 1
    np.testing.assert_array_equal(places, topic_places(H))


def test_topics_that_share_words_lie_nearer() -> None:
    H = np.kron(np.eye(3), np.ones((2, 4)))  # Three pairs of the same words.
    places = topic_places(H + 0.01)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    within = [apart[0, 1], apart[2, 3], apart[4, 5]]
    assert max(within) < 0.5 * apart[0, 2:].min()


def test_a_document_lies_by_the_topic_it_is_of() -> None:
    places = np.array([[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]])
    mix = np.array([[1.0, 0, 0], [0, 0, 1], [0.5, 0.5, 0]])
    found = document_places(mix, places)
    assert np.linalg.norm(found[0] - places[0]) < 0.15
    assert np.linalg.norm(found[1] - places[2]) < 0.15
    assert found[2] == pytest.approx([0.5, 0.1], abs=0.15)


def test_documents_of_one_topic_do_not_all_lie_on_one_point() -> None:
    places = np.array([[0.2, 0.5], [0.8, 0.5]])
    found = document_places(np.tile([1.0, 0.0], (200, 1)), places)
    assert len(np.unique(found.round(4), axis=0)) == 200
