"""Which share of the parts comes back from every random start."""

from __future__ import annotations

import numpy as np

from experiments.measures.rank import recurrence
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from experiments.trials.restarts import restarted


def part_stability(fit: Fit, *, runs: int = 5, same: float = 0.9) -> float:
    """Return the mean share of other starts in which a part comes back (partner's cosine at least `same`)."""
    return float(np.mean(recurrence([est.components_ for est in restarted(fit, runs)], same=same)))


MEASURE = Measure(
    id="part_stability",
    title="Stability of single parts",
    unit="share",
    better="high",
    of=part_stability,
    summary="Share of the parts that come back from other random starts, each matched with the one most like "
    "it (cosine 0.9 or more).",
    needs=frozenset({"components"}),
)
