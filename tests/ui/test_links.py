"""A page's address rebuilds the page: whoever opens the link finds every control as it was set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ui import state
from ui.address import written

SMALL = {"data.orl.size": "16"}


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[tuple[Any, ...], Any]]:
    """What every control that is drawn was given, and what it says."""
    found: dict[str, tuple[tuple[Any, ...], Any]] = {}
    real = state.control

    def watched(widget: Any, label: str, *args: Any, name: str, **options: Any) -> Any:
        value = real(widget, label, *args, name=name, **options)
        given = (*args, *(options[end] for end in ("min_value", "max_value") if end in options))
        found[name] = given, value
        return value

    monkeypatch.setattr(state, "control", watched)
    return found


def opened(repository: Path, page: str, query: dict[str, str]) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=60)
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    at.switch_page(f"../pages/{page}.py").run()
    assert not at.exception
    return at


def address(at: AppTest) -> dict[str, str]:
    """What the page has written to its address."""
    choices, defaults = (at.session_state[f"partwise {kind}"] for kind in ("choices", "defaults"))
    return {
        name: written(value)
        for name, value in choices.items()
        if value is not None and value != defaults.get(name) and not name.startswith("_")
    }


def another(given: tuple[Any, ...], value: Any) -> Any:
    """Something else that a control could be set to; None if nothing is known of it."""
    if isinstance(value, bool):
        return not value
    if given and isinstance(given[0], (list, tuple)):
        others = [option for option in given[0] if option != value and option not in (None, "")]
        if isinstance(value, (list, tuple)):
            return [given[0][-1]] if given[0] else None
        return others[-1] if others else None
    if isinstance(value, (int, float)) and len(given) >= 2:
        return type(value)(given[0] if value != given[0] else given[1])
    return None


@pytest.mark.parametrize(
    "page",
    ["data", "live", "bases", "occlusion", "noise", "recognition", "graphs", "views", "runs", "methods"],
)
def test_a_link_rebuilds_the_page(
    repository: Path, page: str, shown: dict[str, tuple[tuple[Any, ...], Any]]
) -> None:
    def controls() -> dict[str, Any]:
        said = {name: value for name, (_, value) in shown.items() if not name.startswith("_")}
        shown.clear()
        return said

    opened(repository, page, SMALL)
    # Not the data: others would have to be fetched, or are too large to be quick.
    others = {
        name: another(*entry)
        for name, entry in shown.items()
        if name not in ("data", "data.orl.size") and name[0] != "_"
    }
    controls()
    wanted = {name: written(other) for name, other in others.items() if other is not None}
    sender = opened(repository, page, SMALL | wanted)
    first = controls()
    link = address(sender)
    assert len(link.keys() & wanted) >= min(4, len(wanted)), "too little was changed to be a test"
    opened(repository, page, link)
    assert controls() == first
