"""How far a long preparation has come, for whoever wants to know.

What works for long before its first step reports its share; who started it listens, in the same thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, float], None]
_listener: ContextVar[Listener | None] = ContextVar("progress_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have `listener` called with what is being prepared and the share of it that is done.

    >>> with listening(lambda what, share: print(f"{what}: {share:.0%}")):
    ...     report("neighbours", 0.25)
    neighbours: 25%
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(what: str, share: float) -> None:
    """Tell the listener, if there is one, which share of `what` is done, from 0 to 1."""
    listener = _listener.get()
    if listener is not None:
        listener(what, share)
