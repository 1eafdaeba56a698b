"""`sweep` on the command line: what it prints and writes, gone on with by name, also after it was killed."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import nbformat
import pytest

from experiments.cli.command_line import main
from experiments.cli.sweep_command import axis_of_text, measure_of_text
from experiments.store import open_store
from experiments.trials import carriers
from experiments.trials.result_cache import ResultCache
from experiments.tuning import SweepShelf, carry_sweep, trials_of
from tests.experiments.trials.carriers import Here
from tests.waiting import until

Capture = pytest.CaptureFixture[str]
IRIS = ["iris", "n2s2l", "--param", "n_components=4", "max_iter=8"]


@pytest.fixture(autouse=True)
def store_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'runs.sqlite3'}"
    monkeypatch.setenv("PARTWISE_DATABASE_URL", url)
    return url


def test_a_sweep_prints_and_writes_the_same_and_is_gone_on_with_by_name(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {name: tmp_path / name for name in ("csv", "json", "best", "script", "notebook")}
    writing = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    over = ["--over", "alpha=0.1:1000:log:3", "--over", "metric"]
    who = Here()
    monkeypatch.setattr("experiments.cli.sweep_command.chosen", lambda cluster, jobs: who)
    assert main(["sweep", *IRIS, *over, "--splits", "2", "--name", "Mine", *writing]) == 0
    printed = capsys.readouterr().out
    assert "Best: alpha = " in printed
    assert "optimism of choosing on the test set" in printed
    rows = files["csv"].read_text().splitlines()
    assert rows[0] == "alpha,metric,split,seed,inner_accuracy,accuracy,seconds,status,message"
    assert len(rows) == 1 + 3 * 2 * 2
    written = json.loads(files["json"].read_text())
    assert len(written["rows"]) == 6
    assert written["sentences"][0] in printed
    best = json.loads(files["best"].read_text())
    assert best["params"]["n_components"] == 4
    assert main(["run", "iris", "n2s2l", "--params", str(files["best"]), "--quiet"]) == 0
    nbformat.validate(nbformat.reads(files["notebook"].read_text(), as_version=4))
    _same_by_script(files["script"], printed, capsys, monkeypatch)
    # Its name is enough; what is known is not computed again, and nobody has to work for it.
    assert main(["sweep", "--name", "Mine"]) == 0
    again = capsys.readouterr()
    assert again.out == printed
    assert "6 of 6 trials are known from before" in again.err
    assert (who.opened, len(who.done)) == (1, 6)


def _same_by_script(path: Path, printed: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    for library in ("OPENBLAS", "MKL", "OMP"):
        monkeypatch.setenv(f"{library}_NUM_THREADS", "1")
    monkeypatch.setattr(carriers, "Processes", Here)
    runpy.run_path(str(path), run_name="__main__")
    found = capsys.readouterr().out
    assert found.startswith(printed)
    assert "6 of 6 points have the score they had then" in found


def test_killed_in_the_middle_it_goes_on_and_does_no_finished_trial_again(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "experiments", "sweep", *IRIS, "--over", "alpha=0.1:1000:log:30"]
    process = subprocess.Popen(
        [*command, "--splits", "2", "--jobs", "1", "--name", "Killed", "--measure", "accuracy"],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

    def finished() -> set[str]:
        with closing(open_store()) as store:
            named = SweepShelf(store).named("Killed")
            if named is None:
                return set()
            keys = [trial.key for trial in trials_of(named.sweep).in_turn()]
            return set(store.trials.lookup(keys))

    until(lambda: len(finished()) >= 3, "no trial was finished", pause=0.1)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before, who = finished(), Here()
    assert 3 <= len(before) < 60
    with closing(open_store()) as store:
        named = SweepShelf(store).named("Killed")
        assert named is not None
        cache = ResultCache(store.trials, store.server)
        results = dict(carry_sweep(named.sweep, who, cache))
    assert len(results) == 60
    assert not before & set(who.done)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "say which data"),
        (["iris"], "say which method"),
        (["iris", "n2s2l"], "say what is tried"),
        (["iris", "n2s2l", "--over", "gamma=1:2"], "no parameter 'gamma'"),
        (["iris", "n2s2l", "--over", "alpha=1:x"], "not a number"),
        (["iris", "n2s2l", "--over", "alpha", "--labelled", "given"], "came without a split"),
        (["iris", "n2s2l", "--over", "metric=taxi"], "must be one of"),
        (["iris", "n2s2l", "--over", "alpha", "--measure", "luck"], "no measure 'luck'"),
        (["iris", "n2s2l", "--over", "alpha", "--param", "alpha=1"], "cannot be fixed"),
        (["iris", "n2s2l", "--over", "alpha", "--random", "3", "--continuation", "refined"], "Only along a"),
        (["iris", "n2s2l", "--over", "alpha="], "names no value"),
        (["iris", "n2s2l", "--over", "alpha", "--guided", "0"], "from 1 to"),
        (["--name", "Nobody's"], "no sweep is kept as"),
    ],
)
def test_what_makes_no_sweep_is_refused_in_a_sentence(
    arguments: list[str], part: str, capsys: Capture
) -> None:
    assert main(["sweep", *arguments]) == 2
    said = capsys.readouterr().err
    assert part in said
    assert said.count("\n") == 1


def test_ranges_values_and_measures_are_read_from_text() -> None:
    assert axis_of_text("n2s2l", "alpha=1:100:3:linear").values == (1.0, 50.5, 100.0)
    assert axis_of_text("n2s2l", "solver=accelerated").values == ("accelerated",)
    assert axis_of_text("n2s2l", "smooth_neighbors=2:8:4").values == (2, 4, 6, 8)
    assert measure_of_text("accuracy:metric=cosine").settings == {"metric": "cosine"}


def test_methods_are_tuned_against_each_other_on_a_fair_budget(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    against = [
        "sweep",
        "iris",
        "cons",
        "--against",
        "hgf",
        "--against",
        "lda",
        "--trials",
        "4",
        "--splits",
        "2",
    ]
    command = [*against, "--labelled", "4", "--jobs", "1", "--csv", str(tmp_path / "csv")]
    who = Here()
    monkeypatch.setattr("experiments.cli.sweep_command.chosen", lambda cluster, jobs: who)
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "Each method was tuned with 4 trials on every split." in printed
    rows = [row.split(",") for row in (tmp_path / "csv").read_text().splitlines()]
    assert [row[:3] for row in rows[1:]] == [
        [id, split, split] for id in ("cons", "hgf", "lda") for split in ("0", "1")
    ]
    done = list(who.done)
    assert main(command) == 0
    assert capsys.readouterr().out == printed
    assert who.done == done, "nothing is fitted again"
    for wrong, sentence in (
        ([*command, "--over", "alpha"], "--over is for the sweep of one method"),
        (["sweep", "iris", "cons", "--against", "cons"], "--against names other methods than cons"),
        (["sweep", "iris", "cons", "--over", "alpha", "--trials", "4"], "--trials goes with --against"),
    ):
        assert main(wrong) == 2
        assert sentence in capsys.readouterr().err
