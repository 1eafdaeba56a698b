"""How alike the groupings of samples are that fits from different starts come to."""

from __future__ import annotations

from typing import Literal, get_args

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from experiments.trials.recurring import grouping
from experiments.trials.restarts import restarted

Index = Literal["agreement", "cophenetic", "dispersion", "decided"]


def consensus(fit: Fit, *, index: Index = "agreement", runs: int = 5) -> float:
    """Return how clear it is, over fits from `runs` starts, which samples use the same part most.

    "decided" is 1 − PAC, the share of pairs that are nearly always or nearly never together.
    """
    matrix = grouping(restarted(fit, runs))
    return 1 - matrix.undecided if index == "decided" else float(getattr(matrix, index))


MEASURE = Measure(
    id="consensus",
    title="Consensus over starts",
    unit="share",
    better="high",
    of=consensus,
    summary="How clear it is over several random starts which samples belong together: agreement, cophenetic "
    "correlation, dispersion, or the share of decided pairs (1 − PAC).",
    needs=frozenset({"components", "embedding"}),
    choices={"index": get_args(Index)},
    revision=2,  # Of more than a thousand samples, a thousand stand for all.
)
