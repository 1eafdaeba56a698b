"""Values of parameters that are seeds, shapes or numbers: what is refused, in a sentence with its name."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import Any

import numpy as np


def check_seed(name: str, value: Any) -> None:
    """Raise a ValueError if a value is no seed."""
    from sklearn.utils import check_random_state  # takes long to load, and menus do without it

    try:
        check_random_state(value)
    except ValueError:
        raise ValueError(
            f"{name}={value!r} is no seed: give None, a whole number from 0 to 4294967295, "
            "or a numpy RandomState."
        ) from None


def check_shape(name: str, value: Any) -> None:
    """Raise a ValueError if a value is no shape."""
    sizes = value if isinstance(value, (tuple, list)) else ()
    whole = [isinstance(size, (int, np.integer)) and not isinstance(size, bool) for size in sizes]
    if not sizes or not all(whole) or min(sizes) < 1:
        raise ValueError(f"{name}={value!r} is no shape: give whole numbers of at least 1, such as (64, 64).")


def check_number(name: str, value: Any, least: float | None, *, whole: bool) -> None:
    """Raise a ValueError if a value is no number, not `whole`, or less than the `least`."""
    kind = "a whole number" if whole else "a number"
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not isfinite(value) or (whole and float(value) % 1 != 0):
        raise ValueError(f"{name}={value!r} is not {kind}.")
    if least is not None and value < least:
        raise ValueError(f"{name}={value!r} is too small: it must be {kind} of at least {least:g}.")
