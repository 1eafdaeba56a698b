"""The Graphs page: every graph and rule, documents, data without classes, refusals as sentences."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import datasets
from experiments.inspection import layout, neighbourhoods
from tests.waiting import until

CHEAP = {"graph.places": "pca"}


def opened(repository: Path, **choices: str) -> AppTest:
    """The page once everything on it has been worked out."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for name, value in choices.items():
        at.query_params[name] = value
    at.run()
    return worked_out(at.switch_page("../pages/graphs.py").run())


def of_an_upload(repository: Path, content: bytes, name: str, **choices: str) -> AppTest:
    """The page of a visitor who has handed a file over."""
    id = datasets.keep(datasets.read(BytesIO(content), name=name))
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for key, value in choices.items():
        at.query_params[key] = value
    at.run()
    at.switch_page("../pages/graphs.py").run()
    at.session_state["partwise choices"]["_uploads"] = (id,)
    at.run()
    at.sidebar.selectbox[0].set_value(id).run()
    assert at.sidebar.selectbox[0].value == id
    return worked_out(at)


def worked_out(at: AppTest) -> AppTest:

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


def test_sparse_data_have_graphs_and_what_takes_too_long_is_said(repository: Path) -> None:
    rng = np.random.default_rng(0)
    words = np.column_stack([np.repeat(np.arange(1, 2102), 3), rng.integers(1, 21, 3 * 2101)])
    lines = "".join(f"{row} {word} 1\n" for row, word in np.unique(words, axis=0))
    head = f"%%MatrixMarket matrix coordinate real general\n2101 20 {lines.count(chr(10))}\n"
    at = of_an_upload(repository, (head + lines).encode(), "words.mtx", **CHEAP, **{"graph.kind": "l1"})
    assert any("at most 2000 samples" in info.value for info in at.info)
    assert column(at, 1)[2] == "–"
    assert int(column(at, 0)[2].replace("\u00a0", "")) > 2101


def test_data_without_classes(repository: Path) -> None:
    table = "a,b,c\n" + "".join(f"{i % 7},{i % 5},{i * i % 11}\n" for i in range(60))
    at = of_an_upload(repository, table.encode(), "mine.csv", **CHEAP)
    assert column(at, 0)[3] == "–", "no classes, no purity"
    assert any("No sample is labelled yet" in info.value for info in at.info)


def test_nothing_of_it_is_worked_out_in_the_servers_own_process(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def here(*wanted: object, **more: object) -> None:
        raise AssertionError("worked out in the server's process")

    for module, name in ((layout, "planar"), (neighbourhoods, "graph"), (neighbourhoods, "spread")):
        monkeypatch.setattr(module, name, here)
    at = opened(repository, data="iris", **{"graph.p": "7"})
    assert int(column(at, 0)[2]) > 7 * 150 / 2
    assert not at.info


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
