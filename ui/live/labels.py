"""The words on the buttons of a run, and which takes over the keyboard from one its click disables."""

from __future__ import annotations

RUN, PAUSE, STEP, STOP, RESET = "Run", "Pause", "Step", "Stop", "Reset"
TAKES_OVER = {
    RUN: [RUN, PAUSE],
    PAUSE: [PAUSE, RUN],
    STEP: [STEP, RUN],
    STOP: [STOP, RUN],
    RESET: [RESET, RUN],
}
