"""Files of a person's own, recognised as the data that studies wait for, and measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

import datasets
from experiments.cli.command_line import main
from experiments.requests.request import RunRequest
from experiments.studies import Candidate, Published, Study, StudyCell, catalogue, study
from experiments.studies.awaited import Awaited
from experiments.studies.outcome import WAITS, StudyOutcome
from experiments.studies.records import Records
from experiments.studies.study_files import FOLDER, in_folder
from experiments.trials import MeasureRequest
from tests.experiments.trials.carriers import Here

pytestmark = pytest.mark.usefixtures("store_of_its_own")
SEEN = MeasureRequest("accuracy")


def _faces(path: Path, samples: int, classes: int, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(samples) % classes + 1
    people = rng.integers(0, 200, (classes, shape[0] * shape[1]))
    pictures = people[labels - 1] + rng.integers(0, 50, (samples, shape[0] * shape[1]))
    savemat(path, {"fea": pictures.astype(np.uint8), "gnd": labels[:, None].astype(float)})


def test_a_file_is_recognised_by_its_shape_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _faces(tmp_path / "b_download.mat", 165, 15, (32, 32))
    _faces(tmp_path / "a_other.mat", 60, 15, (32, 32))
    (tmp_path / "notes.txt").write_text("not data", encoding="utf-8")
    (tmp_path / "broken.mat").write_bytes(b"MATLAB 5.0 broken")
    assert [(id, one.name) for id, one in in_folder(tmp_path).items()] == [("yale", "b_download.mat")]
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert main(["study", "--data"]) == 0
    said = capsys.readouterr().out
    assert "Yale faces is b_download.mat" in said
    assert (
        "CMU PIE (five poses) is waited for: 680 samples of 1,024 or 4,096 features, 68 classes, from" in said
    )


def test_without_a_folder_nothing_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert in_folder() == {}


def _waiting_study() -> Study:
    awaited = Awaited("tiny", "Tiny faces", "nobody", (24,), 6, ((8, 6), (16, 12)))
    runs = {
        size: RunRequest(
            awaited.id, "pca", {"n_components": 5}, dataset_options={"size": size},
            split={"labelled_per_class": 2},
        )
        for size in ("8x6", "16x12")
    }  # fmt: skip
    cells = [
        StudyCell("PCA", size, (Candidate(run, SEEN),), Published(90.0, 5.0), awaited.id)
        for size, run in runs.items()
    ]
    return Study("waiting", "A study that waits", "Made up.", (), lambda: cells, awaits=(awaited,), splits=2)


def test_a_file_fills_the_cells_that_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_threads: Here
) -> None:
    waiting = _waiting_study()
    assert {one.verdict for one in StudyOutcome(waiting, Records()).outcomes.values()} == {WAITS}
    assert waiting.plan.table().trials == {}
    monkeypatch.setattr(catalogue, "_studies", lambda: {"waiting": waiting})
    monkeypatch.setenv(FOLDER, str(tmp_path))
    # Random pixels look like no pictures: their number says what they are.
    _faces(tmp_path / "whatever it is called.mat", 24, 6, (16, 12))
    assert main(["study", "waiting", "--markdown"]) == 0
    assert capsys.readouterr().out.count("| 90.00 (5.00) | 100.00 (0.00) |") == 2
    there = in_folder()["tiny"]
    assert there.dataset.startswith("local-")
    assert datasets.card(there.dataset).title.startswith("Tiny faces (")
    assert datasets.load(there.dataset).image_shape == (16, 12)
    assert datasets.load(there.dataset, size="8x6").n_features == 48
    filled = waiting.filled({"tiny": there.dataset})
    assert all(trial.key for trial in filled.plan.table().in_turn())
    # The same file is the same data set, for everybody and after a restart: nothing is computed again.
    assert main(["study", "waiting"]) == 0
    assert "4 of 4 trials are known from before." in capsys.readouterr().err
    assert (in_threads.opened, len(in_threads.done)) == (1, 4)


def test_views_of_awaited_data_are_those_that_the_file_has() -> None:
    cells = {cell.column: cell for cell in study("sulf-table4").plan.cells if cell.awaits == "corel5k"}
    alone, together = (cells[method].filled("planted_views").measured for method in ("NMF_a", "NMF_b"))
    views = list(datasets.load("planted_views").views)
    assert [(one.request.view, one.setting) for one in alone] == [(view, view) for view in views]
    assert [one.request.view for one in together] == [views]
