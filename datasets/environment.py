"""Whole numbers from environment variables: read, and refused, in one way."""

from __future__ import annotations

import os
from collections.abc import Mapping


def whole_number(name: str, default: int, environment: Mapping[str, str] = os.environ) -> int:
    """Return the number that a variable holds, at least 1; the default where it is unset or empty.

    >>> whole_number("PARTWISE_STORE_MB", 2000, {"PARTWISE_STORE_MB": "500"})
    500
    >>> whole_number("PARTWISE_STORE_MB", 2000, {"PARTWISE_STORE_MB": "much"})
    Traceback (most recent call last):
    ValueError: PARTWISE_STORE_MB must be a whole number of at least 1, not 'much'.
    """
    text = environment.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {text!r}.")
    return int(text)
