"""A run on the server's side: its request, progress, owner and snapshots."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from numpy.typing import NDArray

from experiments.engine.array_file import UNREADABLE, arrays_in
from experiments.engine.channel import Reader
from experiments.engine.record import ENDED_WELL
from experiments.requests.request import RunRequest

ENDED = frozenset({"done", "max_iter", "diverged", "stopped", "failed", "interrupted"})
# The owner of a run that nobody may steer.
NOBODY = ""


@dataclass(eq=False)
class Handle:
    """A run and its state as reported by its worker.

    `owner` is the token of the visitor who started it: the id is enough to watch, only the owner may steer;
    without an owner everybody may. `address` is where the owner comes from, empty if that says nothing.
    `warm_from` is the run it goes on from, `note` says if it could not; it is `warm` if its request alone
    does not say where it began.
    While it waits for its turn its status is "waiting" and `before` counts the runs ahead of it.
    While it is prepared `progress` says what is being done, and how many percent of it are.
    It is `held` if it is paused or will be as soon as it has begun.
    `elsewhere` names the server that carries it, if that is another: then it can only be watched here.
    `flags` are sentences about what is odd in its course, such as an objective that rises.
    A fit that follows a hand on the sliders of another run names that as `preview_of`; `turned` counts the
    changes that can be seen.
    """

    id: str
    request: RunRequest
    folder: Path
    shared: bool = False
    owner: str | None = None
    address: str = ""
    warm_from: str | None = None
    warm: bool = False
    status: str = "preparing"
    before: int = 0
    progress: tuple[str, int] | None = None
    message: str = ""
    note: str = ""
    flags: list[str] = field(default_factory=list)
    held: bool = False
    pace: float | None = None
    discriminative: int | None = None
    scores: dict[str, float] = field(default_factory=dict)
    snapshots: list[tuple[int, dict[str, float]]] = field(default_factory=list)
    ending: dict[str, Any] = field(default_factory=dict)
    reader: Reader | None = None
    seen_at: float = field(default_factory=monotonic)
    # Whether nobody has looked at it for a while: others go first.
    unseen: bool = False
    changed: threading.Event = field(default_factory=threading.Event)
    # Set when the keeper has stored the run: only then may the folder be removed.
    persisted: threading.Event = field(default_factory=threading.Event)
    # Whether it is in the store and can be restored from there at any time.
    recallable: bool = False
    # Whether its owner overtook it after a moment: the store keeps no trace of it.
    passing: bool = False
    restarted: bool = False
    preview_of: str | None = None
    turned: int = 0
    elsewhere: str = ""
    # The iteration at which it is to pause.
    until: int | None = None
    _bytes: int | None = None

    @property
    def ended(self) -> bool:
        """Whether no further step will be taken."""
        return self.status in ENDED

    @property
    def phase(self) -> str:
        """One of "running" (or about to), "paused" and "ended"."""
        return "ended" if self.ended else "paused" if self.status == "paused" else "running"

    @property
    def version(self) -> tuple[Any, ...]:
        """A tuple that changes whenever there is anything new to show."""
        rows = self.reader.version if self.reader else (0, 0)
        percent = self.progress[1] if self.progress else 0
        seen = len(self.snapshots), self.before, len(self.flags), self.turned, percent
        return (*rows, self.status, *seen)

    @property
    def seconds(self) -> float:
        """How long its steps have taken so far, also if its worker never told how it ended."""
        if self.reader is None or not len(curve := self.reader.curve()):
            return 0.0
        return float(curve[-1, 1])

    @property
    def bytes(self) -> int:
        """The size of the files of the run, cached once it has ended."""
        if self._bytes is None:
            try:
                size = sum(file.stat().st_size for file in self.folder.iterdir())
            except FileNotFoundError:  # It has not begun, or is being forgotten.
                return 0
            if not self.persisted.is_set():
                return size
            self._bytes = size
        return self._bytes

    def may_steer(self, token: str | None) -> bool:
        """Return whether the holder of this token may pause, step or stop the run."""
        owned = self.owner is None or (token == self.owner and self.owner != NOBODY)
        return owned and not self.elsewhere

    def touch(self) -> None:
        """Note that somebody is watching."""
        self.seen_at = monotonic()

    def snapshot(self, iteration: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of the snapshot at an iteration; a KeyError if there is none."""
        if iteration not in {number for number, _ in self.snapshots}:
            raise KeyError(iteration)
        try:
            return arrays_in(self.folder / f"{iteration}.npz")
        except UNREADABLE:
            raise KeyError(iteration) from None  # The run has been forgotten, or its file is damaged.

    def final_file(self) -> Path:
        """Return the file of the arrays a finished run ended with; a ValueError says why there is none."""
        if self.status not in ENDED_WELL or not self.snapshots:
            raise ValueError(self.message or f"This run is {self.status}: it must come to its end first.")
        return self.folder / f"{self.snapshots[-1][0]}.npz"

    def final(self) -> dict[str, NDArray[Any]]:
        """Return the arrays a finished run ended with; a ValueError says why there are none."""
        self.final_file()
        try:
            return self.snapshot(self.snapshots[-1][0])
        except KeyError:
            raise ValueError("This run is no longer kept. Reload the page to start it again.") from None

    def begin_again(self, folder: Path, why: str) -> None:
        """Note that it restarts in another folder; its old arrays stay visible until there are new ones."""
        self.folder, self.snapshots, self.flags = folder, [], []
        self.status, self.note, self.restarted, self.progress = "preparing", why, True, None

    def hear(self, news: dict[str, Any]) -> None:
        """Update the state from one message of the worker."""
        event = news["event"]
        if self.ended:
            return
        if event == "opened":
            self.reader = Reader(Path(news["path"]))
            self.note, self.discriminative = news["note"] or self.note, news["discriminative"]
            self.warm = news["warm"]
        elif event == "snapshot":
            self.scores = news["scores"]
            self.snapshots.append((news["iteration"], news["scores"]))
        elif event == "scores":
            self.scores = news["scores"]
        elif event == "turned":
            self.turned, self.flags = news["turn"], [news["problem"]] if news["problem"] else []
        elif event == "progress":
            self.progress = news["what"], news["percent"]
        elif event == "flag":
            self.flags.append(news["words"])
        elif event == "ended":
            # The status is set last: once the run counts as ended, everything else is in place.
            self.ending, self.message, self.scores = news, news["message"], news["scores"]
            self.status = news["status"]
        else:
            self.status, self.held = event, event == "paused"
        self.changed.set()
