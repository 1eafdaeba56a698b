"""Whether a run fits into the memory that it may have, checked before it allocates any."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from datasets.environment import whole_number
from methods import Facts, Spec
from methods import spec as method_spec

LIMIT = "PARTWISE_WORKER_MB"
_MB, _GB = 1_000_000, 1_000_000_000
# The rest is for the server, the other workers and whatever else the machine does.
_SHARE = 0.6
# Other choices that take less, in words; of several that fit the first is named.
_LIGHTER = (
    ({"graph": "knn"}, "a graph of neighbours alone"),
    ({"solver": "iterative"}, "the iterative solver"),
    ({"graph": "knn", "solver": "iterative"}, "a graph of neighbours alone with the iterative solver"),
)
_CGROUP = Path("/sys/fs/cgroup/memory.max")
# A run that needs less than this is nothing to speak of.
_WORTH_SAYING = 500 * _MB


def allowed_bytes() -> int:
    """Return how much memory a worker may take: `PARTWISE_WORKER_MB`, or a share of what the machine has."""
    return whole_number(LIMIT, 0) * _MB or int(_SHARE * _machine_bytes())


def refusal(spec: Spec, facts: Facts, params: Mapping[str, Any]) -> str:
    """Return in a sentence why a fit would take too much memory, and what would fit; nothing if it fits."""
    allowed = allowed_bytes()
    needed = spec.memory(facts, params)
    if needed <= allowed:
        return ""
    fits = [f"{_thousands(_samples(spec, facts, params, allowed))} samples at most"]
    if (most := _components(spec, facts, params, allowed)) > 0:
        fits.append(f"n_components={most} at most")
    fits += _lighter(spec, facts, params, allowed) or _other_method(spec, facts, allowed)
    return (
        f"{spec.title} would need about {_in_gb(needed)} for these {_thousands(facts.n_samples)} samples, "
        f"and a run may have {_in_gb(allowed)} here. What fits: {', or '.join(fits)}."
    )


def outlook(spec: Spec, facts: Facts, params: Mapping[str, Any]) -> str:
    """Return in a sentence how much a fit will need, or why it would be refused; nothing if it is little."""
    needed = spec.memory(facts, params)
    if needed < min(_WORTH_SAYING, allowed_bytes()):
        return ""
    return refusal(spec, facts, params) or (
        f"Needs about {_in_gb(needed)} of memory; a run may have {_in_gb(allowed_bytes())} here."
    )


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def _samples(spec: Spec, facts: Facts, params: Mapping[str, Any], allowed: int) -> int:
    share = facts.n_labelled / max(1, facts.n_samples)
    stored = None if facts.n_stored is None else facts.n_stored / max(1, facts.n_samples)

    def needs(count: int) -> float:
        entries = None if stored is None else int(stored * count)
        fewer = replace(facts, n_samples=count, n_labelled=int(share * count), n_stored=entries)
        return spec.memory(fewer, params)

    return _largest(needs, facts.n_samples, allowed)


def _components(spec: Spec, facts: Facts, params: Mapping[str, Any], allowed: int) -> int:
    """Return how many components would fit; 0 if their number does not matter."""
    count = params.get("n_components")
    if not isinstance(count, int):
        return 0
    return _largest(lambda k: spec.memory(facts, {**params, "n_components": k}), count, allowed)


def _lighter(spec: Spec, facts: Facts, params: Mapping[str, Any], allowed: int) -> list[str]:
    """Return in words the first of the other choices that the method has and that fits, if there is one."""
    fitting = (
        words
        for choices, words in _LIGHTER
        if all(spec.has(name) and choice in spec.param(name).choices for name, choice in choices.items())
        and spec.memory(facts, {**params, **choices}) <= allowed
    )
    return list(islice(fitting, 1))


def _other_method(spec: Spec, facts: Facts, allowed: int) -> list[str]:
    """Return in words a method for the same purpose that need not compare every two samples, if it fits."""
    if not spec.instead:
        return []
    other = method_spec(spec.instead)
    params = other.starting_values(facts)
    if other.memory(facts, params) <= allowed:
        return [f"{other.title}, which need not compare every two samples"]
    return [f"{other.title} on {words}" for words in _lighter(other, facts, params, allowed)]


def _largest(needs: Callable[[int], float], most: int, allowed: int) -> int:
    """Return the largest count, rounded down to two digits, whose memory need is allowed."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if needs(middle) <= allowed else (low, middle - 1)
    step: int = 10 ** max(0, len(str(low)) - 2)
    return low // step * step


def _in_gb(size: float) -> str:
    return f"{size / _GB:.0f} GB" if size >= 10 * _GB else f"{size / _GB:.1f} GB"


def _machine_bytes() -> int:
    total: int = 4 * _GB  # Where the system does not say.
    with suppress(AttributeError, ValueError, OSError):
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):
        total = min(total, int(_CGROUP.read_text()))
    return total
