"""The numbers that lessons promise, over three seeds, with the parameters that the pages begin with."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import experiments
from experiments import RunRequest
from experiments.engine.record import RunRecord
from experiments.inspection.neighbourhoods import GraphFacts, LabelSpread, facts, graph, spread
from experiments.measures.sparsity import spatial_concentration
from experiments.requests import library
from experiments.trials import MeasureRequest
from experiments.trials.evaluation import evaluate
from experiments.trials.fit import Fit
from experiments.trials.measures.spoiled_accuracy import spoiled_accuracy
from experiments.tuning import Sweep, axis, optimism, table_of, trials_of
from ui.teaching.catalogue import all_lessons
from ui.teaching.lesson import PLACES, Sketch, Spot

SEEDS = (0, 1, 2)
Options = dict[str, Any]


def request(
    dataset: str, method: str, seed: int, options: Options, split: dict[str, int], **params: Any
) -> RunRequest:
    """Return what a page would ask for, with the values that its controls begin with."""
    bare = RunRequest(dataset, method, dataset_options=options, split=split, seed=seed)
    ds = library.load_dataset(dataset, **options)
    start = library.method_spec(method).starting_values(library.facts(ds, library.rows_of(ds, bare)))
    given = {name: value for name, value in start.items() if value is not None} | params
    return RunRequest(dataset, method, given, dataset_options=options, split=split, seed=seed)


def run(
    dataset: str, method: str, seed: int, *, options: Options | None = None, labelled: int = 2, **params: Any
) -> RunRecord:
    split = {"labelled_per_class": labelled}
    return _carried_out(request(dataset, method, seed, options or {}, split, **params).canonical())


@cache
def _carried_out(text: str) -> RunRecord:
    """Several lessons show the same run."""
    return experiments.run(RunRequest.from_json(text))


@cache
def fitted(method: str, seed: int, size: int) -> Fit:
    """A method that knows five pictures of each person, and has not seen two others."""
    split = {"labelled_per_class": 5, "held_out_per_class": 2}
    asked = request("orl", method, seed, {"size": size}, split)
    return Fit(library.load_dataset("orl", size=size), experiments.run(asked))


def spoiled(method: str, seed: int, size: int, *spoilings: tuple[str, int]) -> list[float]:
    """How many of 100 faces never seen are recognised behind patches or noise."""
    fit = fitted(method, seed, size)
    return [100 * spoiled_accuracy(fit, kind=kind, amount=amount) for kind, amount in spoilings]  # type: ignore[arg-type]


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
    prediction = all_lessons()["explode"].steps[2].predict
    assert isinstance(prediction, Sketch)
    seen = 100 * large.objective[: len(prediction.truth)] / large.objective[:4].max()
    assert prediction.is_right(seen.tolist())
    if seed == 0:  # The lesson's own, drawn beside one's sketch.
        assert seen == pytest.approx(prediction.truth, abs=5)


@pytest.mark.parametrize("seed", SEEDS)
def test_sparser(seed: int) -> None:
    faces = {"size": 32}
    pca, nmf, lnmf = (
        run("orl", method, seed, options=faces, n_components=25) for method in ("pca", "nmf", "lnmf")
    )
    sparsity = [record.scores["hoyer"] for record in (pca, nmf, lnmf)]
    assert sparsity == pytest.approx([0.2, 0.4, 0.6], abs=0.06)
    close = [spatial_concentration(one.arrays["components"], (32, 32)).mean() for one in (pca, nmf, lnmf)]
    assert close == pytest.approx([0.02, 0.14, 0.3], abs=0.03)
    assert recognised(lnmf) < min(recognised(pca), recognised(nmf))


@pytest.mark.parametrize("seed", SEEDS)
def test_patch(seed: int) -> None:
    patches = (("black", 8), ("black", 16), ("grey", 24))
    pca, lda, nmf = (spoiled(method, seed, 32, *patches) for method in ("pca", "lda", "nmf"))
    assert lda[0] < min(pca[0], nmf[0]) - 4
    assert pca[0] == pytest.approx(80, abs=4)
    assert pca[1] < lda[1] - 8
    assert lda[1] < nmf[1]
    assert pca[2] < nmf[2] - 3
    assert max(nmf[2], 56) <= lda[2]


@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_patch_does_most_harm(seed: int) -> None:
    spot = next(step.predict for step in all_lessons()["patch"].steps if isinstance(step.predict, Spot))
    at = [[top, left] for top in (0, 12, 24) for left in (0, 12, 24)]
    pca = fitted("pca", seed, 32)
    seen = [100 * spoiled_accuracy(pca, kind="black", amount=8, position=place) for place in at]
    worst, *others = sorted(range(len(at)), key=seen.__getitem__)
    assert PLACES[worst] in spot.answer
    assert seen[worst] == pytest.approx(71, abs=3)
    assert seen[others[0]] >= 80


@pytest.mark.parametrize("seed", SEEDS)
def test_kernel(seed: int) -> None:
    noise = [("salt and pepper", amount) for amount in (0, 40)]
    nmf, lnmf, polynomial, gaussian = (
        spoiled(method, seed, 16, *noise) for method in ("nmf", "lnmf", "poly_nmf", "gaussian_nmf")
    )
    assert gaussian[0] > max(nmf[0], polynomial[0], lnmf[0])
    assert lnmf[0] == min(one[0] for one in (nmf, lnmf, polynomial, gaussian))
    assert gaussian[1] == pytest.approx(17, abs=4)
    # On one seed NMF has 22 to 30 of 100, as the processor rounds.
    assert gaussian[1] < 0.8 * min(nmf[1], polynomial[1])
    assert lnmf[1] <= 16


@pytest.mark.parametrize("seed", SEEDS)
def test_junk(seed: int) -> None:
    data = {"useless": True}
    even, less, little, equal = (
        run("planted_views", "sulf", seed, options=data, **params)
        for params in ({"lam": 1000.0}, {"lam": 50.0}, {"lam": 5.0}, {"weights": "equal"})
    )
    assert even.arrays["view_weights"] == pytest.approx([0.357, 0.353, 0.29], abs=0.01)
    assert less.arrays["view_weights"][2] == 0
    assert less.arrays["view_weights"][1] > 0.4
    assert little.arrays["view_weights"].tolist() == [1, 0, 0]
    assert recognised(little) <= recognised(less) <= recognised(equal)
    assert recognised(little) > 97


@pytest.mark.parametrize("seed", SEEDS)
def test_faster(seed: int) -> None:
    ours, published = (
        run("orl", "n2s2l", seed, options={"size": 32}, solver=solver)
        for solver in ("accelerated", "multiplicative")
    )
    assert ours.objective[-1] == pytest.approx(1800, rel=0.03)
    assert published.objective[-1] == pytest.approx(2100, rel=0.03)
    # Far ahead in the objective, hardly apart in what is recognised: which of them leads depends on how the
    # processor rounds.
    assert abs(recognised(published) - recognised(ours)) < 3


@pytest.mark.parametrize("seed", SEEDS)
def test_topics(seed: int) -> None:
    ds = library.load_dataset("docstrings")
    nmf = run("docstrings", "nmf", seed, labelled=20, n_components=8)
    steered = run(
        "docstrings", "n2s2l", seed, labelled=20, n_components=8, n_discriminative=7, alpha=1.0, beta=1.0
    )

    def in_main_package(record: RunRecord) -> float:
        """Return how much of a topic lies in its main package, were all packages equally large."""
        rows = library.rows_of(ds, record.request)
        assert ds.y is not None
        y, use = ds.y[rows.train], record.arrays["embedding"]
        means = np.stack([use[y == code].mean(axis=0) for code in range(ds.n_classes)])
        return float((means.max(axis=0) / means.sum(axis=0)).mean())

    assert in_main_package(nmf) == pytest.approx(0.5, abs=0.06)
    assert in_main_package(steered) == pytest.approx(in_main_package(nmf), abs=0.08)
    # What page and lesson promise; the lesson has the first of these seeds, and says what others give.
    assert recognised(nmf) == pytest.approx((54, 55, 60)[seed], abs=2)
    assert recognised(steered) == pytest.approx((62, 51, 64)[seed], abs=3)


@pytest.mark.parametrize("seed", SEEDS)
def test_flattered(seed: int) -> None:
    given = {"solver": "accelerated", "max_iter": 30}
    asked = RunRequest("breast_cancer", "n2s2l", given, split={"labelled_per_class": 2}, seed=seed)
    axes = (axis("n2s2l", "alpha", 0.1, 1000.0, "log", 5), axis("n2s2l", "beta", 0.01, 100.0, "log", 5))
    measures = (MeasureRequest("inner_accuracy"), MeasureRequest("accuracy"))
    sweep = Sweep(asked, axes, measures, splits=1)
    told = optimism(table_of(sweep, {trial.key: evaluate(trial) for trial in trials_of(sweep).in_turn()}))
    assert told is not None
    # What page and lesson promise; over six seeds the gap was 3 points or more.
    assert 100 * told.flattered_score == pytest.approx((92, 87, 92)[seed], abs=2)
    assert 100 * told.honest_score == pytest.approx((50, 84, 89)[seed], abs=2)
    assert 100 * told.gap > 2.5


def test_luck() -> None:
    faces = {"size": 32}
    told = [
        [
            round(recognised(run("orl", method, seed, options=faces, n_components=25)))
            for method in ("pca", "nmf")
        ]
        for seed in SEEDS
    ]
    assert told == [[82, 80], [81, 82], [85, 83]]
