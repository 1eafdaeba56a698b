"""Charts of accuracy make sense from the first moment on, and do not blow small differences up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ui import theme
from ui.recognition import accuracy_charts

TITLES = {"pca": "PCA", "lda": "LDA", "nmf": "NMF"}


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The charts that were drawn."""
    charts: list[Any] = []
    monkeypatch.setattr(theme, "current", lambda: "light")
    monkeypatch.setattr(accuracy_charts.st, "plotly_chart", lambda figure, **_: charts.append(figure))
    return charts


def by_method(**known: list[float]) -> None:
    accuracy_charts.by_method("key", TITLES, {id: np.array(known.get(id, [np.nan])) for id in TITLES})


def test_before_the_first_result_there_are_rows_and_a_word(shown: list[Any]) -> None:
    by_method()
    layout = shown[0].layout
    assert layout.yaxis.ticktext == ("NMF", "LDA", "PCA")
    assert layout.yaxis.range == (-0.5, 2.5)
    assert layout.xaxis.range == (0, 101)
    assert "waiting" in layout.annotations[0].text


@pytest.mark.parametrize("known", [[0.745], [0.74, 0.75], [0.0], [1.0, 1.0]])
def test_an_axis_shows_ten_points_at_least_and_all_results(shown: list[Any], known: list[float]) -> None:
    by_method(pca=known)
    low, high = shown[0].layout.xaxis.range
    assert high - low >= 10
    assert -1 <= low < 100 * min(known) + 1e-9
    assert 100 * max(known) < high <= 101
    assert not shown[0].layout.annotations


def test_lines_wait_on_the_axes_they_will_have(shown: list[Any]) -> None:
    accuracy_charts.along("key", TITLES, (1, 2, 8), {id: np.full((3, 2), np.nan) for id in TITLES}, "labels")
    layout = shown[0].layout
    assert layout.yaxis.range == (0, 101)
    assert layout.xaxis.range[0] < 0
    assert layout.xaxis.range[1] > np.log10(8)
    assert "waiting" in layout.annotations[0].text
