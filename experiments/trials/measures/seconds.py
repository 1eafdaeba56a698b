"""How long a fit took."""

from __future__ import annotations

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def seconds(fit: Fit) -> float:
    """Return the seconds that the steps of the method took, and nothing else."""
    return float(fit.record.seconds[-1]) if fit.record.seconds.size else 0.0


MEASURE = Measure(
    id="seconds",
    title="Seconds",
    unit="seconds",
    better="low",
    of=seconds,
    summary="Time the steps of the method took on the machine that carried it out.",
)
