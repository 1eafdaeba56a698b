"""A run that is stopped while it imports something leaves no half-loaded module to the runs after it."""

from __future__ import annotations

import importlib
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from experiments.engine.worker_threads import Halt, halt
from tests.waiting import until

MODULE = """
import sys, time
begun = True
while not sys.modules["the_gate"].open:
    time.sleep(0.001)
whole = True
"""


def test_a_thread_is_not_halted_while_it_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate: Any = SimpleNamespace(open=False)
    monkeypatch.setitem(sys.modules, "the_gate", gate)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "the_slow_one.py").write_text(MODULE)
    state: dict[str, bool] = {}

    def work() -> None:
        importlib.import_module("the_slow_one")
        state["imported"] = True
        try:
            while True:
                threading.Event().wait(0.001)
        except Halt:
            state["halted"] = True

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    until(lambda: hasattr(sys.modules.get("the_slow_one"), "begun"))
    try:
        assert not halt(thread)
        gate.open = True
        until(lambda: state.get("imported"))
        until(lambda: halt(thread))
        until(lambda: not thread.is_alive())
        assert state == {"imported": True, "halted": True}
        assert cast(Any, sys.modules["the_slow_one"]).whole
    finally:
        gate.open = True
        sys.modules.pop("the_slow_one", None)
