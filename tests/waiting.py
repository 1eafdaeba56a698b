"""How tests wait for what happens elsewhere: as long as it takes, within reason.

A machine that is busy with something else, or stands still for half a minute, is slow and not wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep

from experiments.engine.handle import Handle

PATIENCE = 120.0


def until(
    holds: Callable[[], object], complaint: str = "it never came about", *, pause: float = 0.01
) -> None:
    """Return as soon as something holds; fail with the complaint if it never does.

    The longer it has waited the less often it looks, for to look takes time from what is waited for.

    In a browser the page itself must be asked: what Playwright only hears of (`page.url`) stays as it was.
    """
    begun = monotonic()
    while not holds():
        waited = monotonic() - begun
        assert waited < PATIENCE, complaint
        sleep(max(pause, min(waited / 10, 0.1)))


def ended(*handles: Handle) -> Handle:
    """Look at runs until all have come to their end, and return the last: what nobody looks at is stopped."""

    def over() -> bool:
        for handle in handles:
            handle.touch()
        return all(handle.ended for handle in handles)

    until(over, "the run does not end")
    return handles[-1]
