"""A process that carries out runs: `python -m experiments.engine.worker FOLDER`.

Commands come as lines of JSON on standard input, news leaves as lines of JSON on standard
output, curves and arrays through a `channel` file. Runs take turns, a few milliseconds each, so
that any number of people share a worker fairly. When standard input closes the server is gone:
the worker removes the folder and ends.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, TextIO

from experiments.engine.continuing import Earlier, earlier_from
from experiments.engine.memory import give_back, settle
from experiments.engine.run import Run
from experiments.engine.task import Outbox, Task
from experiments.requests.request import RunRequest

log = logging.getLogger(__name__)
_ATTEMPTS = 50
_COURTESY = 10
_ENDINGS = 4


class Worker:
    """Takes commands between turns and turns between commands."""

    def __init__(self, folder: Path, commands: TextIO, outbox: Outbox) -> None:
        self._folder, self._outbox = folder, outbox
        self._tasks: dict[str, Task] = {}
        self._clock = 0.0
        self._ended = 0
        self._inbox: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._closing = threading.Event()
        self._listener = threading.Thread(target=self._listen, args=(commands,), daemon=True)
        self._listener.start()

    def serve(self) -> None:
        """Work for ever; the end comes with the end of standard input."""
        try:
            while True:
                self._go_round()
        except OSError:
            if not self._closing.is_set():
                raise
            self._listener.join()  # The folder is being removed under our feet: that is how it ends.

    def _go_round(self) -> None:
        for command in self._pending(self._idle_time()):
            self._obey(command)
        due = [task for task in self._tasks.values() if task.due_in(perf_counter()) == 0]
        if due:
            self._let_one_go(due)
        if self._ended and not self._tasks:
            self._ended = 0
            give_back()
        elif self._ended >= _ENDINGS:
            self._ended = 0
            gc.collect()  # What ended runs hold is large, which Python does not see.

    def _let_one_go(self, due: list[Task]) -> None:
        """Give a turn to whoever has had least of the processor; who was away has no claim on the past."""
        for task in due:
            task.used = max(task.used, self._clock)
        task = min(due, key=lambda task: task.used)
        self._clock = task.used
        begun = perf_counter()
        self._with_care(task, task.take_turn)
        task.used += perf_counter() - begun

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

    def _with_care(self, task: Task, act: Callable[[], None]) -> None:
        """Let a task act; what goes wrong ends this run and leaves the others alone."""
        try:
            act()
        except Exception as error:
            if self._closing.is_set():
                raise
            log.exception("Run %s could not be shown", task.id)
            task.give_up(error)
            self._leave(task)
        else:
            if task.run.status is not None:
                self._leave(task)

    def _leave(self, task: Task) -> None:
        del self._tasks[task.id]
        self._ended += 1

    def _idle_time(self) -> float | None:
        waits = [task.due_in(perf_counter()) for task in self._tasks.values()]
        return min((wait for wait in waits if wait is not None), default=None)

    def _pending(self, patience: float | None) -> Iterator[dict[str, Any]]:
        try:
            yield self._inbox.get(block=patience != 0, timeout=patience or None)
            while True:
                yield self._inbox.get_nowait()
        except Empty:
            return

    def _obey(self, command: dict[str, Any]) -> None:
        action = command["do"]
        if action == "warm":
            _warm_up(command["dataset"], command["method"])
            settle()
        elif action == "start":
            earlier = self._earlier(command.get("warm"))
            self._tasks[command["id"]] = Task(self._outbox, self._folder, command, earlier)
        elif (task := self._tasks.get(command["id"])) is not None:
            self._with_care(task, partial(task.obey, action, command))

    def _earlier(self, warm: dict[str, str] | None) -> Earlier | None:
        """Return what a run goes on from: what is in this process, or else what was kept last."""
        if warm is None:
            return None
        request = RunRequest.from_json(warm["request"]) if "request" in warm else None
        source = self._tasks.get(warm.get("run", ""))
        return earlier_from(Path(warm["file"]), request) if source is None else source.run.left()


def _warm_up(dataset: str, method: str) -> None:
    """Take one step of the first run, while nobody is waiting for it: what it needs is then loaded."""
    run = Run(RunRequest(dataset, method), keep=lambda snapshot: None)
    run.advance()
    run.advance()
    if run.status == "failed":
        log.warning("%s", run.message)  # Whoever runs something on it is told again.
    run.stop()


def main() -> None:
    """Serve until the server goes away."""
    logging.basicConfig(level=logging.WARNING, format="worker: %(message)s")
    # Whoever waits for a page or a picture comes first, fits have what is left: with thirty visitors there is
    # always another fit. Alone on the machine they are as fast as ever.
    if hasattr(os, "nice"):  # Windows has none.
        os.nice(_COURTESY)
    # Ctrl-C in a terminal reaches every process of the server; the server says when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever prints by accident must not mix with the news: standard output becomes standard error.
    outbox = Outbox(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    Worker(Path(sys.argv[1]), sys.stdin, outbox).serve()


if __name__ == "__main__":
    main()
