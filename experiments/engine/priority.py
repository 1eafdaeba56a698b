"""How far workers step back for whatever else is busy on the machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import sleep

from datasets.environment import whole_number

COURTESY = "PARTWISE_COURTESY"
_COURTESY, _MOST_COURTESY = 10, 19
# There where Linux shares the processor out among sessions first and among their processes afterwards.
_SESSION_PRIORITY = Path("/proc/self/autogroup")
_TRIES, _UNTIL_NEXT = 10, 0.1


def lower_priority() -> None:
    """Give way to others, as far as the environment says.

    Whoever waits for a page or a picture comes first, fits have what is left: with thirty visitors there is
    always another fit. Alone on the machine they are as fast as ever.
    """
    if hasattr(os, "nice"):  # Windows has none.
        os.nice(_courtesy())


def leave_session() -> None:
    """Become a session of its own, which gives way to others as far as its processes do.

    Linux 6.18 was seen to give both processors for up to 25 seconds to the session of a server whose workers
    were busy, and nothing to any other session: browsers, a database, a shell on the same machine. With the
    workers in sessions of their own it does not. There priority counts within the session alone, so that the
    session needs one as well.
    """
    if not hasattr(os, "setsid"):
        return
    with suppress(OSError):  # It is one already, or the system shares by process.
        os.setsid()
        _set_session_priority()


def _set_session_priority() -> None:
    for _ in range(_TRIES):
        try:
            _SESSION_PRIORITY.write_text(str(_courtesy()))
            return
        except BlockingIOError:  # It can be set for one session at a time.
            sleep(_UNTIL_NEXT)


def _courtesy() -> int:
    return min(_MOST_COURTESY, whole_number(COURTESY, _COURTESY))
