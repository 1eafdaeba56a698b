"""A criterion over numbers of parts, and the number that it advises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

import methods
from methods.typing import Array

MAX_ITER = 200
# Two steps on without a clear gain, and the curve has reached its floor.
_STEPS_ON = 2


@dataclass(frozen=True)
class Curve:
    """What a criterion says of each number of parts, once for every seed.

    `rule` is "error" (less is better: the number after which it stops falling) or "stable" (the largest
    number at which the mean is at least `level`). Both wait for two more numbers that confirm it.
    `rewards` is a sentence on what the criterion looks for.
    """

    criterion: str
    rewards: str
    ks: tuple[int, ...]
    values: Array
    rule: Literal["error", "stable"]
    level: float = 0.0

    @property
    def means(self) -> Array:
        """The mean over seeds for each number of parts."""
        return np.asarray(self.values.mean(axis=1))

    @property
    def advice(self) -> int | None:
        """The number of parts advised; None where the range ends before the criterion has decided."""
        return self._end_of_fall() if self.rule == "error" else self._last_stable()

    def _end_of_fall(self) -> int | None:
        for at in range(len(self.ks) - _STEPS_ON):
            if not any(self._gains(at, at + step) for step in range(1, _STEPS_ON + 1)):
                return self.ks[at]
        return None

    def _gains(self, at: int, later: int) -> bool:
        """Say whether the error at `later` is clearly below that at `at`: by more than its spread and 1 %."""
        less = self.values[at] - self.values[later]
        spread = less.std(ddof=1) / np.sqrt(less.size) if less.size > 1 else 0.0
        return bool(less.mean() > max(2 * spread, 0.01 * self.values[at].mean()))

    def _last_stable(self) -> int | None:
        stable = np.flatnonzero(self.means >= self.level)
        if not stable.size or stable[-1] + _STEPS_ON >= len(self.ks):
            return None
        return self.ks[int(stable[-1])]


def measured(
    ks: Iterable[int], seeds: int, measure: Callable[[int, int], float]
) -> tuple[tuple[int, ...], Array]:
    """Return the numbers of parts in order, and measure(k, seed) for each and every seed."""
    ordered = tuple(sorted(set(ks)))
    if not ordered or ordered[0] < 1:
        raise ValueError("ks must hold numbers of parts, 1 or more.")
    if seeds < 1:
        raise ValueError(f"seeds={seeds} must be at least 1.")
    return ordered, np.array([[measure(k, seed) for seed in range(seeds)] for k in ordered])


def factorized(X: Any, k: int, seed: int, **params: Any) -> Any:
    """Return NMF of X into k parts, fitted by the accelerated solver."""
    settings = {"solver": "accelerated", "max_iter": MAX_ITER, "tol": 0.0, **params}
    return methods.create("nmf", n_components=k, random_state=seed, **settings).fit(X)


def restarts(X: Any, k: int, seeds: Sequence[int], **params: Any) -> list[Any]:
    """Return fits to the same data from different starts."""
    return [factorized(X, k, seed, **params) for seed in seeds]
