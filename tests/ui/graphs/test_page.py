"""The Graphs page: every graph and rule, documents, data without classes, refusals as sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scipy.sparse import csr_array
from streamlit.testing.v1 import AppTest

from datasets import catalogue, iris
from experiments.inspection import neighbourhoods
from tests.waiting import until


def opened(repository: Path, **choices: str) -> AppTest:
    """The page once everything on it has been worked out."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for name, value in choices.items():
        at.query_params[name] = value
    at.run()
    at.switch_page("../pages/graphs.py").run()

    def ready() -> bool:
        return not any("worked out…" in caption.value for caption in at.run().caption)

    until(ready, "the graphs are never there", pause=0.2)
    assert not at.exception
    assert not at.error
    return at


def column(at: AppTest, number: int) -> list[str]:
    """One graph's column of the table."""
    lines = next(text.value for text in at.markdown if "Cut off" in text.value).splitlines()
    return [line.split("|")[number + 2].strip() for line in lines]


@pytest.mark.parametrize("kind", ["neighbours", "l1", "intrinsic", "penalty"])
def test_each_graph_is_drawn_and_compared(repository: Path, kind: str) -> None:
    at = opened(repository, data="iris", **{"graph.kind": kind})
    assert at.title[0].value == "Who is whose neighbour?"
    edges = [column(at, number)[2] for number in range(4)]
    assert "…" not in edges
    assert edges[2] == "3", "two labelled flowers of each of three kinds"


def test_more_neighbours_more_edges(repository: Path) -> None:
    at = opened(repository, data="iris")
    few = int(column(at, 0)[2])
    next(slider for slider in at.slider if slider.label == "Neighbours (p)").set_value(10).run()
    at.run()
    assert column(at, 0)[0] == "p = 10"
    while column(at, 0)[2] == "…":
        at.run()
    assert int(column(at, 0)[2].replace("\u00a0", "")) > 2 * few


@pytest.mark.parametrize("rule", ["hgf", "cons", "lnp"])
def test_each_rule_spreads_labels(repository: Path, rule: str) -> None:
    at = opened(repository, data="iris", **{"graph.rule": rule})
    assert at.header[0].value == "How far do labels get, and are they right?"


def test_sparse_data_have_graphs_and_what_takes_too_long_is_said(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = iris.load

    def sparse(**options):
        ds = load(**options)
        return replace(ds, views={"words": csr_array(ds.X)}, view_features={}, feature_names=None)

    monkeypatch.setattr(iris, "load", sparse)
    monkeypatch.setattr(catalogue, "_cache", catalogue._Cache(catalogue.CACHED_DATASETS))
    monkeypatch.setitem(neighbourhoods.MOST, "l1", 100)
    # With this option none of the other tests has asked for these graphs before.
    at = opened(repository, data="iris", **{"data.iris.scale": "0", "graph.kind": "l1"})
    assert any("at most 100 samples" in info.value for info in at.info)
    assert column(at, 1)[2] == "–"
    assert int(column(at, 0)[2]) > 150


def test_data_without_classes(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = iris.load
    monkeypatch.setattr(iris, "load", lambda **options: replace(load(**options), y=None, target_names=()))
    monkeypatch.setattr(catalogue, "_cache", catalogue._Cache(catalogue.CACHED_DATASETS))
    # Another size than the other tests ask for: what they were told must not be found again.
    at = opened(repository, data="iris", **{"graph.places": "pca", "graph.p": "4"})
    assert column(at, 0)[3] == "–", "no classes, no purity"
    assert any("No sample is labelled yet" in info.value for info in at.info)


def test_nonsense_in_the_address_is_left_aside(repository: Path) -> None:
    wrong = {"graph.kind": "none", "graph.p": "99", "graph.places": "umap", "graph.rule": "x"}
    opened(repository, data="iris", **wrong)


def test_p_is_changed_beside_its_film(repository: Path) -> None:
    app = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    app.query_params["data"] = "iris"
    app.run()
    app.switch_page("../pages/graphs.py").run()
    app.button(key="graph p + 1").click().run()
    assert not app.exception
    assert next(slider for slider in app.slider if slider.label.startswith("Neighbours")).value == 4
