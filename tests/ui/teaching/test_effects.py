"""The numbers that lessons promise, over three seeds, with the parameters that the pages begin with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import experiments
from experiments import RunRequest
from experiments.engine.record import RunRecord
from experiments.inspection.neighbourhoods import GraphFacts, LabelSpread, facts, graph, spread
from experiments.measures.sparsity import spatial_concentration
from experiments.requests import library

SEEDS = (0, 1, 2)


def run(dataset: str, method: str, seed: int, **params: Any) -> RunRecord:
    """Carry out what the page would: two labels of each class, the values its controls begin with."""
    split = {"labelled_per_class": 2}
    bare = RunRequest(dataset, method, split=split, seed=seed)
    ds = library.load_dataset(dataset)
    start = library.method_spec(method).starting_values(library.facts(ds, library.rows_of(ds, bare)))
    given = {name: value for name, value in start.items() if value is not None} | params
    return experiments.run(RunRequest(dataset, method, given, split=split, seed=seed))


def recognised(record: RunRecord) -> float:
    return 100 * record.scores["accuracy_euclidean"]


def missing(record: RunRecord, off: int) -> float:
    """How much of the first sample is missing without a part, in shares of its length."""
    x = library.load_dataset(record.request.dataset).X[0]
    W, H = record.arrays["embedding"].copy(), record.arrays["components"]
    W[0, off] = 0
    left = W[0] @ H + record.arrays.get("mean", 0)
    return float(np.linalg.norm(x - left) / np.linalg.norm(x))


def heaviest_first(record: RunRecord) -> np.ndarray:
    W, H = record.arrays["embedding"], record.arrays["components"]
    order: np.ndarray = np.argsort(-np.linalg.norm(W, axis=0) * np.linalg.norm(H, axis=1))
    return order


@pytest.mark.parametrize("seed", SEEDS)
def test_parts(seed: int) -> None:
    shape = library.load_dataset("swimmer").image_shape
    assert shape is not None
    pca = run("swimmer", "pca", seed, n_components=17)
    semi = run("swimmer", "semi_nmf", seed, n_components=17, max_iter=150)
    nmf = run("swimmer", "nmf", seed, n_components=17)
    spread_out = [spatial_concentration(one.arrays["components"], shape).mean() for one in (pca, semi, nmf)]
    assert spread_out[0] == pytest.approx(0.2, abs=0.03)
    assert spread_out[1] == pytest.approx(0.3, abs=0.05)
    assert spread_out[2] > 0.5
    # A limb that is there leaves a hole; PCA's heaviest difference leaves none.
    assert sorted(missing(nmf, part) for part in range(17))[-4] > 0.3
    assert missing(pca, int(heaviest_first(pca)[0])) < 0.01


@pytest.mark.parametrize("seed", SEEDS)
def test_how_many(seed: int) -> None:
    four, nine, twelve = (run("planted_parts", "nmf", seed, n_components=k) for k in (4, 9, 12))
    assert four.objective[-1] == pytest.approx(1960, abs=50)
    assert max(nine.objective[-1], twelve.objective[-1]) < 0.1
    few, all_of_them = (run("digits", "nmf", seed, n_components=k, max_iter=300) for k in (20, 64))
    assert few.objective[-1] == pytest.approx(1330, abs=10)
    assert few.objective[-1] / all_of_them.objective[-1] > 200, "and 700 when it has come to its end"
    assert 70 <= recognised(all_of_them) < recognised(few) <= 80


@pytest.mark.parametrize("seed", SEEDS)
def test_unlabelled(seed: int) -> None:
    none, some, much = (
        recognised(run("digits", "n2s2l", seed, beta=beta, max_iter=250)) for beta in (0.0, 1.0, 100.0)
    )
    assert none == pytest.approx(66, abs=4)
    assert some == pytest.approx(82, abs=5)
    assert much == pytest.approx(95, abs=3)
    assert recognised(run("swimmer", "n2s2l", seed, beta=100.0)) < 32
    assert recognised(run("swimmer", "nmf", seed)) > 45


@pytest.mark.parametrize("seed", SEEDS)
def test_travel(seed: int) -> None:
    ds = library.load_dataset("digits")
    split = RunRequest("digits", "pca", split={"labelled_per_class": 2}, seed=seed)
    rows = library.rows_of(ds, split)

    def over(p: int) -> tuple[GraphFacts, LabelSpread]:
        joined = graph(ds, rows.y_partial, "neighbours", p)
        return facts(joined, ds.y, rows.labelled), spread(joined, rows.y_partial, 10, "hgf", ds.y)

    (one, at_one), (three, at_three), (many, at_many) = over(1), over(3), over(20)
    assert one.purity is not None
    assert many.purity is not None
    assert (one.purity > 0.98, one.parts, three.out_of_reach) == (True, 397, 27)
    assert one.out_of_reach > 1600
    assert many.purity == pytest.approx(0.92, abs=0.01)
    right = [at.accuracy[-1] or 0 for at in (at_one, at_three, at_many)]
    assert right[0] < 0.08
    assert right[1] == pytest.approx(0.95, abs=0.02)
    assert right[1] - 0.15 < right[2] < right[1] - 0.03


@pytest.mark.parametrize("seed", SEEDS)
def test_explode(seed: int) -> None:
    split, printed = (
        run("planted_views", "sulf", seed, rule=rule, beta=1.0) for rule in ("split", "printed")
    )
    assert np.all(np.diff(split.objective) <= 1e-6 * split.objective[:-1])
    assert printed.objective[-1] < printed.objective[0]
    assert printed.iterations == 20
    assert recognised(printed) < recognised(split)
    large = run("planted_views", "sulf", seed, rule="printed", beta=1e8)
    assert (large.status, large.iterations) == ("diverged", 5)
    assert large.objective[1] > large.objective[0]
