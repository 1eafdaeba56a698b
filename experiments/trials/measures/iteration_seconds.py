"""How long one iteration took."""

from __future__ import annotations

import numpy as np

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def iteration_seconds(fit: Fit) -> float:
    """Return the median seconds of an iteration; the first, which pays for what is made once, is left out."""
    durations = np.diff(np.asarray(fit.record.seconds, dtype=np.float64))
    if durations.size < 2:
        raise ValueError("The run took fewer than two iterations, so there is no telling what one costs.")
    return float(np.median(durations[1:]))


MEASURE = Measure(
    id="iteration_seconds",
    title="Seconds an iteration",
    unit="seconds",
    better="low",
    of=iteration_seconds,
    summary="Median time of one iteration on the machine that carried it out.",
)
