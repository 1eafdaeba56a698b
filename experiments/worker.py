"""A process that carries out runs: `python -m experiments.worker FOLDER`.

Commands come as lines of JSON on standard input, news leaves as lines of JSON on standard
output, curves and arrays through a `channel` file. Runs take turns, a few milliseconds each, so
that any number of people share a worker fairly. When standard input closes the server is gone:
the worker removes the folder and ends.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, TextIO

import numpy as np

from experiments.channel import Writer
from experiments.continuing import Earlier, earlier_from
from experiments.record import Snapshot, numbered, versions
from experiments.request import RunRequest
from experiments.run import Run
from methods import Step

log = logging.getLogger(__name__)
_TURN = 0.015
# Pictures change about ten times a second; some methods work to derive what is shown.
_SHOW_EVERY = 0.06
_VISIBLE = ("components", "embedding", "mean", "view_weights", "view_errors")
# Short arrays of which every entry has a curve of its own.
_TRACKED = ("view_weights", "view_errors")
_UNKNOWN_LENGTH = 10_000
_LONGEST_CURVE = 200_000
_ATTEMPTS = 50


class Task:
    """One run in this worker, and what its watchers asked for."""

    def __init__(
        self, outbox: Outbox, folder: Path, command: dict[str, Any], earlier: Earlier | None = None
    ) -> None:
        self.id: str = command["id"]
        self.run = Run(RunRequest.from_json(command["request"]), keep=self._keep, earlier=earlier)
        self.pace: float | None = command.get("pace")
        self.paused: bool = command.get("paused", False)
        self.wanted_steps = 1 if self.paused else 0
        self.until: int | None = None
        # Processor time had so far; who has had least comes next.
        self.used = 0.0
        self._flagged = False
        self._outbox, self._folder = outbox, folder / self.id
        self._folder.mkdir()
        self._writer: Writer | None = None
        self._shown_at = 0.0
        self._opened_at = 0.0
        self._next_at = 0.0

    def due_in(self, now: float) -> float | None:
        """Return the seconds until the next step may be taken, None if it waits for a command."""
        if self.paused and not self.wanted_steps:
            return None
        return max(0.0, self._next_at - now)

    def take_turn(self) -> None:
        """Take steps for a few milliseconds."""
        begun = now = perf_counter()
        while self.run.status is None and now - begun < _TURN and self.due_in(now) == 0:
            if self.run.advance():
                self._publish_row()
                self._flag()
            now = perf_counter()
            self._schedule(now)
        if self.run.status is not None or self.paused or now - self._shown_at > _SHOW_EVERY:
            self._show(now)
        if self.run.status is not None:
            self._outbox.send(self.id, "ended", **self._ending())

    def obey(self, action: str, command: dict[str, Any]) -> None:
        """Carry out a watcher's command and say what has become of it."""
        if action == "pause":
            # The first frame is owed to the watcher even if nothing has been shown yet.
            self.paused, self.wanted_steps = True, 0 if self._writer else 1
            self.until = None
        elif action == "resume":
            self.paused, self.wanted_steps, self.until = False, 0, None
        elif action == "step":
            self.paused, self.wanted_steps = True, self.wanted_steps + command.get("steps", 1)
        elif action == "until":
            self.until = command["iteration"]
            self.paused, self.wanted_steps = self._reached(), 0
        elif action == "pace":
            self.pace, self._next_at = command["pace"], 0.0
        elif action == "stop":
            self.run.stop()
        if self.run.status is not None:
            self._show(perf_counter())
            self._outbox.send(self.id, "ended", **self._ending())
        else:
            if self.paused:
                self._show(perf_counter())  # No turn may come for long: what is seen must be up to date.
            self._outbox.send(self.id, "paused" if self.paused else "running")

    def give_up(self, error: Exception) -> None:
        """Say that the run could not be shown, whatever state it is in."""
        message = f"The run could not be shown ({type(error).__name__}: {error})."
        self._outbox.send(self.id, "ended", status="failed", message=message, scores={})

    def _schedule(self, now: float) -> None:
        if self.wanted_steps:
            self.wanted_steps -= 1
            if not self.wanted_steps:
                self._show(now)
                self._outbox.send(self.id, "paused")
        elif self._reached() and self.run.status is None:
            self.paused, self.until = True, None
            self._show(now)
            self._outbox.send(self.id, "paused")
        elif self.pace:
            self._next_at = max(now, self._next_at + 1 / self.pace)

    def _reached(self) -> bool:
        at = -1 if self.run.step is None else self.run.step.iteration
        return self.until is not None and at >= self.until

    def _publish_row(self) -> None:
        step = self.run.step
        assert step is not None
        if self._writer is None:
            limit = min(getattr(self.run.prepared.estimator, "max_iter", _UNKNOWN_LENGTH), _LONGEST_CURVE)
            path = self._folder / "live"
            self._writer = Writer(path, list(step.terms), limit + 1, _visible(step), list(_tracked(step)))
            self._writer.show(step.iteration, _visible(step))
            self._opened_at = perf_counter()
            self._outbox.send(
                self.id, "opened", path=str(path), note=self.run.note, discriminative=self._discriminative()
            )
            self._outbox.send(self.id, "paused" if self.paused else "running")
        self._writer.add(step.objective, self.run.seconds[-1], {**step.terms, **_tracked(step)})

    def _discriminative(self) -> int | None:
        number: int | None = getattr(self.run.estimator, "n_discriminative_", None)
        return number

    def _show(self, now: float) -> None:
        if self._writer is not None and self.run.step is not None:
            self._writer.show(self.run.step.iteration, _visible(self.run.step))
            self._shown_at = now

    def _flag(self) -> None:
        """Say once, when it happens, that the objective has risen."""
        if self.run.rises and not self._flagged:
            self._flagged = True
            self._outbox.send(self.id, "flag", words=f"The objective rose at iteration {self.run.rises[0]}.")

    def _keep(self, snapshot: Snapshot) -> None:
        arrays: dict[str, Any] = dict(snapshot.arrays)
        np.savez(self._folder / f"{snapshot.iteration}.npz", **arrays)
        self._outbox.send(self.id, "snapshot", iteration=snapshot.iteration, scores=dict(snapshot.scores))

    def _ending(self) -> dict[str, Any]:
        elapsed = perf_counter() - self._opened_at if self._writer else 0.0
        record = self.run.record()
        return {
            "status": record.status,
            "message": record.message,
            "iterations": record.iterations,
            "seconds": float(record.seconds[-1]) if record.seconds.size else 0.0,
            "elapsed": elapsed,
            "scores": dict(record.scores),
            "discriminative": self._discriminative(),
            "flags": list(self.run.rises),
            "versions": versions(),
        }


