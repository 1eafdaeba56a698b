"""The error on entries that the fit has not been shown."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from experiments.measures.rank.prediction import entries_error, hide
from experiments.requests.prepare import prepare
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from experiments.trials.restarts import settled


def hidden_entries(fit: Fit, *, share: float = 0.1, draw: int = 0) -> float:
    """Hide a share of the entries, fit the rest with the same parameters, return the relative error on them.

    Which entries are hidden follows from `draw` and the seed of the split: the same for all parameters.
    """
    if "holes" not in fit.spec.takes | fit.spec.needs or not fit.spec.linear:
        raise ValueError(f"{fit.spec.title} cannot be fitted to data with holes.")
    if not 0 < share < 1:
        raise ValueError(f"share={share} must lie between 0 and 1.")
    prepared = prepare(fit.request)
    entries, masked = hide(prepared.X, share, np.random.default_rng([draw, fit.request.seed]))
    estimator = settled(clone(prepared.estimator), masked, prepared.y_partial, **prepared.fit_params)
    return entries_error(estimator, entries)


MEASURE = Measure(
    id="hidden_entries",
    title="Error on hidden entries",
    unit="share",
    better="low",
    of=hidden_entries,
    summary="Length of what the parts get wrong on a tenth of the entries that they were not shown, as a "
    "share of that of the entries.",
    needs=frozenset({"components", "embedding"}),
)
