"""Warm chains along a grid: what they fit, what they audit, and which cells depend on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from experiments.requests.request import RunRequest
from experiments.trials import Chain, MeasureRequest, Result, Trial
from experiments.trials.result_cache import ResultCache
from experiments.tuning import Sweep, all_work_of, axis, carry_sweep, table_of, work_of
from experiments.tuning.audits import audit_sentence
from experiments.tuning.continuation import axis_of
from experiments.tuning.report import as_csv
from experiments.tuning.work import expected
from tests.experiments.trials.carriers import Here

SEEN, INNER = MeasureRequest("accuracy"), MeasureRequest("inner_accuracy")
AXES = (axis("n2s2l", "alpha", 0.1, 1000, count=5), axis("n2s2l", "beta", 1e-2, 100, count=5))
BASE = RunRequest("iris", "n2s2l", {"n_components": 4, "max_iter": 60, "solver": "accelerated"})
SWEEP = Sweep(BASE, AXES, (SEEN,), splits=1, continuation="refined")


def chains(work: list[Trial | Chain]) -> list[Chain]:
    return [piece for piece in work if isinstance(piece, Chain)]


def answered(sweep: Sweep, objective: Any) -> tuple[dict[str, Result], list[Trial]]:
    """Go on to the end; `objective` says what a point ends with, cold or warm. Return the audits, too."""
    results: dict[str, Result] = {}
    while work := work_of(sweep, results):
        for piece in work:
            trials = piece.trials if isinstance(piece, Chain) else (piece,)
            keys = piece.keys if isinstance(piece, Chain) else (piece.key,)
            for at, (key, trial) in enumerate(zip(keys, trials, strict=True)):
                cold = not isinstance(piece, Chain) or at == 0
                point = (trial.request.params["alpha"], trial.request.params["beta"])
                short = trial.request.params["max_iter"] < 60
                scores = {"objective": objective(point, cold, short), SEEN.name: 0.5}
                results.setdefault(key, Result(scores))
    audits = [piece for piece in all_work_of(sweep, results) if isinstance(piece, Trial)]
    return results, audits


def test_first_a_few_iterations_forwards_then_backwards_then_to_the_end() -> None:
    first = chains(all_work_of(SWEEP, {}))
    assert len(first) == 5
    assert [trial.request.params["max_iter"] for trial in first[0].trials] == [36, 9, 9, 9, 9]
    assert [trial.request.params["alpha"] for trial in first[0].trials] == list(AXES[0].values)
    results = {key: Result({"objective": 1.0}) for chain in first for key in chain.keys}
    second = chains(all_work_of(SWEEP, results))[5:]
    assert [trial.request.params["alpha"] for trial in second[0].trials] == list(AXES[0].values[::-1])
    table = table_of(SWEEP, results)
    assert {cell.provisional for cell in table.cells} == {True}
    # Every cell shows something: that is not the end of it.
    assert not table.whole
    assert (table.done, table.total) == (25, expected(SWEEP))


def test_a_short_fit_ends_where_little_changes_unless_that_is_what_is_tuned() -> None:
    tolerances = [trial.request.every_param()["tol"] for trial in chains(all_work_of(SWEEP, {}))[0].trials]
    assert min(tolerances) == 5e-5 < tolerances[1] == max(tolerances)
    coarse = replace(SWEEP, request=replace(BASE, params={**BASE.params, "tol": 1e-3}))
    assert {t.request.params["tol"] for t in chains(all_work_of(coarse, {}))[0].trials} == {1e-3}
    tuned = replace(SWEEP, axes=(AXES[1], axis("n2s2l", "tol", 1e-8, 1e-4, count=3)))
    rows = chains(all_work_of(tuned, {}))
    assert {row.trials[0].request.params["tol"] for row in rows} == set(tuned.axes[1].values)


def test_every_seventh_is_audited_and_all_around_what_depends_on_the_way() -> None:
    _, audits = answered(SWEEP, lambda point, cold, short: 1.0)
    assert len(audits) == 4
    # One cell of those audited ends apart, and so do its neighbours along alpha.
    odd = {(alpha, 1.0) for alpha in (1.0, 10.0, 100.0)}
    assert any((t.request.params["alpha"], t.request.params["beta"]) in odd for t in audits)
    results, more = answered(SWEEP, lambda point, cold, short: 1.01 if cold and point in odd else 1.0)
    assert len(audits) < len(more) < 25
    table = table_of(SWEEP, results)
    assert {cell.point for cell in table.cells if cell.path_dependent} == odd
    assert all(cell.mean(MeasureRequest("objective")) == 1.0 for cell in table.cells)
    assert table.whole
    assert sum(cell.audited for cell in table.cells) >= len(more) - 5, (
        "a chain begins with a fit from the beginning"
    )
    said = audit_sentence(table)
    assert "At 3 the answer depends on the way (alpha = " in said
    assert "depends on the way" in as_csv(table)


def test_a_provisional_map_does_not_go_to_the_end() -> None:
    sweep = replace(SWEEP, continuation="provisional")
    results, audits = answered(sweep, lambda point, cold, short: 1.0)
    assert len(results) == 2 * 25 + len(audits)
    assert sum(not cell.provisional for cell in table_of(sweep, results).cells) == len(audits)


def test_the_best_of_all_ways_counts_and_chains_cost_a_fraction() -> None:
    few = replace(SWEEP, axes=(AXES[0], replace(AXES[1], count=3)), measures=(INNER, SEEN))
    cache = ResultCache()
    results = dict(carry_sweep(few, Here(), cache))
    cold = replace(few, continuation="")
    fitted = dict(carry_sweep(cold, Here(), cache))
    table, reference = table_of(few, results), table_of(cold, fitted)
    assert table.whole
    for cell, other in zip(table.cells, reference.cells, strict=True):
        assert cell.status == "done"
        assert 0 <= cell.mean(INNER) <= 1
        assert cell.keys[0] in results
        assert other.point == cell.point
    provisional = all_work_of(few, {})
    spent = sum(results[key].iterations for chain in chains(provisional) for key in chain.keys)
    # Along five values; the longer a chain, the less its beginning counts.
    assert spent <= 0.31 * sum(result.iterations for result in fitted.values())


def test_a_chain_of_which_one_fit_is_known_is_carried_out_all_the_same(tmp_path: Any) -> None:
    from sqlalchemy import URL

    from experiments.store import RunStore

    store = RunStore(URL.create("sqlite", database=str(tmp_path / "runs.sqlite3")))
    cache = ResultCache(store.trials, store.server)
    sweep = replace(SWEEP, axes=(replace(AXES[1], count=4),), continuation="refined")
    # The fit that a chain begins with is known from elsewhere.
    first = Chain((sweep.trial((AXES[1].values[0],), 0),))
    assert dict(carry_sweep(replace(sweep, continuation=""), Here(), ResultCache()))
    from experiments.trials.evaluation import evaluate_chain

    cache.save(first, evaluate_chain(first))
    results = dict(carry_sweep(sweep, Here(), cache))
    assert table_of(sweep, results).whole
    store.close()


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"strategy": "random", "budget": 5}, "Only along a grid"),
        ({"axes": (axis("n2s2l", "n_components", 2, 4, count=3),), "request": RunRequest("iris", "n2s2l")},
         "leaves the sizes"),
        ({"request": RunRequest("iris", "lda"), "axes": (axis("lda", "metric"),)}, "nothing to go on from"),
    ],
)  # fmt: skip
def test_what_cannot_be_gone_on_from_says_why(changes: dict[str, Any], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        axis_of(replace(SWEEP, **changes))
