"""What is wrong in print is shown by small experiments; pairs are drawn anew for each split."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace

import numpy as np
import pytest

import datasets
from experiments.cli.command_line import main
from experiments.requests.request import RunRequest
from experiments.requests.splits import split
from experiments.studies import Candidate, Published, StudyCell, catalogue, names, small_experiments, study
from experiments.studies.claim import Claim, Finding, ShownBy
from experiments.studies.dpca_pairs import with_pairs
from experiments.studies.exports import as_markdown
from experiments.studies.outcome import ABOVE, BELOW, StudyOutcome
from experiments.studies.paper import PAPERS
from experiments.studies.records import shipped
from experiments.studies.settings import UNSEEN
from experiments.trials import MeasureRequest, Trial, evaluate
from tests.experiments.studies.invented import IRIS, invented, outcome
from tests.experiments.trials.carriers import Here

EXPERIMENTS = [
    experiment
    for name, experiment in inspect.getmembers(small_experiments, inspect.isfunction)
    if experiment.__module__ == small_experiments.__name__ and not name.startswith("_")
]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.__name__)
def test_a_small_experiment_shows_what_it_is_for(experiment: small_experiments.Experiment) -> None:
    holds, figures = experiment()
    assert holds is True
    assert figures.endswith(".")


def _words_and_numbers(figures: str) -> tuple[str, list[float]]:
    numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", figures)]
    return re.sub(r"\d[\d,]*(?:\.\d+)?", "…", figures), numbers


@pytest.mark.parametrize("paper", PAPERS)
def test_what_came_of_small_experiments_is_shipped(paper: str) -> None:
    (described,) = (study(name) for name in names() if study(name).paper == paper and "misprints" in name)
    told = StudyOutcome(described, shipped(described))
    said = dict(told.findings)
    for claim in described.claims:
        if isinstance(claim.test, ShownBy):
            shown, now = said[claim.sentence], claim.test.finding()
            assert shown.standing == now.standing, "out of date: run `study --all --missing --ship`"
            words, numbers = _words_and_numbers(shown.figures)
            words_now, numbers_now = _words_and_numbers(now.figures)
            assert words == words_now
            # Another processor rounds otherwise.
            assert numbers == pytest.approx(numbers_now, rel=0.02, abs=0.02)


def test_only_the_command_carries_out_small_experiments(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    store_of_its_own: None,
    in_threads: Here,
) -> None:
    carried_out: list[bool] = []

    def experiment() -> tuple[bool, str]:
        carried_out.append(True)
        return not len(carried_out) > 1, f"{len(carried_out)}."

    made = replace(invented(real=IRIS), claims=(Claim("It is so.", ShownBy(experiment)),), splits=1)
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": made})
    told = StudyOutcome(made, shipped(made))
    assert told.findings == [
        ("It is so.", Finding("cannot be tested here", "Its small experiment is not carried out yet."))
    ]
    assert main(["study", "invented", "--ship"]) == 0
    assert "It is so. — holds: 1." in capsys.readouterr().out
    again = StudyOutcome(made, shipped(made))
    assert again.findings == [("It is so.", Finding("holds", "1."))]
    assert "1 of 1 claims hold" in again.summary
    assert len(carried_out) == 1
    assert main(["study", "invented", "--missing", "--ship"]) == 0
    assert in_threads.opened == 1
    assert StudyOutcome(made, shipped(made)).findings == [("It is so.", Finding("does not hold here", "2."))]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_its_misprints_shown(paper: str) -> None:
    items = [study(name).item for name in names() if study(name).paper == paper]
    assert items.count("Misprints") == 1


def test_pairs_are_drawn_from_the_training_rows_of_each_split() -> None:
    request = RunRequest("iris", "dpca", split={"labelled_per_class": 2, "held_out_fraction": 0.5})
    y = np.asarray(datasets.load("iris").y)
    few, many = with_pairs(5, request), with_pairs(9, request)
    assert len(few.pairs) == 5
    assert set(few.pairs) < set(many.pairs)
    assert with_pairs(5, request.of_split(1)).pairs != few.pairs
    train = split(y, **request.split, seed=0).train
    for low, high, side in many.pairs:
        assert {low, high} <= set(train.tolist())
        assert side == ("must" if y[low] == y[high] else "cannot")
    candidate = Candidate(request, UNSEEN, drawn=lambda given: with_pairs(5, given))
    made = replace(invented(), cells=lambda: [StudyCell("r", "c", (candidate,))])
    keys = [trial.key for trial in made.plan.table(2).trials["r", "c", ""]]
    assert keys == [Trial(candidate.of_split(at), (UNSEEN,)).key for at in (0, 1)]
    assert keys[0] != Trial(request, (UNSEEN,)).key


def test_the_rise_of_an_objective_is_zero_where_no_step_raises_it() -> None:
    rise = MeasureRequest("rise")
    params = {"n_components": 5, "beta": 10.0, "max_iter": 20}
    for rule, rises in (("split", False), ("printed", True)):
        request = RunRequest(
            "planted_views", "sulf", params | {"rule": rule}, split={"labelled_per_class": 10}
        )
        assert (evaluate(Trial(request, (rise,))).scores["rise"] > 0.01) == rises
    assert "rise" in evaluate(Trial(RunRequest("iris", "nearest_neighbour"), (rise,))).problems


def test_a_reason_stands_beside_a_number_that_is_not_as_printed_and_beside_no_other() -> None:
    for name in (name for name in names() if study(name).paper):
        described = study(name)
        told = StudyOutcome(described, shipped(described))
        for place in described.reasons:
            assert told.outcomes[place].verdict in (ABOVE, BELOW), f"{name}: {place} needs no reason"
        below = [one for one in told.outcomes.values() if one.verdict == BELOW]
        assert all(one.reason for one in below), f"{name}: say what was measured to move what is below print"
    made = replace(invented(real=IRIS), reasons={("real", "share"): "the crop"})
    wrong = [replace(cell, published=Published(1.0)) for cell in made.plan.cells if cell.published]
    far = replace(made, cells=lambda: wrong)
    assert outcome(far).outcomes["real", "share"].reason == "the crop"
    assert "* real, share: above, the crop" in as_markdown(outcome(far))
