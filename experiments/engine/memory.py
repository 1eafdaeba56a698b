"""How much memory a process may have, where its threads take it from, and giving it back."""

from __future__ import annotations

import ctypes
import gc
import importlib
from contextlib import suppress

# What `mallopt` calls M_ARENA_MAX.
_MOST_HEAPS = -8


def limit_memory(most: int) -> None:
    """Limit the memory of this process to so many bytes, so that it gets a MemoryError and is not killed."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limits.
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def freeze_gc() -> None:
    """Exempt the objects loaded so far from garbage collection, which makes collections quick."""
    gc.collect()
    gc.freeze()


def share_heaps() -> None:
    """Let all threads started from now on take memory from two heaps, of which only glibc has more.

    With one for each thread, what one has freed is of no use to the others: pages are asked of the system and
    handed back all the time, for which the whole process waits.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_MOST_HEAPS, 2)


def give_back() -> None:
    """Free what only circles of references hold, and hand free pages back to the system.

    An estimator, its generator and its solver know each other: without a collection they stay.
    The C library holds freed pages for later unless `malloc_trim` is called, which only glibc has.
    """
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
