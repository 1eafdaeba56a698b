"""A run stopped while it imports or compiles leaves no half-loaded module and no lock to others."""

from __future__ import annotations

import importlib
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from numba.core.compiler_lock import global_compiler_lock

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


def test_a_thread_is_not_halted_while_it_waits_for_the_compiler() -> None:
    """Whatever compiled or loaded a kernel in that worker afterwards had waited for ever."""
    state: dict[str, bool] = {}

    def work() -> None:
        state["begun"] = True
        with global_compiler_lock:
            state["compiled"] = True
        try:
            while True:
                threading.Event().wait(0.001)
        except Halt:
            state["halted"] = True

    thread = threading.Thread(target=work, daemon=True)
    with global_compiler_lock:
        thread.start()
        until(lambda: state.get("begun"))
        until(lambda: "compiler_lock" in sys._current_frames()[thread.ident or 0].f_code.co_filename)
        assert not halt(thread)
    until(lambda: state.get("compiled"))
    until(lambda: halt(thread))
    until(lambda: not thread.is_alive())
    assert state["halted"]
    assert global_compiler_lock._lock.acquire(blocking=False)
    global_compiler_lock._lock.release()
