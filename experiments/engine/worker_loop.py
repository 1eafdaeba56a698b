"""The threads of a worker: who takes the next turn, and what becomes of turns that take too long.

Runs take turns of a few milliseconds. Jobs (see `job_task`) have their turns in a thread of their own, when
no run is due: a run that becomes due meanwhile does not wait for it, and gets more of the processor.
A turn that takes longer than a slice (a preparation, steps of a large problem) is left to its thread, and
another one goes on with the others; work whose last turn was slow gets a thread at once. Heartbeats tell
the server whose turn it is; a stop interrupts such a thread, and if that has no effect the server ends
the process.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import shutil
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import Any, TextIO

from experiments.engine.job_task import JobKinds, JobTask
from experiments.engine.memory import freeze_gc, give_back
from experiments.engine.preloading import warm_up
from experiments.engine.preview_task import PreviewTask
from experiments.engine.task import Outbox, RunTask
from experiments.engine.turns import WATCHED, Turns
from experiments.engine.warm_start import WarmStart, warm_start_from
from experiments.engine.worker_threads import (
    Halt,
    TaskTurn,
    halt,
    ignore_halt,
    ignore_lost_halt,
    step_back,
)
from experiments.requests.request import RunRequest

log = logging.getLogger(__name__)
_ATTEMPTS = 50
_ENDINGS = 4
_BEAT_EVERY = 0.2
# A turn that takes longer than this no longer holds up the others.
_SLICE = 0.5
# At most so many slow tasks have threads of their own; further ones wait.
_MOST_ALONE = 3
# So many jobs may end before their memory is collected.
_JOBS_A_COLLECTION = 16
# Longer than a task that has been interrupted takes to leave what it has in order.
_HALT_AGAIN = 2.0
# Giving memory back takes a moment, in which a run that comes at once would wait.
_TIDY_AFTER = 0.5
# Threads that compute give way to each other more often than Python's 5 ms, or quick runs wait for slow ones.
_SWITCH_EVERY = 0.001


class Worker:
    """Takes commands between turns and turns between commands."""

    def __init__(self, folder: Path, commands: TextIO, outbox: Outbox, kinds: JobKinds) -> None:
        self._folder, self._outbox, self._kinds = folder, outbox, kinds
        self._tasks: dict[str, RunTask | JobTask] = {}
        self._turns = Turns()
        self._turn: TaskTurn | None = None
        self._alone: list[TaskTurn] = []
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
        threading.excepthook, sys.unraisablehook = ignore_halt, ignore_lost_halt
        self._new_carrier()
        while True:
            sleep(_BEAT_EVERY)
            self._free_the_others()
            self._halt_stopped()
            self._miss_no_turn()
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
        quiet = True
        for command in self._pending(self._idle_time()):
            quiet = False
            self._watched(command.get("id"), partial(self._obey, command))
            if self._carrier is not threading.current_thread():
                return
        if due := [task for task in self._ready() if task.due_in(perf_counter()) == 0]:
            self._let_one_go(due)
        if quiet and not due and self._ended and self._has_nothing_to_do:
            self._ended = 0
            give_back()
        elif self._ended >= _ENDINGS:
            self._ended = 0
            gc.collect()  # What ended runs hold is large, which Python does not see.

    @property
    def _has_nothing_to_do(self) -> bool:
        return not self._tasks and not self._alone

    def _ready(self) -> list[RunTask | JobTask]:
        """Return the tasks that may take a turn now.

        For others one that is alone has to come back first. A run waits while a hand holds its parameters,
        unless it is to end.
        """
        with self._lock:
            alone = [turn.task for turn in self._alone]
        runs_alone = sum(task.priority == WATCHED for task in alone)
        jobs_alone = Counter(task.owner for task in alone if isinstance(task, JobTask))
        previews = (task for task in (*self._tasks.values(), *alone) if isinstance(task, PreviewTask))
        held = {preview.instead_of for preview in previews}
        return [
            task
            for task in self._tasks.values()
            if task.stopping
            or (
                task.id not in held
                and (not alone if task.priority > WATCHED else runs_alone < _MOST_ALONE or not task.slow)
                # Whose jobs take minutes leaves a thread to somebody else's.
                and (jobs_alone[task.owner] < _MOST_ALONE - 1 or not isinstance(task, JobTask))
            )
        ]

    def _let_one_go(self, due: list[RunTask | JobTask]) -> None:
        """Give a turn to one of the due tasks; a job or a slow run takes it in a thread of its own."""
        task = self._turns.choose(due)
        if not task.slow and task.priority == WATCHED:
            self._watched(task.id, task.take_turn)
            return
        turn = TaskTurn(task, alone=True)
        with self._lock:
            del self._tasks[task.id]
            self._alone.append(turn)
        turn.thread = threading.Thread(target=self._take_alone, args=(turn,), daemon=True)
        turn.thread.start()

    def _watched(self, id: str | None, act: Callable[[], None]) -> None:
        """Run `act` for a task; if that takes too long, another thread becomes the carrier."""
        task = self._tasks.get(id or "")
        if task is None:
            act()
            return
        turn = TaskTurn(task)
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

    def _take_alone(self, turn: TaskTurn) -> None:
        try:
            if isinstance(turn.task, JobTask):
                step_back()
            self._with_care(turn.task, turn.task.take_turn)
        except Halt:
            give_back()
        finally:
            self._hand_back(turn)

    def _hand_back(self, turn: TaskTurn) -> None:
        self._inbox.put({"do": "back", "turn": turn})

    def _take_back(self, turn: TaskTurn) -> None:
        """Let a task that was alone take turns again, and pass on the commands queued meanwhile."""
        with self._lock:
            if turn not in self._alone:
                return
            self._alone.remove(turn)
        if turn.dropped:
            turn.task.drop()
        self._account(turn)
        if turn.task.ended:
            return
        self._tasks[turn.task.id] = turn.task
        for command in turn.queued:
            self._inbox.put(command)

    def _account(self, turn: TaskTurn) -> None:
        spent = perf_counter() - turn.begun
        self._turns.charge(turn.task, spent)
        turn.task.slow = spent > _SLICE
        if turn.task.ended:
            if self._tasks.get(turn.task.id) is turn.task:
                del self._tasks[turn.task.id]
            others = [*self._tasks.values(), *(other.task for other in self._alone)]
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
            self._alone.append(turn)
            self._new_carrier()

    def _halt_stopped(self) -> None:
        """Interrupt the threads of tasks that are to be stopped, those that import something afterwards.

        Python loses the interruption if it happens to carry out what goes with an object that dies: so it is
        repeated.
        """
        with self._lock:
            now = perf_counter()
            for turn in self._alone:
                if turn.stopped and now - turn.halted > _HALT_AGAIN and halt(turn.thread):
                    turn.halted = now

    def _miss_no_turn(self) -> None:
        """Take back what a thread did not hand back itself because it was halted while it did."""
        with self._lock:
            over = [turn for turn in self._alone if turn.over]
        for turn in over:
            self._hand_back(turn)

    def _beat(self) -> None:
        """Tell the server that this process lives, whose turns it is, and what owners have used."""
        with self._lock:
            turns = [*self._alone, *([self._turn] if self._turn else [])]
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
        usual = _TIDY_AFTER if self._ended and self._has_nothing_to_do else None
        return min((wait for wait in waits if wait is not None), default=usual)

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
            warm_up(command["dataset"], command["method"])
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
            self._take_back(command["turn"])
        elif (alone := self._alone_of(id)) is not None:
            alone.queued.append(command)
            alone.dropped = action == "drop"
            if action in ("stop", "drop"):
                alone.stopped = True
                self._halt_stopped()
        elif (task := self._tasks.get(id)) is not None:
            if action == "drop":
                task.drop()
            else:
                task.obey(action, command)

    def _alone_of(self, id: str) -> TaskTurn | None:
        with self._lock:
            return next((turn for turn in self._alone if turn.task.id == id and not turn.dropped), None)

    def _start(self, command: dict[str, Any]) -> None:
        try:
            earlier = self._earlier(command.get("warm"))
            kind = PreviewTask if command.get("preview") else RunTask
            self._tasks[command["id"]] = kind(self._outbox, self._folder, command, earlier)
        except Exception as error:
            if self._closing.is_set():
                raise
            message = f"This run could not be started ({type(error).__name__}: {error})."
            self._outbox.send(command["id"], "ended", status="failed", message=message, scores={})

    def _earlier(self, warm: dict[str, Any] | None) -> WarmStart | None:
        """Return the start of a run: the arrays of a run in this process, or else a stored snapshot."""
        if warm is None:
            return None
        request = RunRequest.from_json(warm["request"]) if "request" in warm else None
        # One that is just taking a step has arrays that are half of the next.
        source = self._tasks.get(warm.get("run", ""))
        if isinstance(source, RunTask):
            return source.run.left()
        return warm_start_from(Path(warm["file"]), request, reproducible=warm.get("told", False))
