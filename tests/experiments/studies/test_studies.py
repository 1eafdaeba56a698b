"""Studies: found by their files, the same whoever shares the work, gone on with, carried out in part."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from inspect import getsource
from pathlib import Path

import pytest

import datasets
from experiments.cli.command_line import main
from experiments.store import open_store
from experiments.studies import Candidate, Study, StudyCell, catalogue, names, study
from experiments.studies.exports import as_csv, as_latex, as_text
from experiments.studies.honest import inner_table
from experiments.studies.paper import PAPERS
from experiments.studies.records import shipped
from experiments.trials import MeasureRequest
from tests.experiments.studies.invented import IRIS, TOO_MANY, invented, outcome
from tests.experiments.trials.carriers import Here
from tests.waiting import until

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.usefixtures("store_of_its_own")


def test_studies_are_found_by_their_files() -> None:
    assert {"multiview", "n2s2l-table1", "ndtf-table2"} <= set(names())
    for name in names():
        described = study(name)
        assert described.id == name
        assert set(described.datasets) <= set(datasets.names())
        assert described.title
        assert described.summary
    with pytest.raises(ValueError, match=r"There is no study 'table9'. There are: .*multiview"):
        study("table9")


@pytest.mark.parametrize("name", [name for name in names() if study(name).paper])
def test_a_study_of_a_paper_says_what_was_printed_and_how_it_was_run(name: str) -> None:
    described = study(name)
    assert described.paper in PAPERS
    assert described.item
    assert described.protocol
    cells = described.plan.cells
    assert len({cell.place for cell in cells}) == len(cells)
    titles = {awaited.id for awaited in described.awaits}
    for cell in cells:
        # Measured here, or waiting for a file that the study names: no cell is filled from other data.
        assert bool(cell.measured) != bool(cell.awaits)
        assert not cell.awaits or cell.awaits in titles
        assert all(one.request.dataset == cell.awaits for one in cell.candidates if cell.awaits)
        assert not (cell.stand_in and cell.published)
    for trial in described.plan.table(1).in_turn():
        assert trial.key  # A request that makes no sense would be refused here.


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_three_claims_at_least(paper: str) -> None:
    claims = [claim for name in names() if study(name).paper == paper for claim in study(name).claims]
    assert len(claims) >= 3


def _without_seconds(text: str) -> list[list[str]]:
    return [row[:-2] for row in csv.reader(text.splitlines())]


def test_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = invented(real=IRIS, refused=TOO_MANY)
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": made})
    assert main(["study", "--list"]) == 0
    assert "invented  An invented study" in capsys.readouterr().out
    files = [
        "--json",
        str(tmp_path / "t.json"),
        "--csv",
        str(tmp_path / "t.csv"),
        "--latex",
        str(tmp_path / "t.tex"),
    ]
    assert main(["study", "invented", "--splits", "2", "--jobs", "1", *files]) == 1
    said = capsys.readouterr()
    assert "too few for 51 labelled" in said.err
    told = outcome(made, 2)
    assert said.out.strip() == as_text(told)
    plain = json.loads((tmp_path / "t.json").read_text())
    assert plain["cells"][0]["mean"] == told.means["real", "share"]
    assert _without_seconds((tmp_path / "t.csv").read_text()) == _without_seconds(as_csv(told))
    assert (tmp_path / "t.tex").read_text() == as_latex(told)
    # Again: everything is known, no process is started.
    monkeypatch.setattr("experiments.trials.carriers.processes.ProcessPoolExecutor", None)
    assert main(["study", "invented", "--splits", "2", "--jobs", "1"]) == 1
    again = capsys.readouterr()
    assert again.out == said.out
    assert "4 of 4 trials are known from before." in again.err


def test_only_what_is_missing_and_only_an_item(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_threads: Here
) -> None:
    made = invented(one=IRIS, two=replace(IRIS, params={"n_components": 2}))
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": made})
    assert main(["study", "invented", "--item", "two", "--ship"]) == 0
    assert set(shipped(made).numbers) == {("two", "share", ""), ("two", "sparse", "")}
    before = shipped(made).numbers["two", "share", ""]
    assert main(["study", "--all", "--missing", "--ship"]) == 0
    assert "3 trials" not in capsys.readouterr().err.replace("6 trials", "")
    assert len(shipped(made).numbers) == 4
    assert shipped(made).numbers["two", "share", ""] == before
    assert (in_threads.opened, len(in_threads.done)) == (2, 6)
    assert main(["study", "invented", "--missing"]) == 0
    assert in_threads.opened == 2, "nobody has to work for what is known"
    capsys.readouterr()
    assert main(["study", "invented", "--shipped", "--markdown"]) == 0
    assert "| two | share |" in capsys.readouterr().out
    assert main(["study", "invented", "--item", "three"]) == 2
    assert "invented has no item 'three'. There are: one, share, sparse, two" in capsys.readouterr().err


def test_some_cells_of_a_study_have_the_trials_that_they_have_in_the_whole() -> None:
    # Both columns are measured of the same fits.
    made = invented(one=IRIS, two=replace(IRIS, params={"n_components": 2}))
    whole = made.plan.table().trials
    for item in ("share", "one", "two/sparse"):
        part = made.only(item).plan.table().trials
        assert part
        assert part == {place: whole[place] for place in part}
    assert made.only("share").only("one").plan.table().trials == {
        ("one", "share", ""): whole["one", "share", ""]
    }
    tried = tuple(
        Candidate(
            replace(IRIS, params={"n_components": 3}),
            MeasureRequest("leading_accuracy", {"dimensions": number, "metric": metric}),
            f"{number}",
        )
        for metric in ("euclidean", "cosine")
        for number in (1, 3)
    )
    cells = [StudyCell("r", "euclidean", tried[:2]), StudyCell("r", "cosine", tried[2:])]
    chosen = replace(made, cells=lambda: cells)
    inner = inner_table(chosen.only("cosine")).trials
    assert len(inner) == 2
    assert inner == {place: inner_table(chosen).trials[place] for place in inner}


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
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_threads: Here
) -> None:
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": invented(real=IRIS)})
    monkeypatch.setenv("PARTWISE_DATABASE_URL", "nonsense")
    assert main(["study", "invented", "--splits", "1"]) == 0
    assert len(in_threads.done) == 1
    assert "What is found is not kept." in capsys.readouterr().err


def _slow_study() -> Study:
    long = replace(IRIS, method="nmf", params={"n_components": 3, "max_iter": 6_000, "tol": 0.0})
    cell = StudyCell("iris", "share", (Candidate(long, MeasureRequest("accuracy")),))
    return Study("slow", "A slow study", "Made up.", ("iris",), lambda: [cell], splits=12)


_SLOW_COMMAND = f"""
import sys
from dataclasses import replace
from experiments.cli.command_line import main
from experiments.requests.request import RunRequest
from experiments.studies import Candidate, Study, StudyCell, catalogue
from experiments.trials import MeasureRequest
IRIS = RunRequest("iris", "pca")
{getsource(_slow_study)}
catalogue._studies = lambda: {{"slow": _slow_study()}}
sys.exit(main(["study", "slow", "--jobs", "1"]))
"""


def test_interrupted_it_goes_on_from_what_it_had(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_threads: Here
) -> None:
    told = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    keys = [trial.key for trial in _slow_study().plan.table().in_turn()]
    store = open_store()
    command = [sys.executable, "-c", _SLOW_COMMAND]
    with subprocess.Popen(command, start_new_session=True, **told) as process:  # type: ignore[call-overload]
        try:
            until(lambda: len(store.trials.lookup(keys)) >= 2, "no trial is ever done")
            os.killpg(process.pid, signal.SIGINT)  # As a terminal does.
            _, complaint = process.communicate()
            kept = store.trials.lookup(keys)
            assert process.returncode == 130, complaint
            assert f"{len(kept)} of {len(keys)} trials are kept" in complaint
            # Others may take on what it was at.
            missing = [key for key in keys if key not in kept]
            assert missing
            assert store.trials.claim(missing, store.server)
        finally:
            process.kill()
            store.close()
    monkeypatch.setattr(catalogue, "_studies", lambda: {"slow": _slow_study()})
    assert main(["study", "slow"]) == 0
    assert f"{len(kept)} of {len(keys)} trials are known from before" in capsys.readouterr().err
    assert sorted(in_threads.done) == sorted(missing)


def test_six_views_of_digits_in_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = datasets.load("planted_views", samples=60)
    monkeypatch.setattr(datasets, "load", lambda *id, **options: drawn)
    plan = replace(study("multiview")).plan
    for title in ("NMF", "CNMF", "SGNMF", "CCA", "PCSC", "CoTra", "SULF"):
        assert any(row.startswith(f"{title} (") for row in plan.rows)
    assert sum(row.endswith("(one view)") for row in plan.rows) == 6
    assert any(row.startswith("SULF₁") for row in plan.rows)
    assert any(row.startswith("SULF₃") for row in plan.rows)
    assert len(plan.columns) == 4
