"""Giving memory back to the machine when there is nothing to do."""

from __future__ import annotations

import ctypes
import gc
import importlib
from contextlib import suppress


def limit_memory(most: int) -> None:
    """Have this process refused what goes beyond so many bytes, before the system ends it for that."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limits.
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def freeze_gc() -> None:
    """Have what is loaded by now looked at no more: a collection then takes a moment."""
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Free what only circles of references hold, and hand free pages back to the system.

    An estimator, its generator and its solver know each other: without a collection they stay.
    The C library keeps freed pages for later unless it is told otherwise; only glibc can be told.
    """
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
