"""The Papers page: five papers in one view, an item in full, its exports."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from experiments.studies import names, study
from experiments.studies.outcome import NOT_YET, StudyOutcome
from experiments.studies.paper import PAPERS
from experiments.studies.records import Records, shipped
from ui.papers import markup
from ui.papers.told import by_paper, told


@pytest.fixture
def app(repository: Path) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.run()
    at.switch_page("../pages/papers.py").run()
    assert not at.exception
    return at


def written(at: AppTest) -> str:
    return "\n".join(str(block.proto.body) for block in at.get("html"))


def pills(at: AppTest, label: str):
    return next(group for group in at.button_group if group.label == label)


def test_every_paper_and_item_is_in_one_view(app: AppTest) -> None:
    page = written(app)
    for paper in PAPERS.values():
        assert paper.short in page
    for name in names():
        if study(name).paper:
            assert told(name).summary in page
    assert "8 of 10 reproduced on ORL" in told("n2s2l-table1").summary


def test_an_item_of_another_paper_is_shown_in_full(app: AppTest) -> None:
    pills(app, "Paper").select("ndtf").run()
    pills(app, "Item").select("ndtf-table2").run()
    assert not app.exception
    page = written(app)
    assert "printed 94.30 (1.15)" in page
    assert "waits for data" in page
    assert markup.claims(told("ndtf-table2")) in page
    labels = {button.proto.label for button in app.get("download_button")}
    assert {"Markdown", "CSV", "LaTeX", "JSON"} <= labels


def test_curves_are_drawn_where_the_paper_draws_them(app: AppTest) -> None:
    pills(app, "Item").select("n2s2l-occlusion").run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1


def test_every_item_can_be_shown_with_and_without_numbers() -> None:
    for items in by_paper().values():
        for name in items:
            for records in (shipped(study(name)), Records()):
                table = markup.table(StudyOutcome(study(name), records))
                assert table.count("<tr>") == len(study(name).plan.rows) + 1
            assert (NOT_YET in table) == any(cell.candidates for cell in study(name).plan.cells)
