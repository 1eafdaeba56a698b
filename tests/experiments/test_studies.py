"""Studies: found by their files, the same whoever shares the work, kept, gone on with, told as a table."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import datasets
from experiments.cli.command_line import main
from experiments.comparisons.fusion import HEADINGS, MEASURES
from experiments.engine.run import run
from experiments.requests.request import RunRequest
from experiments.store import open_store
from experiments.studies import Row, Study, catalogue, names, study
from experiments.studies.outcome import StudyTable
from experiments.trials import MeasureRequest, Trial, evaluate
from tests.waiting import until

ROOT = Path(__file__).parents[2]
IRIS = RunRequest("iris", "pca")
TOO_MANY = replace(IRIS, split={"labelled_per_class": 51})
MEASURED = {"share": MeasureRequest("accuracy"), "sparse": MeasureRequest("sparsity")}


@pytest.fixture(autouse=True)
def store_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARTWISE_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("PARTWISE_DATABASE_URL", raising=False)
    monkeypatch.delenv("PARTWISE_CLUSTER", raising=False)


def invented(**rows: RunRequest) -> Study:
    return Study(
        "invented", "An invented study", "Made up.", "iris", MEASURED, {"share": "share", "sparse": "sparse"},
        lambda: tuple(Row(title, "group", request) for title, request in rows.items()),
        splits=3, notes="Nothing is real.",
    )  # fmt: skip


def outcome(made: Study, splits: int | None = None) -> StudyTable:
    table = made.table(splits)
    return StudyTable(made, table, {trial.key: evaluate(trial) for trial in table.in_turn()})


def test_studies_are_found_by_their_files() -> None:
    assert "multiview" in names()
    for name in names():
        described = study(name)
        assert described.id == name
        assert described.dataset in datasets.names()
        assert described.title
        assert described.summary
        assert list(described.measures) == list(described.headings)
    with pytest.raises(ValueError, match=r"There is no study 'table9'. There are: .*multiview"):
        study("table9")


def test_a_table_shows_mean_and_spread_and_says_what_could_not_be_measured() -> None:
    told = outcome(invented(real=IRIS, refused=TOO_MANY))
    shares = [run(replace(IRIS, seed=seed)).scores["accuracy_euclidean"] for seed in range(3)]
    assert told.values(("group", "real"), "share") == shares
    assert f"{100 * np.mean(shares):.1f} ({100 * np.std(shares, ddof=1):.1f})" in told.as_text()
    assert "too few for 51 labelled" in told.as_text()
    assert not told.whole
    assert (
        "Mean over 3 splits, in percent; standard deviation in brackets. Nothing is real." in told.as_text()
    )
    assert f"| group | real | {100 * np.mean(shares):.1f} " in told.as_markdown()
    rows = list(csv.DictReader(told.as_csv().splitlines()))
    assert [float(row["share"]) for row in rows if row["row"] == "real"] == shares
    assert "One split, in percent." in outcome(invented(real=IRIS), splits=1).as_text()
    with pytest.raises(ValueError, match="splits must be at least 1"):
        invented(real=IRIS).table(0)


def test_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = invented(real=IRIS, refused=TOO_MANY)
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": made})
    assert main(["study", "--list"]) == 0
    assert "invented  An invented study" in capsys.readouterr().out
    files = ["--json", str(tmp_path / "t.json"), "--csv", str(tmp_path / "t.csv")]
    assert main(["study", "invented", "--splits", "2", "--jobs", "1", *files]) == 1
    said = capsys.readouterr()
    assert outcome(made, 2).as_text().splitlines()[4].split()[:3] == said.out.splitlines()[4].split()[:3]
    plain = json.loads((tmp_path / "t.json").read_text())
    assert plain["rows"][0]["share"] == outcome(made, 2).values(("group", "real"), "share")
    assert "too few" in plain["rows"][1]["problem"]
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 5
    # Again: everything is known, no process is started.
    monkeypatch.setattr("experiments.trials.carriers.processes.ProcessPoolExecutor", None)
    assert main(["study", "invented", "--splits", "2", "--jobs", "1"]) == 1
    again = capsys.readouterr()
    assert again.out == said.out
    assert "4 of 4 trials are known from before." in again.err


def test_the_command_refuses_what_makes_no_sense(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": invented(real=IRIS)})
    for wrong, sentence in (
        (["study"], "say which study: invented"),
        (["study", "nothing"], "There is no study 'nothing'"),
        (["study", "invented", "--splits", "0"], "splits must be at least 1"),
        (["study", "invented", "--jobs", "0"], "--jobs must be at least 1"),
        (["study", "invented", "--cluster", "there"], "'there' is not a cluster"),
        (["study", "invented", "--json", str(tmp_path)], "cannot be written"),
        (["study", "invented", "--csv", str(tmp_path / "no" / "t.csv")], "cannot be written"),
    ):
        assert main(wrong) == 2
        assert sentence in capsys.readouterr().err
    assert main(["study", "invented", "--cluster", "tcp://127.0.0.1:1"]) == 1
    assert "Nobody answers at tcp://127.0.0.1:1" in capsys.readouterr().err


def test_without_a_store_it_works_and_says_that_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": invented(real=IRIS)})
    monkeypatch.setenv("PARTWISE_DATABASE_URL", "nonsense")
    assert main(["study", "invented", "--splits", "1", "--jobs", "1"]) == 0
    assert "What is found is not kept." in capsys.readouterr().err


_SLOW_STUDY = """
import sys
from experiments.cli.command_line import main
from experiments.requests.request import RunRequest
from experiments.studies import Row, Study, catalogue
from experiments.trials import MeasureRequest
iris = RunRequest("iris", "nmf", {"n_components": 3, "max_iter": 20000, "tol": 0.0})
slow = Study(
    "slow", "A slow study", "Made up.", "iris", {"share": MeasureRequest("accuracy")}, {"share": "share"},
    lambda: (Row("iris", "group", iris),), splits=12,
)
catalogue._studies = lambda: {"slow": slow}
sys.exit(main(["study", "slow", "--jobs", "2"]))
"""


def test_interrupted_it_goes_on_from_what_it_had() -> None:
    told = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", _SLOW_STUDY]
    slow = replace(IRIS, method="nmf", params={"n_components": 3, "max_iter": 20_000, "tol": 0.0})
    trials = [Trial(replace(slow, seed=split), (MeasureRequest("accuracy"),)) for split in range(12)]
    keys = [trial.key for trial in trials]
    store = open_store()
    with subprocess.Popen(command, start_new_session=True, **told) as process:  # type: ignore[call-overload]
        try:
            until(lambda: len(store.trials.known(keys)) >= 2, "no trial is ever done")
            os.killpg(process.pid, signal.SIGINT)  # As a terminal does.
            _, complaint = process.communicate()
            kept = store.trials.known(keys)
            assert process.returncode == 130, complaint
            assert f"{len(kept)} of {len(keys)} trials are kept" in complaint
            # Others may take on what it was at.
            missing = [key for key in keys if key not in kept]
            assert missing
            assert store.trials.claim(missing, store.server)
        finally:
            process.kill()
            store.close()
    again = subprocess.run(command, check=False, **told)  # type: ignore[call-overload]
    assert again.returncode == 0, again.stderr
    assert f"{len(kept)} of {len(keys)} trials are known from before" in again.stderr


def test_six_views_of_digits_in_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = datasets.load("planted_views", samples=60)
    monkeypatch.setattr(datasets, "load", lambda *id, **options: drawn)
    rows = study("multiview").rows()
    titles = [row.title for row in rows]
    for title in ("NMF", "CNMF", "SGNMF", "CCA", "PCSC", "CoTra", "SULF"):
        assert title in titles
    assert sum(row.group == "one view" for row in rows) == 6
    assert any(title.startswith("SULF₁") for title in titles)
    assert any(title.startswith("SULF₃") for title in titles)
    assert (study("multiview").measures, study("multiview").headings) == (MEASURES, HEADINGS)
