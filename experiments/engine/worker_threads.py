"""The threads in which a worker does its work: halted when that is stopped, behind the others for a job."""

from __future__ import annotations

import ctypes
import math
import os
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from experiments.engine.job_task import JobTask
from experiments.engine.task import RunTask

# What the thread of a job has over a run's, by which the system divides the processor. Much more, and what
# cannot be broken off, such as one clustering, would starve while it holds up Python.
_BELOW_RUNS = 3
# Where code is imported or compiled: a thread halted there leaves locks of the whole process behind.
_LOCKED = ("<frozen importlib", f"{os.sep}numba{os.sep}core{os.sep}")


@dataclass(eq=False)
class TaskTurn:
    """A task that is taking its turn; `alone` if the others no longer wait for it.

    `queued` are commands that arrive meanwhile; `stopped` if one of them is to interrupt it, as was done at
    `halted`; `dropped` if nothing more is expected of it: a task of the same id may have taken its place.
    """

    task: RunTask | JobTask
    thread: threading.Thread = field(default_factory=threading.current_thread)
    begun: float = field(default_factory=perf_counter)
    alone: bool = False
    queued: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False
    halted: float = -math.inf
    dropped: bool = False

    @property
    def over(self) -> bool:
        """Whether its thread has ended, be it in the middle of handing the task back."""
        try:
            self.thread.join(0)
        except RuntimeError:  # It is about to begin: it has a number already, and does not count as alive.
            return False
        return not self.thread.is_alive()


class Halt(BaseException):
    """Raised in the thread of a task that is to be stopped; nobody but that thread catches it."""


def halt(thread: threading.Thread) -> bool:
    """Raise `Halt` in a thread as soon as it executes Python code, but not while it imports or compiles.

    A module interrupted half-way stays broken for everybody in this process, and a compiler that was waited
    for stays locked. Returns whether that was done.
    """
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        if any(place in frame.f_code.co_filename for place in _LOCKED):
            return False
        frame = frame.f_back
    if thread.is_alive() and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Halt))
    return True


def ignore_halt(what: threading.ExceptHookArgs) -> None:
    """Report an exception that ends a thread, unless it was halted: a `threading.excepthook`."""
    if what.exc_type is not Halt:
        threading.__excepthook__(what)


def ignore_lost_halt(what: sys.UnraisableHookArgs) -> None:
    """Report an exception that nobody can catch, unless it was meant to halt: a `sys.unraisablehook`."""
    if what.exc_type is not Halt:
        sys.__unraisablehook__(what)


def step_back() -> None:
    """Have the thread that calls this get less of the processor than others, where threads can."""
    with suppress(AttributeError, OSError):
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, 0) + _BELOW_RUNS)
