"""What figures show beside their numbers: parts and spoiled samples, made by the command and shipped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import datasets
from experiments.requests.corruption import spoil
from experiments.requests.request import RunRequest
from experiments.studies import Candidate, Study, StudyCell, names, study
from experiments.studies.pictures import MOST_PARTS, part_keys, pictures_of
from experiments.studies.records import Records, shipped, with_pictures
from experiments.trials import MeasureRequest

DRAWN = [name for name in names() if study(name).draws]
SPARSE = MeasureRequest("sparsity")
FACES = RunRequest("orl", "pca", {"n_components": 25}, dataset_options={"size": 32})


def _drawing(draws: str, *cells: StudyCell) -> Study:
    described = Study("drawn", "A study that draws", "Made up.", ("orl",), lambda: cells, splits=2)
    return replace(described, draws=draws)


@pytest.mark.parametrize("name", DRAWN)
def test_what_a_study_draws_is_shipped_and_is_of_its_own_trials(name: str) -> None:
    described, records = study(name), shipped(study(name))
    if described.draws == "parts":
        assert {one.title: one.key for one in records.pictures} == part_keys(described), (
            "out of date: run `study --all --missing --ship`"
        )
        assert {len(one.tiles) for one in records.pictures} == {MOST_PARTS}
    else:
        assert records.pictures == pictures_of(described)
        assert all(len(one.tiles) == len(one.labels) > 2 for one in records.pictures)


def test_parts_are_drawn_of_the_first_split_and_fitted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = _drawing(
        "parts",
        StudyCell("PCA", "sparsity", (Candidate(FACES, SPARSE),)),
        StudyCell("PCA", "again", (Candidate(FACES, MeasureRequest("effective_rank")),)),
    )
    records = with_pictures(made, Records())
    (one,) = records.pictures
    assert (one.title, one.key) == ("PCA", made.plan.table().trials["PCA", "sparsity", ""][0].key)
    assert one.shape == (32, 32)
    assert one.tiles.shape == (MOST_PARTS, 32 * 32)
    assert Records.from_json(records.to_json(made)) == records
    monkeypatch.setattr("experiments.studies.pictures.evaluate", None)
    assert with_pictures(made, records) == records


def test_a_sample_is_shown_behind_everything_that_is_measured() -> None:
    patched = replace(FACES, corruption={"kind": "grey", "size": 12})
    measured = MeasureRequest("spoiled_accuracy", {"kind": "gaussian", "amount": 20})
    made = _drawing(
        "samples",
        StudyCell("0", "PCA", (Candidate(FACES, SPARSE),)),
        StudyCell("12", "PCA", (Candidate(patched, SPARSE),)),
        StudyCell("12", "again", (Candidate(patched, SPARSE),)),
        StudyCell("20 %", "PCA", (Candidate(FACES, measured),)),
    )
    covered, noisy = pictures_of(made)
    assert (covered.title, covered.labels) == ("grey", ("as it is", "12 pixels"))
    assert (noisy.title, noisy.labels) == ("gaussian", ("as it is", "20%"))
    face = np.asarray(datasets.load("orl", size=32).X[:1], dtype=np.float64)
    behind = spoil(face, (32, 32), kind="grey", size=12)
    np.testing.assert_allclose(covered.tiles / 127, np.concatenate([face, behind]), atol=0.005)


def test_a_study_without_a_figure_of_pictures_draws_none() -> None:
    assert pictures_of(_drawing("", StudyCell("PCA", "sparsity", (Candidate(FACES, SPARSE),)))) == ()
