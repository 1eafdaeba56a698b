"""Parts as words: what is handed to the browser stays plain and bounded."""

from __future__ import annotations

import json

import numpy as np

from ui.word_sheet import MOST_PARTS, word_parts


def test_words_are_plain_json_with_their_shares() -> None:
    parts = word_parts(np.array([[2.0, 0, 2], [0, 1, 0]], np.float32), ["sun", "moon", "star"])
    assert json.loads(json.dumps(parts)) == [[["sun", 0.5], ["star", 0.5]], [["moon", 1.0]]]


def test_a_frame_stays_small_whatever_the_data() -> None:
    rng = np.random.default_rng(0)
    names = [f"{index}" + "x" * 500 for index in range(3000)]
    parts = word_parts(rng.random((300, 3000)).astype(np.float32), names)
    assert len(parts) == MOST_PARTS
    assert len(json.dumps(parts)) < 60_000
    assert all(len(word) <= 40 for part in parts for word, _ in part)
