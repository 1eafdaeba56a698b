"""How many iterations a fit took."""

from __future__ import annotations

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def iterations(fit: Fit) -> float:
    """Return the number of iterations."""
    return float(fit.record.iterations)


MEASURE = Measure(
    id="iterations",
    title="Iterations",
    unit="iterations",
    better="low",
    of=iterations,
    summary="How often the method improved on its start before it settled or was stopped.",
)
