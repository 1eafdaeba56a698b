"""How many directions of the data stand out of the noise: it depends on the data alone."""

from __future__ import annotations

from experiments.measures import rank
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def effective_rank(fit: Fit) -> float:
    """Return how many singular values of the training rows are above those of noise of the same size."""
    if "views" in fit.spec.needs:
        raise ValueError("The number of directions is asked of one matrix, not of several views.")
    return float(rank.effective_rank(fit.training))


MEASURE = Measure(
    id="effective_rank",
    title="Directions above the noise",
    unit="",
    better="high",
    of=effective_rank,
    summary="How many singular values of the data are above those that noise of the same size would make; it "
    "depends on the data alone.",
)
