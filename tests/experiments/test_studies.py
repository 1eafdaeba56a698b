"""Studies: found by their files, the same whoever shares the work, told as a table."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from experiments.studies.carry_out import carry_out

import datasets
from experiments.cli.command_line import main
from experiments.comparisons.fusion import MEASURES
from experiments.studies import Row, Study, catalogue, names, study


def _measure(offset: float, split: int) -> dict[str, float]:
    if offset < 0:
        raise ValueError("This row cannot be measured.")
    return {"share": offset + split / 100, "other": 0.5}


def invented(*offsets: float) -> Study:
    rows = tuple(Row(f"row {offset}", "group", partial(_measure, offset)) for offset in offsets)
    return Study(
        "invented", "An invented study", "", "iris", {"share": "share", "other": "other"}, lambda: rows,
        splits=3, notes="Nothing is real.",
    )  # fmt: skip


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_studies", lambda: {"invented": invented(0.1, -1.0)})


def test_studies_are_found_by_their_files() -> None:
    assert "multiview" in names()
    for name in names():
        described = study(name)
        assert described.id == name
        assert described.dataset in datasets.names()
        assert described.title
        assert described.summary
    with pytest.raises(ValueError, match=r"There is no study 'table9'. There are: .*multiview"):
        study("table9")


def test_the_same_numbers_whoever_shares_the_work() -> None:
    seen: list[tuple[int, int]] = []
    one = carry_out(invented(0.1, 0.2), jobs=1, watch=lambda done, whole: seen.append((done, whole)))
    two = carry_out(invented(0.1, 0.2), jobs=2)
    assert seen == [(done, 6) for done in range(1, 7)]
    assert one.values(1, "share") == two.values(1, "share") == [0.2 + split / 100 for split in range(3)]
    assert carry_out(invented(0.1), splits=1, jobs=1).values(0, "share") == [0.1]
    with pytest.raises(ValueError, match="splits must be at least 1"):
        carry_out(invented(0.1), splits=0)


def test_a_table_shows_mean_and_spread_and_says_what_could_not_be_measured() -> None:
    outcome = carry_out(invented(0.1, -1.0), jobs=1)
    text, marked = outcome.as_text(), outcome.as_markdown()
    assert f"11.0 ({100 * np.std([0.1, 0.11, 0.12]):.1f})" in text
    assert "This row cannot be measured." in text
    assert "Mean over 3 splits, in percent; standard deviation in brackets. Nothing is real." in text
    assert "| group | row 0.1 | 11.0 (0.8) | 50.0 (0.0) |" in marked
    assert "One split, in percent." in carry_out(invented(0.1), splits=1, jobs=1).as_text()


@pytest.mark.usefixtures("known")
def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["study", "--list"]) == 0
    assert "invented  An invented study" in capsys.readouterr().out
    assert (
        main(["study", "invented", "--splits", "2", "--jobs", "1", "--json", str(tmp_path / "t.json")]) == 1
    )
    assert "10.5 (0.5)" in capsys.readouterr().out
    plain = json.loads((tmp_path / "t.json").read_text())
    assert plain["rows"][0]["share"] == [0.1, 0.11]
    assert plain["rows"][1]["problem"] == "This row cannot be measured."
    for wrong, sentence in (
        (["study"], "say which study: invented"),
        (["study", "nothing"], "There is no study 'nothing'"),
        (["study", "invented", "--splits", "0"], "splits must be at least 1"),
        (["study", "invented", "--jobs", "0"], "--jobs must be at least 1"),
        (["study", "invented", "--json", str(tmp_path)], "cannot be written"),
    ):
        assert main(wrong) == 2
        assert sentence in capsys.readouterr().err


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
    assert list(study("multiview").measures) == list(MEASURES)
