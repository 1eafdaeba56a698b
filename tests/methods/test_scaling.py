"""What runs take in words, from the table of the benchmark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import methods
from methods import scaling

ROW = {"samples": 4000, "features": 256, "seconds": 2.0, "samples^": 1.0}


@pytest.mark.parametrize(
    ("changed", "gigabytes", "words"),
    [
        ({}, 0.1, "2 s at 4\u202f000 samples; 20\u202f000 take 10 s, 0.1 GB."),
        ({"samples": 1000}, 0.12, "8 s at 4\u202f000 samples; 20\u202f000 take 40 s, 0.12 GB."),
        (
            {"seconds": 0.01},
            0.1,
            "less than 0.1 s at 4\u202f000 samples; 20\u202f000 take less than 0.1 s, 0.1 GB.",
        ),
        ({"samples^": 3.0}, 3, "2 s at 4\u202f000 samples; 20\u202f000 take 4.2 min, 3 GB."),
        ({"samples^": 3.0}, 12, "2 s at 4\u202f000 samples; 20\u202f000 are too many (4.2 min, 12 GB)."),
        (
            {"seconds": 60, "samples^": 3.0},
            3,
            "60 s at 4\u202f000 samples; 20\u202f000 are too many (2.1 h, 3 GB).",
        ),
        # Less for more samples is how clocks are, not methods.
        ({"samples^": -0.1}, 0.1, "2 s at 4\u202f000 samples; 20\u202f000 take 10 s, 0.1 GB."),
    ],
)
def test_words_follow_from_what_was_measured(changed: dict[str, Any], gigabytes: float, words: str) -> None:
    assert scaling.sentence(ROW | changed, gigabytes * 1e9) == f"On one core, 256 features: {words}"


def test_what_is_measured_again_takes_the_place_of_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scaling, "_TABLE", tmp_path / "scaling.json")
    scaling._table.cache_clear()
    for seconds in (3.0, 4.0):
        scaling.write([{"method": "nmf", **ROW, "seconds": seconds}])
        scaling._table.cache_clear()
    scaling.write([{"method": "pca", **ROW}])
    scaling._table.cache_clear()
    told = methods.spec("nmf").in_seconds, methods.spec("pca").in_seconds, methods.spec("lda").in_seconds
    scaling._table.cache_clear()
    assert "4 s at 4\u202f000" in told[0]
    assert "2 s at 4\u202f000" in told[1]
    assert told[2] == "", "nothing is made up"


def test_the_table_is_of_methods_that_there_are() -> None:
    for name in scaling._table():
        told = methods.spec(name).in_seconds
        assert re.search(r" at 4.000 samples; 20.000 (take|are too many \()[^()]+ (s|min|h), \S+ GB", told), (
            told
        )
    assert "100 iterations" in methods.spec("nmf").in_seconds
    assert "20\u202f000 are too many" in methods.spec("s_rlsc").in_seconds
