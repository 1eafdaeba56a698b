"""The process that decodes files is there when somebody can hand one over, and not before."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from datasets.reading import sandbox


def _form() -> None:
    from ui.uploader import uploader

    assert not uploader("Your file", ["csv"])


def test_the_decoders_load_while_a_file_is_looked_for() -> None:
    sandbox._close()
    page = AppTest.from_function(_form).run()
    assert not page.exception
    (process,) = sandbox._servers
    assert process.alive


def test_files_are_handed_over_nowhere_else(repository: Path) -> None:
    places = [
        path.name
        for path in (repository / "ui").rglob("*.py")
        if ".file_uploader(" in path.read_text(encoding="utf-8")
    ]
    assert places == ["uploader.py"]
