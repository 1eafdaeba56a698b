"""Conditions that several lessons ask for: what must have happened for a step to be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.teaching.evidence import Evidence

Condition = Callable[[Evidence], bool]


def ran(method: str, name: str, *values: Any) -> Condition:
    """Return whether runs of a method with each of these values of a parameter have come to their end."""
    return lambda evidence: all(evidence.ended(method, **{name: value}) for value in values)


def tried(name: str, *values: Any) -> Condition:
    """Return whether a choice has had each of these values."""
    return lambda evidence: set(values) <= evidence.tried(name)


def switched_off(method: str) -> Condition:
    """Return whether a part of a method is off on Bases."""
    return lambda evidence: bool(evidence.looked_at()[1].get(method))


def hole(method: str, share: float) -> Condition:
    """Return whether parts are off without which more than a share of the sample is missing."""
    return lambda evidence: evidence.missing(method) > share


def both(*methods: str) -> Condition:
    """Return whether each of these methods has been run to its end."""
    return lambda evidence: all(evidence.ended(method) for method in methods)


def raced(method: str, count: int) -> Condition:
    """Return whether as many runs of a method have come to their end since, one beside the other."""
    return lambda evidence: len(evidence.ended(method)) >= count


def swept(seed: int) -> Condition:
    """Return whether a sweep with this seed has been started since and all of it is tried."""
    return lambda evidence: any(
        table.whole and table.sweep.request.seed == seed for table in evidence.tables()
    )


def covered(kind: str, size: int, moved_from: tuple[int, int] | None = None) -> Condition:
    """Return whether a patch of a kind is at least so large, and not where it was."""

    def holds(evidence: Evidence) -> bool:
        _, left, top, amount = evidence.value("place", (0, 0, 0, 0))
        return evidence.value("patch") == kind and amount >= size and (left, top) != moved_from

    return holds


def noisy(amount: int) -> Condition:
    """Return whether there is at least so much noise, in percent."""
    return lambda evidence: evidence.value("noise.place", (0, 0, 0, 0))[3] >= amount
