"""A data set that is not here: the page offers it, shows how it comes, and says why it does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from datasets import reuters395
from tests.datasets.tiny_wheels import make_wheel, only_here
from tests.waiting import until
from ui import fetching


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder pip looks into."""
    only_here(tmp_path / "links", tmp_path / "cache", monkeypatch)
    monkeypatch.setattr(fetching, "_under_way", {})
    return tmp_path / "links"


@pytest.fixture
def app(repository: Path, links: Path) -> AppTest:
    """The data page, asked for a data set that is not here."""
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data.orl.size"] = "16"
    at.query_params["data"] = "reuters395"
    at.run()
    return at.switch_page("../pages/data.py").run()


def press(at: AppTest) -> None:
    next(button for button in at.main.button if button.label == "Fetch 1 MB").click().run()
    until(lambda: fetching._under_way["reuters395"].ended, "it is never fetched")
    at.run()
    assert not at.exception


def test_until_it_is_fetched_the_pages_show_the_usual(app: AppTest) -> None:
    assert not app.exception
    said = " ".join(text.value for text in (*app.main.markdown, *app.sidebar.caption))
    assert "Reuters-395 is not on this machine yet" in said
    assert "Until then the pages show ORL faces." in said
    assert "400 pictures" in said


def test_offline_is_a_sentence_and_may_be_tried_again(app: AppTest) -> None:
    press(app)
    assert "pip found no lda==3.0.2" in app.main.error[0].value
    assert any(button.label == "Fetch 1 MB" for button in app.main.button)


def test_what_has_come_is_shown(app: AppTest, links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = b"\n".join([b"2 0:3 2:1", b"1 1:2"] * 9)
    titles = b"\n".join(b"%d PERU: Story. LIMA" % i for i in range(18))
    files = {".ldac": counts, ".tokens": b"church\npope\nyears", ".titles": titles}
    wheel = make_wheel(links, {f"lda/tests/reuters{end}": content for end, content in files.items()})
    monkeypatch.setattr(reuters395, "WHEEL", wheel)
    monkeypatch.setattr(reuters395, "CARD", replace(reuters395.CARD, wheel=wheel))
    app.run()
    press(app)
    assert not app.main.error
    assert any("18 documents of 1 country" in caption.value for caption in app.sidebar.caption)
