"""A study made up for tests, on flowers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from experiments.requests.request import RunRequest
from experiments.studies import Candidate, Published, Study, StudyCell
from experiments.studies import records as shipped_records
from experiments.studies.claim import Claim, ahead, untestable
from experiments.studies.outcome import StudyOutcome
from experiments.studies.records import gathered
from experiments.trials import MeasureRequest, Result, evaluate
from tests.experiments.trials.carriers import Here

IRIS = RunRequest("iris", "pca")
TOO_MANY = replace(IRIS, split={"labelled_per_class": 51})
SHARE, SPARSE = MeasureRequest("accuracy"), MeasureRequest("sparsity")


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> Here:
    """Who carries out the trials of the command, instead of processes that each take a second to start."""
    who = Here()
    monkeypatch.setattr("experiments.studies.command.chosen", lambda cluster, jobs: who)
    return who


@pytest.fixture
def store_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARTWISE_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("PARTWISE_DATABASE_URL", raising=False)
    monkeypatch.delenv("PARTWISE_CLUSTER", raising=False)
    monkeypatch.setattr(shipped_records, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(shipped_records.shipped, "__defaults__", (tmp_path / "results",))
    monkeypatch.setattr(shipped_records.ship, "__defaults__", (tmp_path / "results",))


def invented(**rows: RunRequest) -> Study:
    cells = [
        StudyCell(
            title, heading, (Candidate(request, measure),), Published(92.0, 1.5) if measure is SHARE else None
        )
        for title, request in rows.items()
        for heading, measure in (("share", SHARE), ("sparse", SPARSE))
    ]
    return Study(
        "invented", "An invented study", "Made up.", ("iris",), lambda: cells, splits=3,
        notes="Nothing is real.",
        claims=(
            Claim("Real is ahead of nothing.", ahead([("real", "share")], [("absent", "share")])),
            Claim("Shares are larger than sparsity.", ahead([("real", "share")], [("real", "sparse")])),
            Claim("It is so elsewhere.", untestable("Elsewhere waits for data.")),
        ),
    )  # fmt: skip


def results_of(made: Study, splits: int | None = None) -> dict[str, Result]:
    return {trial.key: evaluate(trial) for trial in made.plan.table(splits).in_turn()}


def outcome(made: Study, splits: int | None = None) -> StudyOutcome:
    return StudyOutcome(made, gathered(made, results_of(made, splits)))
