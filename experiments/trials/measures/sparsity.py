"""How sparse the parts are."""

from __future__ import annotations

from typing import Literal, get_args

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure

Index = Literal["hoyer", "zeros"]


def sparsity(fit: Fit, *, index: Index = "hoyer") -> float:
    """Return the mean over all parts: Hoyer's sparsity, or the share of entries that are next to nothing."""
    score = fit.record.scores.get(index)
    if score is None:
        raise ValueError(f"{fit.spec.title} has no parts.")
    return score


MEASURE = Measure(
    id="sparsity",
    title="Sparsity of the parts",
    unit="share",
    better="high",
    of=sparsity,
    summary="0 if every part covers everything evenly, 1 if it is a single entry (Hoyer); or the share of "
    "entries that are next to nothing.",
    needs=frozenset({"components"}),
    choices={"index": get_args(Index)},
)
