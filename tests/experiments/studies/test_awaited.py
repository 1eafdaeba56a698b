"""Files of a person's own, recognised as the data that studies wait for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from experiments.cli.command_line import main
from experiments.studies.awaited import FERET, FOLDER, PIE, YALE, recognised


def _faces(path: Path, samples: int, classes: int, pixels: int) -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(samples) % classes + 1
    pictures = rng.integers(0, 256, (samples, pixels), dtype=np.uint8)
    savemat(path, {"fea": pictures, "gnd": labels[:, None].astype(float)}, do_compression=True)


def test_a_file_is_recognised_by_its_shape_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _faces(tmp_path / "b_download.mat", 165, 15, 1024)
    _faces(tmp_path / "a_other.mat", 60, 15, 1024)
    (tmp_path / "notes.txt").write_text("not data", encoding="utf-8")
    (tmp_path / "broken.mat").write_bytes(b"MATLAB 5.0 broken")
    assert recognised((FERET, PIE, YALE), tmp_path) == {"yale": tmp_path / "b_download.mat"}
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert recognised((FERET, YALE)) == {"yale": tmp_path / "b_download.mat"}
    assert main(["study", "--data"]) == 0
    said = capsys.readouterr().out
    assert f"Yale faces is {tmp_path / 'b_download.mat'}" in said
    assert (
        "CMU PIE (five poses) is waited for: 680 samples of 1,024 or 4,096 features, 68 classes, from" in said
    )


def test_without_a_folder_nothing_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert recognised((FERET,)) == {}
