"""One run in a worker: takes turns, publishes its arrays, carries out commands."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from experiments.engine.array_file import write_arrays
from experiments.engine.channel import Writer
from experiments.engine.record import Snapshot, numbered
from experiments.engine.run import Run
from experiments.engine.turns import WATCHED
from experiments.engine.warm_start import WarmStart
from experiments.requests.request import RunRequest
from methods import Step
from methods.progress import listening

_TURN = 0.015
# Pictures change about ten times a second; some methods work to derive what is shown.
_SHOW_EVERY = 0.06
# How often a long preparation says how far it has come.
_REPORT_EVERY = 0.25
_VISIBLE = ("components", "embedding", "mean", "view_weights", "view_errors")
# Short arrays of which every entry has a curve of its own.
_TRACKED = ("view_weights", "view_errors")
_UNKNOWN_LENGTH = 10_000
_LONGEST_CURVE = 200_000


class RunTask:
    """One run in this worker, and the state that commands set."""

    def __init__(
        self, outbox: Outbox, folder: Path, command: dict[str, Any], earlier: WarmStart | None = None
    ) -> None:
        self.id: str = command["id"]
        self.owner: str = command.get("owner") or self.id
        self.priority, self.slow, self.stopping = WATCHED, False, False
        self.unseen: bool = command.get("unseen", False)
        self.run = Run(RunRequest.from_json(command["request"]), keep=self._store_snapshot, earlier=earlier)
        self.pace: float | None = command.get("pace")
        self.paused: bool = command.get("paused", False)
        self.requested_steps = 1 if self.paused else 0
        self.until: int | None = None
        self._flagged = False
        self._dropped = False
        self._unsent_snapshots: list[dict[str, Any]] = []
        self._outbox, self._folder = outbox, folder / command.get("folder", self.id)
        self._folder.mkdir()
        self._live = self._folder / "live"
        self._writer: Writer | None = None
        self._displayed_at = 0.0
        self._opened_at = self._reported_at = 0.0
        self._next_at = 0.0

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to do."""
        return self.run.status is not None or self._dropped

    @property
    def awaited(self) -> bool:
        """Whether there is nothing to see of it yet."""
        return self._displayed_at == 0.0 and not self.stopping

    def drop(self) -> None:
        """End without a message: another worker carries this run out."""
        self._dropped = True

    def due_in(self, now: float) -> float | None:
        """Return the seconds until the next step may be taken, None if it waits for a command."""
        if self.stopping:
            return 0.0
        if self.paused and not self.requested_steps:
            return None
        return max(0.0, self._next_at - now)

    def take_turn(self) -> None:
        """Take steps for a few milliseconds, or end where it is."""
        if self.stopping:
            self.run.stop()
        begun = now = perf_counter()
        with listening(self._report):
            while self.run.status is None and now - begun < _TURN and self.due_in(now) == 0:
                if self.run.advance():
                    self._publish_row()
                    self._flag()
                now = perf_counter()
                self._schedule(now)
        if self.run.status is not None or self.paused or now - self._displayed_at > _SHOW_EVERY:
            self._show(now)
        if self.run.status is not None:
            self._send_ending()

    def obey(self, action: str, command: dict[str, Any]) -> None:
        """Carry out a command and send the new status; a stop only with the next turn.

        Ending a run takes as long as scoring it, and in its place another one may be awaited.
        """
        if action == "stop":
            self.stopping = True
        if action in ("seen", "unseen"):
            self.unseen = action == "unseen"
            return
        if self.stopping:
            return
        if action == "pause":
            # Without arrays to show yet, one step is taken first.
            self.paused, self.requested_steps = True, 0 if self._writer else 1
            self.until = None
        elif action == "resume":
            self.paused, self.requested_steps, self.until = False, 0, None
        elif action == "step":
            self.paused, self.requested_steps = True, self.requested_steps + command.get("steps", 1)
        elif action == "until":
            self.until = command["iteration"]
            self.paused, self.requested_steps = self._reached(), 0
        elif action == "pace":
            self.pace, self._next_at = command["pace"], 0.0
        if self.paused:
            self._show(perf_counter())  # The next turn may be far off: publish the latest arrays.
        self._outbox.send(self.id, "paused" if self.paused else "running")

    def _report(self, what: str, share: float) -> None:
        """Send how far the preparation of the run has come."""
        if self._writer is None and perf_counter() - self._reported_at > _REPORT_EVERY:
            self._reported_at = perf_counter()
            self._outbox.send(self.id, "progress", what=what, percent=int(100 * share))

    def give_up(self, error: Exception) -> None:
        """End with the status "failed", whatever state the run is in."""
        self._dropped = True
        message = f"The run could not be shown ({type(error).__name__}: {error})."
        self._outbox.send(self.id, "ended", status="failed", message=message, scores={})

    def _schedule(self, now: float) -> None:
        if self.requested_steps:
            self.requested_steps -= 1
            if not self.requested_steps:
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
        first = self._writer is None
        if self._writer is None:
            rows = self._longest() + 1
            self._writer = Writer(self._live, list(step.terms), rows, visible(step), list(_tracked(step)))
            self._writer.show(self._iteration(step), visible(step))
            self._opened_at = perf_counter()
        self._writer.add(step.objective, self._seconds(), {**step.terms, **_tracked(step)})
        if first:  # Whoever hears that it is paused finds the row at which it is.
            self._outbox.send(
                self.id, "opened", path=str(self._live), note=self.run.note, warm=self.run.warm,
                discriminative=self._discriminative(),
            )  # fmt: skip
            self._outbox.send(self.id, "paused" if self.paused else "running")
        self._send_snapshots()

    def _longest(self) -> int:
        """Return the most iterations that the curve may have."""
        return min(getattr(self.run.prepared.estimator, "max_iter", _UNKNOWN_LENGTH), _LONGEST_CURVE)

    def _seconds(self) -> float:
        """Return the seconds that the steps so far have taken."""
        return self.run.seconds[-1]

    def _iteration(self, step: Step) -> int:
        """Return the row of the curve that a step is at."""
        return step.iteration

    def _discriminative(self) -> int | None:
        number: int | None = getattr(self.run.estimator, "n_discriminative_", None)
        return number

    def _show(self, now: float) -> None:
        if self._writer is not None and self.run.step is not None:
            self._writer.show(self._iteration(self.run.step), visible(self.run.step))
            self._displayed_at = now

    def _flag(self) -> None:
        """Send a flag the first time the objective rises."""
        if self.run.rises and not self._flagged:
            self._flagged = True
            self._outbox.send(self.id, "flag", words=f"The objective rose at iteration {self.run.rises[0]}.")

    def _store_snapshot(self, snapshot: Snapshot) -> None:
        try:
            write_arrays(self._folder / f"{snapshot.iteration}.npz", snapshot.arrays)
        except FileNotFoundError:
            # The server has ended and another worker has removed the folder.
            return
        self._unsent_snapshots.append({"iteration": snapshot.iteration, "scores": dict(snapshot.scores)})

    def _send_snapshots(self) -> None:
        """Send a message for each stored snapshot, once the curve reaches that far."""
        while self._unsent_snapshots:
            self._outbox.send(self.id, "snapshot", **self._unsent_snapshots.pop(0))

    def _send_ending(self) -> None:
        self._send_snapshots()
        self._outbox.send(self.id, "ended", **self._ending())

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
            "versions": dict(record.versions),
            "reading": dict(record.reading),
            "files": record.files,
        }


class Outbox:
    """Messages to the server, one line of JSON each."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, run: str, event: str, **news: Any) -> None:
        """Write one line at once; a broken pipe is ignored, for the end of standard input follows."""
        with suppress(BrokenPipeError), self._lock:
            self._stream.write(json.dumps({"run": run, "event": event, **news}) + "\n")
            self._stream.flush()


def visible(step: Step) -> dict[str, Any]:
    """Return the arrays that are drawn; the others stay in the worker."""
    return numbered({name: step.state[name] for name in _VISIBLE if name in step.state})


def _tracked(step: Step) -> dict[str, float]:
    """Return the numbers recorded at each iteration beside the objective."""
    return numbered({name: list(step.state[name]) for name in _TRACKED if name in step.state})
