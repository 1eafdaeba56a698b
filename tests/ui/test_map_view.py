"""The map of points: what is sent to the browser can be read there, and what comes back is checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ui import blocks, map_view, state


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the component was given, call by call."""
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr(map_view, "_VIEW", lambda **given: calls.append(given))
    return calls


def unpacked(block: bytes) -> dict[str, Any]:
    """Read a block as the browser does."""
    header, arrays = blocks.unpacked(block)
    return {"header": header, **arrays}


def test_everything_arrives(sent: list[dict[str, Any]]) -> None:
    map_view.map_view(
        "map", [[0, 1], [1, 0], [-1, 0.5]], label="Three points.", colours=[0, 1, -1], names=["a", "ü"],
        tips=["x", "y", "z"], edges=([[0, 1], [2, 0]], [2.0, 1.0]), crossing=[True, False], marks=[2],
        hints=np.array([True, False, False]),
        film=map_view.Film(np.array([[0, -1, -1], [0, 1, 1]]), np.array([[1, 0, 0], [1, 0.5, 1]]), "12"),
    )  # fmt: skip
    found = unpacked(sent[0]["data"])
    assert found["header"]["names"] == ["a", "ü"]
    assert found["header"]["choice"] is None
    assert found["places"].tolist() == [0, 1, 1, 0, -1, 0.5]
    assert found["codes"].tolist() == [0, 1, -1]
    assert found["pairs"].tolist() == [0, 1, 2, 0]
    assert found["weights"].tolist() == [1.0, 0.5]
    assert found["marks"].tolist() == [0, 0, 1]
    assert found["hints"].tolist() == [1, 0, 0]
    assert found["crossing"].tolist() == [1, 0]
    assert found["film_codes"].tolist() == [0, -1, -1, 0, 1, 1]
    assert found["film_strengths"].tolist() == [255, 0, 0, 255, 128, 255]


def test_points_alone_are_enough(sent: list[dict[str, Any]]) -> None:
    map_view.map_view("map", np.zeros((2, 2)), label="Two points.")
    found = unpacked(sent[0]["data"])
    assert found["codes"].tolist() == [-1, -1]
    assert (len(found["codes"]), len(found["weights"])) == (2, 0)


def test_of_too_many_edges_the_heaviest_are_drawn(
    sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(map_view, "_MOST_EDGES", 2)
    pairs, weights = [[0, 1], [1, 2], [0, 2]], [3.0, 1.0, -2.0]
    map_view.map_view("map", np.zeros((3, 2)), label="", edges=(pairs, weights), crossing=[0, 1, 1])
    found = unpacked(sent[0]["data"])
    assert found["pairs"].tolist() == [0, 1, 0, 2]
    assert found["weights"].tolist() == pytest.approx([1, 2 / 3])
    assert found["crossing"].tolist() == [0, 1]


def test_what_was_chosen_counts_for_its_own_occasion_only(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {"choice": "first", "rows": [3, 1, 3]}
    monkeypatch.setattr(state, "component_value", lambda key, field: told)
    assert map_view.picked("map", "first") == (1, 3)
    assert map_view.picked("map", "second") == ()
    monkeypatch.setattr(state, "component_value", lambda key, field: None)
    assert map_view.picked("map", "first") == ()
