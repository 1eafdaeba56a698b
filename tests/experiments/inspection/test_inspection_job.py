"""Maps, graphs and fits to pairs worked out in a worker: what comes is what is found here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import datasets
from experiments import RunRequest
from experiments.engine.question_job import QuestionJob, ask
from experiments.engine.service import Service
from experiments.inspection import inspection_job, layout, neighbourhoods
from experiments.inspection.inspection_job import GraphQuestion, graph_of, layout_of, paired_of, spread_of
from experiments.inspection.neighbourhoods import Kind, edges, facts, graph, spread
from experiments.inspection.paired import paired

CODES = np.where(np.arange(150) % 50 < 4, np.arange(150) // 50, -1)
LABELLED = np.flatnonzero(CODES >= 0)


@pytest.fixture(scope="module")
def iris() -> datasets.Dataset:
    return datasets.load("iris", scale=False)


@pytest.mark.parametrize("way", ["pca", "tsne"])
def test_samples_are_laid_out_as_here(service: Service, iris: datasets.Dataset, way: layout.Way) -> None:
    assert np.allclose(layout_of(iris, way, service.jobs, "me"), layout.layout(iris, way), atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "size"), [("neighbours", 4), ("l1", None), ("intrinsic", 2), ("penalty", 3)]
)
def test_a_graph_is_that_of_here(
    service: Service, iris: datasets.Dataset, kind: Kind, size: int | None
) -> None:
    own = graph(iris, CODES, kind, size)
    there = graph_of(GraphQuestion(iris, CODES, kind, size), service.jobs, "me")
    pairs, weights = edges(own)
    assert np.array_equal(there.pairs, pairs)
    assert np.allclose(there.weights, weights)
    assert there.facts == facts(own, iris.y, LABELLED)


def test_labels_spread_as_here_and_other_labels_otherwise(service: Service, iris: datasets.Dataset) -> None:
    for codes in (CODES, np.where(np.arange(150) % 50 < 9, CODES, -1), np.roll(CODES, 1)):
        own = spread(graph(iris, codes, "neighbours", 5), codes, 3, "hgf", iris.y)
        there = spread_of(GraphQuestion(iris, codes, "neighbours", 5), 3, "hgf", service.jobs, "me")
        assert np.array_equal(there.codes, own.codes)
        assert there.accuracy == own.accuracy


def test_pairs_are_fitted_as_here(service: Service) -> None:
    request = RunRequest("iris", "dpca", {"n_components": 2}, split={"labelled_per_class": 0})
    assert np.allclose(paired_of(request, service.jobs, "me").features, paired(request).features)


def test_what_is_refused_is_a_sentence(service: Service, iris: datasets.Dataset) -> None:
    nobody = GraphQuestion(iris, np.full(150, -1), "neighbours", 3)
    with pytest.raises(ValueError, match="There is no label to spread"):
        spread_of(nobody, 3, "hgf", service.jobs, "me")
    nowhere = {"dataset": "iris", "options": {}, "what": "layout", "way": "umap"}
    with pytest.raises(ValueError, match="way must be one of"):
        ask(service.jobs, inspection_job.KIND, nowhere, owner="me")


def test_what_takes_more_memory_than_there_is_is_a_sentence(tmp_path: Path) -> None:
    def answer(plain: dict[str, Any]) -> None:
        raise MemoryError(f"for {plain['what']}")

    job = QuestionJob(answer, '{"what": "a map"}', tmp_path)
    assert not job.advance()
    assert "more memory than a worker may have" in json.loads(job.answer())["refusal"]


def test_a_graph_that_was_drawn_is_at_hand_whatever_the_labels(
    iris: datasets.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(*wanted: object) -> object:
        made.append(str(wanted[2]))
        return graph(*wanted)  # type: ignore[arg-type]

    monkeypatch.setattr(neighbourhoods, "graph", counted)
    inspection_job._at_hand.cache_clear()
    for kind in ("neighbours", "intrinsic"):
        for codes in (CODES, np.roll(CODES, 1)):
            question = GraphQuestion(iris, codes, kind, 2).plain()  # type: ignore[arg-type]
            for what in ({"what": "graph"}, {"what": "spread", "n_classes": 3, "rule": "cons"}):
                inspection_job.answer(question | what)
    assert made == ["neighbours", "intrinsic", "intrinsic"]
