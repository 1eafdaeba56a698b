"""A process that carries out runs: `python -m experiments.engine.worker FOLDER`.

Commands come as lines of JSON on standard input, news leaves as lines of JSON on standard output, curves
and arrays through a `channel` file. When standard input closes the server is gone: the worker removes the
folder and ends.

Runs take turns of a few milliseconds. Jobs (see `job_task`) have their turns in a thread of their own, when
no run is due: a run that becomes due meanwhile does not wait for it, and gets more of the processor.
A turn that takes longer than a slice (a preparation, steps of a large problem) is left to its thread, and
another one goes on with the others; work whose last turn was slow gets a thread at once. Heartbeats tell
the server whose turn it is; a stop interrupts such a thread, and if that has no effect the server ends
the process.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import Any, TextIO

import numpy as np

from experiments.engine.job_task import JobKinds, JobTask
from experiments.engine.memory import freeze_gc, give_back, limit_memory
from experiments.engine.run import Run
from experiments.engine.task import Outbox, RunTask
from experiments.engine.template_process import become_worker
from experiments.engine.turns import WATCHED, Turns
from experiments.engine.warm_start import WarmStart, warm_start_from
from experiments.engine.worker_template import AS_TEMPLATE
from experiments.requests.memory import allowed_bytes
from experiments.requests.request import RunRequest
from methods import registry

log = logging.getLogger(__name__)
_ATTEMPTS = 50
_COURTESY = 10
_ENDINGS = 4
_BEAT_EVERY = 0.2
# A turn that takes longer than this no longer holds up the others.
_SLICE = 0.5
# At most so many slow tasks have threads of their own; further ones wait.
_MOST_ALONE = 3
# What the thread of a job has over a run's, by which the system divides the processor. Much more, and what
# cannot be broken off, such as one clustering, would starve while it holds up Python.
_BELOW_RUNS = 3
# So many jobs may end before their memory is collected.
_JOBS_A_COLLECTION = 16
# Threads that compute give way to each other more often than Python's 5 ms, or quick runs wait for slow ones.
_SWITCH_EVERY = 0.001
_IMPORTING = "<frozen importlib"


class Halt(BaseException):
    """Raised in the thread of a task that is to be stopped; nobody but that thread catches it."""


@dataclass(eq=False)
class Turn:
    """A task that is taking its turn; `alone` if the others no longer wait for it.

    `queued` are commands that arrive meanwhile; `stopped` if one of them is to interrupt it.
    """

    task: RunTask | JobTask
    thread: threading.Thread = field(default_factory=threading.current_thread)
    begun: float = field(default_factory=perf_counter)
    alone: bool = False
    queued: list[dict[str, Any]] = field(default_factory=list)
    stopped: bool = False


class Worker:
    """Takes commands between turns and turns between commands."""

    def __init__(self, folder: Path, commands: TextIO, outbox: Outbox, kinds: JobKinds) -> None:
        self._folder, self._outbox, self._kinds = folder, outbox, kinds
        self._tasks: dict[str, RunTask | JobTask] = {}
        self._turns = Turns()
        self._turn: Turn | None = None
        self._alone: dict[str, Turn] = {}
        self._carrier: threading.Thread | None = None
        self._lock = threading.Lock()
        self._ended = 0.0
        self._inbox: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._closing = threading.Event()
        self._listener = threading.Thread(target=self._listen, args=(commands,), daemon=True)
        self._listener.start()

    def serve(self) -> None:
        """Serve until standard input ends."""
        sys.setswitchinterval(_SWITCH_EVERY)
        threading.excepthook = _unless_halted
        self._new_carrier()
        while True:
            sleep(_BEAT_EVERY)
            self._free_the_others()
            self._halt_stopped()
            self._beat()

    def _new_carrier(self) -> None:
        self._carrier = threading.Thread(target=self._carry, daemon=True)
        self._carrier.start()

    def _carry(self) -> None:
        """Carry out commands and turns, until a turn takes so long that another thread takes over."""
        while self._carrier is threading.current_thread():
            try:
                self._go_round()
            except Halt:
                continue  # It came after the end of its task.
            except OSError:
                if not self._closing.is_set():
                    log.exception("This worker cannot go on")
                    os._exit(1)
                self._listener.join()  # The folder is being removed: wait for the process to end.

    def _go_round(self) -> None:
        for command in self._pending(self._idle_time()):
            self._watched(command.get("id"), partial(self._obey, command))
            if self._carrier is not threading.current_thread():
                return
        if due := [task for task in self._ready() if task.due_in(perf_counter()) == 0]:
            self._let_one_go(due)
        if self._ended and not self._tasks and not self._alone:
            self._ended = 0
            give_back()
        elif self._ended >= _ENDINGS:
            self._ended = 0
            gc.collect()  # What ended runs hold is large, which Python does not see.

    def _ready(self) -> list[RunTask | JobTask]:
        """Return the tasks that may take a turn now; for others one that is alone has to come back first."""
        with self._lock:
            runs_alone = sum(turn.task.priority == WATCHED for turn in self._alone.values())
            nobody_alone = not self._alone
        return [
            task
            for task in self._tasks.values()
            if (nobody_alone if task.priority > WATCHED else runs_alone < _MOST_ALONE or not task.slow)
        ]

    def _let_one_go(self, due: list[RunTask | JobTask]) -> None:
        """Give a turn to one of the due tasks; a job or a slow run takes it in a thread of its own."""
        task = self._turns.choose(due)
        if not task.slow and task.priority == WATCHED:
            self._watched(task.id, task.take_turn)
            return
        turn = Turn(task, alone=True)
        with self._lock:
            del self._tasks[task.id]
            self._alone[task.id] = turn
        turn.thread = threading.Thread(target=self._take_alone, args=(turn,), daemon=True)
        turn.thread.start()

    def _watched(self, id: str | None, act: Callable[[], None]) -> None:
        """Run `act` for a task; if that takes too long, another thread becomes the carrier."""
        task = self._tasks.get(id or "")
        if task is None:
            act()
            return
        turn = Turn(task)
        with self._lock:
            self._turn = turn
        try:
            self._with_care(task, act)
        except Halt:
            pass  # It is alone by now: only those are halted.
        finally:
            with self._lock:
                if not turn.alone:
                    self._turn = None
            if turn.alone:
                self._hand_back(turn)
        if not turn.alone:
            self._account(turn)

    def _take_alone(self, turn: Turn) -> None:
        try:
            if turn.task.priority > WATCHED:
                _step_back()
            self._with_care(turn.task, turn.task.take_turn)
        except Halt:
            pass
        finally:
            self._hand_back(turn)

    def _hand_back(self, turn: Turn) -> None:
        self._inbox.put({"do": "back", "id": turn.task.id})

    def _take_back(self, turn: Turn) -> None:
        """Let a task that was alone take turns again, and pass on the commands queued meanwhile."""
        self._account(turn)
        if turn.task.ended:
            return
        self._tasks[turn.task.id] = turn.task
        for command in turn.queued:
            self._inbox.put(command)

    def _account(self, turn: Turn) -> None:
        spent = perf_counter() - turn.begun
        self._turns.charge(turn.task, spent)
        turn.task.slow = spent > _SLICE
        if turn.task.ended:
            self._tasks.pop(turn.task.id, None)
            others = [*self._tasks.values(), *(other.task for other in self._alone.values())]
            self._turns.forget(turn.task, others)
            self._ended += 1 if turn.task.priority == WATCHED else _ENDINGS / _JOBS_A_COLLECTION

    def _free_the_others(self) -> None:
        """Leave a turn that takes too long to its thread, and start a new carrier for the other tasks."""
        with self._lock:
            turn = self._turn
            if turn is None or perf_counter() - turn.begun < _SLICE:
                return
            turn.alone, self._turn = True, None
            self._tasks.pop(turn.task.id, None)
            self._alone[turn.task.id] = turn
            self._new_carrier()

    def _halt_stopped(self) -> None:
        """Interrupt the threads of tasks that are to be stopped, those that import something afterwards."""
        with self._lock:
            stopped = [turn for turn in self._alone.values() if turn.stopped]
            for turn in stopped:
                turn.stopped = not halt(turn.thread)

    def _beat(self) -> None:
        """Tell the server that this process lives, whose turns it is, and what owners have used."""
        with self._lock:
            turns = [*self._alone.values(), *([self._turn] if self._turn else [])]
        watched = [turn for turn in turns if turn.task.priority == WATCHED]
        late = any(perf_counter() - turn.begun > _SLICE for turn in watched)
        busy = [turn.task.id for turn in turns]
        self._outbox.send("", "beat", busy=busy, late=late, spent=self._turns.spent())

    def _listen(self, commands: TextIO) -> None:
        for line in commands:
            self._inbox.put(json.loads(line))
        self._closing.set()
        logging.disable()
        # A step under way, or another worker, may still be writing: then it takes more than one attempt.
        for _ in range(_ATTEMPTS):
            if not self._folder.exists():
                break
            shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(0)

    def _with_care(self, task: RunTask | JobTask, act: Callable[[], None]) -> None:
        """Run `act`; an exception ends this task alone."""
        try:
            act()
        except Exception as error:
            if self._closing.is_set():
                raise
            log.exception("%s could not be carried out", task.id)
            task.give_up(error)

    def _idle_time(self) -> float | None:
        waits = [task.due_in(perf_counter()) for task in self._ready()]
        return min((wait for wait in waits if wait is not None), default=None)

    def _pending(self, patience: float | None) -> Iterator[dict[str, Any]]:
        try:
            yield self._inbox.get(block=patience != 0, timeout=patience or None)
            while True:
                yield self._inbox.get_nowait()
        except Empty:
            return

    def _obey(self, command: dict[str, Any]) -> None:
        action, id = command["do"], command.get("id", "")
        if action == "warm":
            _warm_up(command["dataset"], command["method"])
            freeze_gc()
        elif action == "retire":
            os._exit(0)
        elif action == "used":
            self._turns.charge_elsewhere(command["spent"])
        elif action == "start":
            self._start(command)
        elif action == "job":
            self._tasks[id] = JobTask(self._outbox, self._folder, command, self._kinds)
        elif action == "back":
            with self._lock:
                turn = self._alone.pop(id)
            self._take_back(turn)
        elif (alone := self._alone.get(id)) is not None:
            alone.queued.append(command)
            if action in ("stop", "drop"):
                alone.stopped = True
                self._halt_stopped()
        elif (task := self._tasks.get(id)) is not None:
            if action == "drop":
                task.drop()
            else:
                task.obey(action, command)

    def _start(self, command: dict[str, Any]) -> None:
        try:
            earlier = self._earlier(command.get("warm"))
            self._tasks[command["id"]] = RunTask(self._outbox, self._folder, command, earlier)
        except Exception as error:
            if self._closing.is_set():
                raise
            message = f"This run could not be started ({type(error).__name__}: {error})."
            self._outbox.send(command["id"], "ended", status="failed", message=message, scores={})

    def _earlier(self, warm: dict[str, str] | None) -> WarmStart | None:
        """Return the start of a run: the arrays of a run in this process, or else a stored snapshot."""
        if warm is None:
            return None
        request = RunRequest.from_json(warm["request"]) if "request" in warm else None
        # One that is just taking a step has arrays that are half of the next.
        source = self._tasks.get(warm.get("run", ""))
        if isinstance(source, RunTask):
            return source.run.left()
        return warm_start_from(Path(warm["file"]), request)


def halt(thread: threading.Thread) -> bool:
    """Raise `Halt` in a thread as soon as it executes Python code again, but not while it imports something.

    A module interrupted half-way stays broken for everybody in this process. Returns whether that was done.
    """
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORTING):
            return False
        frame = frame.f_back
    if thread.is_alive() and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Halt))
    return True


def _step_back() -> None:
    """Have the thread that calls this get less of the processor than others, where threads can."""
    with suppress(AttributeError, OSError):
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, 0) + _BELOW_RUNS)


def _unless_halted(what: threading.ExceptHookArgs) -> None:
    if what.exc_type is not Halt:
        threading.__excepthook__(what)


def _warm_up(dataset: str, method: str) -> None:
    """Take the first steps of a run in advance, so that its modules and data are loaded."""
    run = Run(RunRequest(dataset, method), keep=lambda snapshot: None)
    run.advance()
    run.advance()
    if run.status == "failed":
        log.warning("%s", run.message)  # Runs on these data report it again.
    run.stop()


def _load(modules: Sequence[str]) -> Iterator[None]:
    """Load, piece by piece, what runs and jobs need, so that workers forked afterwards have it."""
    registry.specs()
    yield
    for module in modules:
        importlib.import_module(module)
        yield
    # The first call of a compiled loop loads the compiler.
    steps = registry.create("nmf", n_components=1).iterate(np.ones((2, 2), np.float32))
    yield from islice((None for _ in steps), 2)


def main(kinds: JobKinds | None = None, modules: Sequence[str] = ()) -> None:
    """Serve until the server goes away; `kinds` are the jobs that can be done beside runs.

    As a template, load the `modules` that jobs need, fork workers and be one in each of them.
    """
    logging.basicConfig(level=logging.WARNING, format="worker: %(message)s")
    # Whoever waits for a page or a picture comes first, fits have what is left: with thirty visitors there is
    # always another fit. Alone on the machine they are as fast as ever.
    if hasattr(os, "nice"):  # Windows has none.
        os.nice(_COURTESY)
    # Ctrl-C in a terminal reaches every process of the server; the server says when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    forked = sys.argv[1] == AS_TEMPLATE
    folder = become_worker(_load(modules)) if forked else Path(sys.argv[1])
    limit_memory(allowed_bytes())
    # Whatever prints by accident must not mix with the news: standard output becomes standard error.
    outbox = Outbox(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    Worker(folder, sys.stdin, outbox, kinds or {}).serve()


if __name__ == "__main__":
    main()
