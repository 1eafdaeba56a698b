"""How far the objective ever went up from one step to the next."""

from __future__ import annotations

import numpy as np

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def rise(fit: Fit) -> float:
    """Return the largest rise of the objective in one step as a share of what it was; 0 if there is none."""
    curve = np.asarray(fit.record.objective, dtype=np.float64)
    if curve.size < 2:
        raise ValueError(f"{fit.spec.title} has no objective that could rise.")
    before = np.maximum(np.abs(curve[:-1]), np.finfo(np.float64).tiny)
    return float(max(0.0, np.max(np.diff(curve) / before)))


MEASURE = Measure(
    id="rise",
    title="Largest rise of the objective",
    unit="share",
    better="low",
    of=rise,
    summary="By how much the objective went up at worst from one step to the next, as a share of what it "
    "was: a rule that descends never lets it.",
)
