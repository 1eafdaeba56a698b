"""Where a visitor comes from is noted with each run, so that taking many names helps nobody."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from experiments import RunRequest
from tests.waiting import ended
from ui import owner
from ui.service import service


@pytest.mark.parametrize(("told", "noted"), [("203.0.113.7", "203.0.113.7"), (None, "")])
def test_a_run_knows_from_where_it_was_begun(
    monkeypatch: pytest.MonkeyPatch, told: str | None, noted: str
) -> None:
    request = RunRequest("swimmer", "nmf", {"n_components": 2, "max_iter": 1})
    outside = service().submit(request, owner="me")
    monkeypatch.setattr(owner, "get_script_run_ctx", lambda **_: object())
    monkeypatch.setattr(owner, "st", SimpleNamespace(context=SimpleNamespace(ip_address=told)))
    inside = service().submit(request, owner="me")
    assert (ended(outside).address, ended(inside).address) == ("", noted)
