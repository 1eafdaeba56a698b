"""The Papers page: five papers in one view, an item in full, a cell and its run, files that fill cells."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.io import savemat
from streamlit.testing.v1 import AppTest

from experiments.studies import names, study
from experiments.studies.exports import as_markdown
from experiments.studies.outcome import NOT_YET, StudyOutcome, paper_summary
from experiments.studies.paper import PAPERS
from experiments.studies.records import Records, gathered, shipped, unfinished
from experiments.trials import Result
from ui.palette import colour, side_by_side
from ui.papers import cell, curves, drawings, markup
from ui.papers.computing import DisplayedStudy, Running
from ui.papers.opening import candidate_of, requests_of
from ui.papers.study_outcomes import by_paper, study_outcome
from ui.plain import as_text


@pytest.fixture
def app(repository: Path) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.run()
    at.switch_page("../pages/papers.py").run()
    assert not at.exception
    return at


def written(at: AppTest) -> str:
    return "\n".join(str(block.proto.body) for block in at.get("html"))


def said(at: AppTest) -> str:
    return "\n".join(block.value for block in at.markdown)


def pills(at: AppTest, label: str):
    return next(group for group in at.button_group if group.label == label)


def buttons(at: AppTest) -> set[str]:
    return {button.label for button in at.button}


def as_shipped(one: StudyOutcome) -> DisplayedStudy:
    return DisplayedStudy(one, StudyOutcome(one.study, Records()), {})


def test_every_paper_and_item_is_in_one_view(app: AppTest) -> None:
    page = written(app)
    for id, paper in PAPERS.items():
        assert paper.short in page
        summary = paper_summary([study_outcome(name) for name in by_paper()[id]])
        assert " claims hold" in summary
        assert summary in page
    for name in names():
        if study(name).paper:
            assert study_outcome(name).summary in page
    assert "8 of 10 reproduced on ORL" in study_outcome("n2s2l-table1").summary
    assert "Compute again" in buttons(app)


def test_an_item_of_another_paper_is_shown_in_full(app: AppTest) -> None:
    pills(app, "Paper").select("ndtf").run()
    pills(app, "Item").select("ndtf-table2").run()
    assert not app.exception
    page = written(app)
    assert "printed 94.30 (1.15)" in page
    assert "waits for data" in page
    assert markup.claims(study_outcome("ndtf-table2")) in page
    labels = {button.proto.label for button in app.get("download_button")}
    assert {"Markdown", "CSV", "LaTeX", "JSON"} <= labels
    assert len(app.get("file_uploader")) == 1


def test_a_cell_opens_the_very_run_behind_it(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[object, ...]] = []
    submitted = SimpleNamespace(submit=lambda request, owner: SimpleNamespace(id="its run"))
    monkeypatch.setattr(cell, "clicked", lambda standing: ("PCA", "ORL"))
    monkeypatch.setattr(cell, "service", lambda: submitted)
    monkeypatch.setattr(cell.reopen, "open_on", lambda *asked: opened.append(asked))
    app.run()
    next(button for button in app.button if button.label == "Open this run").click().run()
    assert not app.exception
    candidate = candidate_of(study_outcome("n2s2l-table1").outcomes["PCA", "ORL"])
    assert candidate is not None
    assert opened == [("live", candidate.request, "its run")]


def test_a_dropped_file_is_recognised_confirmed_and_fills_the_cells(app: AppTest) -> None:
    pills(app, "Paper").select("gnmf_dpca").run()
    pills(app, "Item").select("gnmf-table1").run()
    assert "AR faces, FERET (200 people), Yale faces wait for data" in said(app)
    rng = np.random.default_rng(0)
    content = io.BytesIO()
    faces = {"fea": rng.integers(0, 256, (165, 256), dtype=np.uint8), "gnd": np.arange(165)[:, None] % 15 + 1}
    savemat(content, faces)
    app.file_uploader[0].upload("whatever.mat", content.getvalue()).run()
    assert not app.exception
    assert "This looks like Yale faces" in said(app)
    next(button for button in app.button if button.label == "Yes, use it").click().run()
    assert not app.exception
    assert "AR faces, FERET (200 people) wait for data" in said(app)
    assert "**Yale faces**: whatever\\.mat" in said(app)
    next(button for button in app.button if button.label == "Take it back").click().run()
    assert "AR faces, FERET (200 people), Yale faces wait for data" in said(app)


def test_curves_are_drawn_where_the_paper_draws_them(app: AppTest) -> None:
    pills(app, "Item").select("n2s2l-occlusion").run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1


def test_figures_show_what_the_paper_shows_and_tables_what_it_describes(app: AppTest) -> None:
    pills(app, "Item").select("n2s2l-occlusion").run()
    page = written(app)
    assert page.count("<figure") == 1
    assert 'alt="One sample: as it is, 16 pixels, 20 pixels, 24 pixels, 28 pixels (grey)"' in page
    pills(app, "Item").select("n2s2l-bases").run()
    page = written(app)
    assert page.count('<figure class="parts coarse">') == 3
    assert "20 parts found by N²S²L" in page
    pills(app, "Paper").select("sulf").run()
    pills(app, "Item").select("sulf-table3").run()
    assert not app.exception
    assert {as_text(head.title) for head in study("sulf-table3").heads} <= {
        expander.label for expander in app.expander
    }
    assert "21531 / 11547 / 24893" in written(app)
    assert "| NUS-WIDE-Object | 3100 | 31 |" in as_markdown(study_outcome("sulf-table3"))


def test_parts_of_another_fit_are_said_to_be_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(drawings.st, "html", drawn.append)
    monkeypatch.setattr(drawings.st, "caption", drawn.count)
    one = study_outcome("n2s2l-bases")
    drawings.show(one)
    old = replace(one.records, pictures=tuple(replace(some, key="old") for some in one.records.pictures))
    drawings.show(StudyOutcome(one.study, old))
    assert ["out of date" in page for page in drawn] == [False, True]
    drawings.show(study_outcome("n2s2l-table1"))
    assert len(drawn) == 2, "nothing is drawn where the paper draws nothing"


def test_every_item_can_be_shown_with_and_without_numbers() -> None:
    for items in by_paper().values():
        for name in items:
            for records in (shipped(study(name)), Records()):
                one = StudyOutcome(study(name), records)
                standing = as_shipped(one)
                table = markup.table(standing)
                # Rows that wait for data to the last cell are folded, beneath a head of their own.
                folded = table.count("<details>")
                assert table.count("<tr>") == len(one.study.plan.rows) + 1 + folded
                assert table.count("data-cell=") == len(one.study.plan.cells)
                for outcome in one.outcomes.values():
                    assert "<dt>verdict</dt>" in markup.cell(standing, outcome)
            assert (NOT_YET in table) == any(cell.measured for cell in study(name).plan.cells)


def test_rows_that_wait_for_data_are_folded_and_those_with_numbers_are_not() -> None:
    table = markup.table(as_shipped(study_outcome("srlsc-insample")))
    seen, folded = table.split("<summary>")
    assert "Digits, m = 5" in seen
    assert "waits for data" not in seen
    assert folded.startswith("23 more rows wait for data</summary>")
    assert "Yale B, m = 50" in folded
    assert "<details>" not in markup.table(as_shipped(study_outcome("ndtf-table2"))), "columns that wait stay"


def test_lines_of_one_family_have_colours_of_their_own() -> None:
    one = study_outcome("sulf-parameters")
    assert len(set(side_by_side(curves.methods_of(one), "light"))) == len(one.study.plan.columns) > 2
    faces = study_outcome("n2s2l-occlusion")
    own = [colour(method, "dark") for method in curves.methods_of(faces)]
    assert side_by_side(curves.methods_of(faces), "dark") == own, (
        "what differs anyway stays as it is everywhere"
    )


def test_a_cell_says_all_there_is_and_what_came_out_again() -> None:
    one = study_outcome("n2s2l-table1")
    place = ("PCA", "ORL")
    trials = one.study.plan.table().trials
    again = {
        trial.key: Result({measure.name: 0.5 for measure in trial.wanted})
        for key, some in trials.items()
        if key[:2] == place
        for trial in some
    }
    here = StudyOutcome(one.study, gathered(one.study, again))
    standing = DisplayedStudy(StudyOutcome(one.study, gathered(one.study, again, one.records)), here, again)
    outcome = standing.combined.outcomes[place]
    assert outcome.mean == one.means[place], "what is shipped stays beside what came out again"
    assert "again here 50.00 (0.00)" in markup.table(standing)
    said = markup.cell(standing, outcome)
    assert "again here</dt><dd>50.00 (0.00)" in said
    assert "the best of 8, as the papers choose: " in said
    assert "pca: size=64, crop=aligned, labelled_per_class=2, held_out_per_class=8, n_components=79" in said
    candidate = candidate_of(outcome)
    assert candidate is not None
    assert candidate.setting == outcome.setting
    assert candidate_of(one.outcomes["PCA", "FERET"]) is None, "what waits for data has no run yet"
    together = requests_of(one)
    assert list(together)[:4] == ["nmf", "lnmf", "pca", "lda"]
    assert {request.dataset_options["crop"] for request in together.values()} == {"aligned"}


def test_what_is_worked_out_is_an_item_a_cell_or_what_is_missing() -> None:
    one = study_outcome("n2s2l-table1")
    whole = Running("n2s2l-table1").table(one)
    assert whole.trials == one.study.plan.table().trials
    one_cell = Running("n2s2l-table1", ("LDA", "ORL")).table(one)
    assert {place[:2] for place in one_cell.trials} == {("LDA", "ORL")}
    assert not Running("n2s2l-table1", missing=True).table(one).trials
    part = dict(list(one.records.numbers.items())[1:])
    left = unfinished(one.study, Records(part))
    assert list(left.trials) == list(one.records.numbers)[:1]
