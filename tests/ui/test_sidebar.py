"""The sidebar: options that do not go together are a sentence, and the pages live on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from datasets import catalogue, iris
from ui.service import service


@pytest.fixture(scope="module", autouse=True)
def _service() -> Iterator[None]:
    yield
    service().close()
    service.__globals__["_service"].cache_clear()


def test_options_that_do_not_go_together_fall_back(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = iris.load

    def particular(*, scale: bool) -> Any:
        if not scale:
            raise ValueError("no word is left")
        return load(scale=scale)

    monkeypatch.setattr(iris, "load", particular)
    monkeypatch.setattr(catalogue, "_cache", catalogue._Cache(catalogue.KEPT))
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params["data"] = "iris"
    at.query_params["data.iris.scale"] = "0"
    at.run()
    at.switch_page("../pages/data.py").run()
    assert not at.exception
    assert "no word is left" in at.sidebar.error[0].value
    at.sidebar.toggle[0].set_value(True).run()
    assert not at.sidebar.error


def test_samples_of_unknown_class_are_no_class(repository: Path) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    at.query_params["data"] = "docstrings"
    at.query_params["data.docstrings.classes"] = "sub-package"
    at.run()
    at.switch_page("../pages/data.py").run()
    assert not at.exception
    assert not at.error


@pytest.mark.parametrize("data", ["docstrings", "iris", "planted_parts", "planted_views"])
@pytest.mark.parametrize("page", ["data", "live", "bases"])
def test_every_kind_of_data_can_be_looked_at(repository: Path, data: str, page: str) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    at.query_params["data"] = data
    at.run()
    at.switch_page(f"../pages/{page}.py").run()
    assert not at.exception
    assert not at.error
