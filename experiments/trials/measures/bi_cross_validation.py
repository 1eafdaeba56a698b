"""The error on blocks of samples × features that were left out."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from experiments.measures.rank.prediction import block_error
from experiments.requests.prepare import prepare
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from experiments.trials.restarts import settled


def bi_cross_validation(fit: Fit, *, folds: int = 2, draw: int = 0) -> float:
    """Leave out each block of samples × features in turn, predict it from the other three, return the error.

    The method is fitted with the same parameters to the block that shares neither; what is left out follows
    by non-negative least squares (Owen and Perry, 2009). The blocks follow from `draw` and
    the seed of the split.
    """
    spec = fit.spec
    if (
        not spec.linear
        or spec.signed
        or not {"components", "embedding"} <= spec.gives
        or "views" in spec.needs
    ):
        raise ValueError(f"{spec.title} does not rebuild samples as sums of non-negative parts.")
    prepared = prepare(fit.request)
    if prepared.fit_params:
        raise ValueError("Pairs set by hand name samples that would be left out: take them away first.")
    if not 2 <= folds <= min(prepared.X.shape):
        raise ValueError(f"folds={folds} must be from 2 to {min(prepared.X.shape)}.")

    def fitted(block: Any, rows: Any) -> Any:
        return settled(clone(prepared.estimator), block, prepared.y_partial[rows])

    return block_error(prepared.X, folds, draw + fit.request.seed, fitted)


MEASURE = Measure(
    id="bi_cross_validation",
    title="Error on left-out blocks",
    unit="share",
    better="low",
    of=bi_cross_validation,
    summary="Length of what the parts get wrong on blocks of samples × features left out in turn, as a share "
    "of that of the data.",
    needs=frozenset({"components", "embedding"}),
)
