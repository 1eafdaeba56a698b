"""A run walked through in a terminal: progress on one line, Ctrl-C at any time."""

from __future__ import annotations

import math
import signal
import sys
import threading
from collections.abc import Callable
from time import monotonic
from types import FrameType

from experiments.engine.run import Run
from methods.progress import listening

_PROGRESS_EVERY = 0.1


def walk(run: Run, *, quiet: bool = False) -> Run:
    """Take the run to its end, or until Ctrl-C is pressed; a second Ctrl-C does not wait for the step.

    While data and graphs are prepared there is nothing to show yet: Ctrl-C is a KeyboardInterrupt at once.
    """
    stop_requested = False

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal stop_requested
        stop_requested = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    more = _first_step(run, quiet)
    before = signal.signal(signal.SIGINT, on_interrupt)
    show = _progress(run, quiet)
    try:
        while more and not stop_requested:
            show()
            more = run.advance()
        run.stop()
    finally:
        signal.signal(signal.SIGINT, before)
        show(last=True)
    return run


def _first_step(run: Run, quiet: bool) -> bool:
    """Prepare the run and take its first step in a thread: an interrupt need not await its library calls."""
    more = False
    show = _line(quiet)

    def advance() -> None:
        nonlocal more
        with listening(lambda what, share: show(f"preparing: {what}, {share:.0%}")):
            more = run.advance()

    thread = threading.Thread(target=advance, daemon=True, name="prepare")
    thread.start()
    thread.join()
    return more


def _progress(run: Run, quiet: bool) -> Callable[..., None]:
    """Return a function that shows where a run is, and with `last` nothing any more."""
    line = _line(quiet)

    def show(last: bool = False) -> None:
        if last:
            line("")
        elif run.step is not None:
            line(f"iteration {run.step.iteration}   objective {run.step.objective:.6g}")

    return show


def _line(quiet: bool) -> Callable[[str], None]:
    """Return a function that writes over the line of a terminal, now and then; no words clear it at once."""
    if quiet or not sys.stderr.isatty():
        return lambda words: None
    printed_at = -math.inf

    def show(words: str) -> None:
        nonlocal printed_at
        if not words or monotonic() - printed_at > _PROGRESS_EVERY:
            printed_at = monotonic()
            print(f"\r\033[K{words}", end="", file=sys.stderr, flush=True)

    return show
