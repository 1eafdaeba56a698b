"""How the inner loops are compiled: without the interpreter's lock, kept on disk, sums in any order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

# Sums may be reordered, so that they run in parallel lanes; NaN and infinity keep their meaning.
_FAST = {"reassoc", "contract", "nsz"}


def compiled(function: F) -> F:
    """Compile on first call and keep the result beside the source, or in memory if that is read-only."""
    options: dict[str, Any] = {"nogil": True, "fastmath": _FAST, "error_model": "numpy"}
    if function.__name__.startswith("_"):
        # A piece of the others: its loops are only fast where the compiler sees whose memory they run over.
        return cast(F, numba.njit(inline="always", **options)(function))
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    except RuntimeError:
        return cast(F, numba.njit(**options)(function))