class Outbox:
    """News for the server, a line each."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def send(self, run: str, event: str, **news: Any) -> None:
        """Write one line at once; if nobody listens any more, the end of standard input follows."""
        with suppress(BrokenPipeError):
            self._stream.write(json.dumps({"run": run, "event": event, **news}) + "\n")
            self._stream.flush()


class Worker:
    """Takes commands between turns and turns between commands."""

    def __init__(self, folder: Path, commands: TextIO, outbox: Outbox) -> None:
        self._folder, self._outbox = folder, outbox
        self._tasks: dict[str, Task] = {}
        self._clock = 0.0
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
            del self._tasks[task.id]
        else:
            if task.run.status is not None:
                del self._tasks[task.id]

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
        if source is None or source.run.step is None:
            return earlier_from(Path(warm["file"]), request)
        # A copy, for the other run may go on.
        return Earlier(source.run.step.copy(), request)


def _visible(step: Step) -> dict[str, Any]:
    """Return the arrays that pictures are made from; the others stay in the worker."""
    return numbered({name: step.state[name] for name in _VISIBLE if name in step.state})


def _tracked(step: Step) -> dict[str, float]:
    """Return the numbers that are followed from iteration to iteration beside the objective."""
    return numbered({name: list(step.state[name]) for name in _TRACKED if name in step.state})


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
    # Ctrl-C in a terminal reaches every process of the server; the server says when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever prints by accident must not mix with the news: standard output becomes standard error.
    outbox = Outbox(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    Worker(Path(sys.argv[1]), sys.stdin, outbox).serve()


if __name__ == "__main__":
    main()
