"""Uploads in the app: the visitor's own, nobody else's, erased when the visit ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import datasets
from datasets import Dataset
from experiments.studies.awaited import PIE
from tests.datasets.upload_files import mat
from tests.waiting import until
from ui import owner, state, uploads
from ui.data import upload_form
from ui.papers import files


class Visitor:
    """A session's choices and an owner's token, without a browser."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.choices: dict[str, Any] = {}

    def enter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(state, "get", lambda name, default=None: self.choices.get(name, default))
        monkeypatch.setattr(
            state, "put", lambda name, value, default=None: self.choices.update({name: value})
        )
        monkeypatch.setattr(owner, "token", lambda: self.token)
        # Streamlit keeps what a session has cached by session; here it is made anew each time.
        monkeypatch.setattr(uploads, "_present", uploads._begun)


def added(number: int = 0) -> str:
    id = uploads.accept_draft(uploads.draft(table(number)))
    assert id is not None
    return id


def table(number: int = 0, name: str = "small.csv") -> Dataset:
    return datasets.read(f"a,b,label\n{number},2,0\n3,4,1\n5,6,0\n7,8,1\n".encode(), name)


@pytest.fixture
def anna(monkeypatch: pytest.MonkeyPatch) -> Visitor:
    visitor = Visitor("a" * 32)
    # The same file is the same data set: what an earlier test has left open would still be held.
    monkeypatch.setattr(uploads, "_uploads", {})
    visitor.enter(monkeypatch)
    uploads.begin(None)
    return visitor


def test_another_browser_cannot_have_it(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    id = added()
    assert uploads.mine() == (id,)
    Visitor("b" * 32).enter(monkeypatch)
    uploads.begin(id)
    assert uploads.mine() == ()
    uploads.remove(id)
    assert datasets.is_here(id), "nor erase it"


def test_reloaded_in_the_same_browser_it_is_still_there(
    anna: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = added()
    Visitor(anna.token).enter(monkeypatch)
    uploads.begin("orl")
    assert uploads.mine() == (), "another tab that does not ask for it does not show it"
    uploads.begin(id)
    assert uploads.mine() == (id,)


def test_it_is_erased_when_the_visit_ends(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads.st, "get_option", lambda name: 0.05)
    id = added()
    datasets.load(id)
    visit = uploads._present(anna.choices[uploads._VISITOR])
    uploads._left(visit)
    until(lambda: not datasets.is_here(id), "it was not erased")
    with pytest.raises(ValueError, match="no longer here"):
        datasets.load(id)
    assert uploads.mine() == ()


def test_a_lost_connection_that_comes_back_loses_nothing(anna: Visitor) -> None:
    id = added()
    visit = uploads._present(anna.choices[uploads._VISITOR])
    uploads._present(anna.choices[uploads._VISITOR])
    uploads._clear_up(visit)
    assert uploads.mine() == (id,)


def test_a_second_tab_keeps_what_the_first_has_left(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    id = added()
    visit = uploads._present(anna.choices[uploads._VISITOR])
    Visitor(anna.token).enter(monkeypatch)
    uploads.begin(id)
    uploads._clear_up(visit)
    assert datasets.is_here(id)
    assert uploads.mine() == (id,)


def test_a_visitor_has_a_few(anna: Visitor) -> None:
    ids = [added(number) for number in range(uploads.MOST_A_VISITOR + 1)]
    assert uploads.mine() == tuple(ids[1:])
    assert not datasets.is_here(ids[0])


@pytest.mark.parametrize(
    "use", [lambda: upload_form._use({}), lambda: files._use(PIE, "small.csv")], ids=["data", "papers"]
)
def test_the_second_click_of_a_double_click_finds_nothing_to_use(
    anna: Visitor, use: Callable[[], None]
) -> None:
    id = added()
    use()
    assert uploads.mine() == (id,)


def test_only_what_is_looked_at_now_can_be_taken(anna: Visitor) -> None:
    old = added()
    first, second = uploads.draft(table(1)), uploads.draft(table(2))
    assert not any(map(uploads.accept_draft, (None, old, first)))
    assert uploads.accept_draft(second)
    assert not uploads.accept_draft(second), "a second time"
    assert uploads.mine() == (old, second)
    erased = uploads.draft(table(3))
    datasets.erase(erased)
    assert not uploads.accept_draft(erased)


def test_what_is_only_looked_at_is_kept_once_and_not_listed(anna: Visitor) -> None:
    first = uploads.draft(table(1))
    second = uploads.draft(table(2))
    assert not datasets.is_here(first)
    assert uploads.mine() == ()
    uploads.discard_draft()
    assert not datasets.is_here(second)


def test_the_same_file_is_the_same_data_set_to_its_owner_alone(
    anna: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = added()
    assert uploads.draft(table(name="renamed.csv")) == id
    uploads.discard_draft()
    assert datasets.is_here(id), "what is in use is not erased with a second look at it"
    uploads.remove(id)
    assert not datasets.is_here(id)
    assert added() == id, "handed over again, it is what runs were made on"
    Visitor("b" * 32).enter(monkeypatch)
    uploads.begin(None)
    assert added() != id


def test_a_second_page_looks_at_what_the_first_has_in_use(
    anna: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = added()
    second = Visitor(anna.token)
    second.enter(monkeypatch)
    uploads.begin(None)
    assert uploads.draft(table()) == id
    uploads.discard_draft()
    assert datasets.is_here(id)


def test_an_upload_is_the_data_of_every_page(repository: Path) -> None:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    at.switch_page("../pages/live.py").run()
    rng = np.random.default_rng(0)
    labels = np.where(np.arange(60) % 4 == 3, -1, np.arange(60) % 3)
    id = datasets.keep(datasets.read(mat(X=rng.random((60, 12)), Y=labels), "mine.mat"))
    at.session_state["partwise choices"]["_uploads"] = (id,)
    at.run()
    at.sidebar.selectbox[0].set_value(id).run()
    for page in ("data", "live", "bases", "occlusion"):
        at.switch_page(f"../pages/{page}.py").run()
        assert not at.exception
        assert not at.error
        assert at.sidebar.selectbox[0].value == id
    assert any("60 samples of 3 classes; 45 of them labelled" in text.value for text in at.sidebar.caption)


def test_the_address_cannot_say_whose_uploads_they_are(repository: Path) -> None:
    id = datasets.keep(table())
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    at.query_params["_uploads"] = id
    at.query_params["data"] = id
    at.switch_page("../pages/live.py").run()
    assert at.sidebar.selectbox[0].value == "orl"
    assert not at.exception
