"""The objective a fit ended with."""

from __future__ import annotations

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def objective(fit: Fit) -> float:
    """Return the last value of the objective; a ValueError if the method has none."""
    if not fit.record.objective.size:
        raise ValueError(f"{fit.spec.title} has no objective.")
    return float(fit.record.objective[-1])


MEASURE = Measure(
    id="objective",
    title="Objective",
    unit="",
    better="low",
    of=objective,
    summary="What the method has brought down, at the end. It only compares fits with the same parameters.",
)
