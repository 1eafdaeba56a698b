"""The same data and labels fitted again from other random starts, for measures of what comes back."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.base import clone

from experiments.requests.prepare import prepare
from experiments.trials.fit import Fit

# Several measures ask for the same restarts of one fit.
_fits: WeakKeyDictionary[Fit, list[Any]] = WeakKeyDictionary()


def restarted(fit: Fit, runs: int) -> list[Any]:
    """Return fitted estimators from `runs` random starts, the first of them that of the fit itself.

    A ValueError says that there are too few, or that the method has no parts to compare.
    """
    if runs < 2:
        raise ValueError(f"runs={runs} must be at least 2: what comes back shows in several.")
    if not {"components", "embedding"} <= fit.spec.gives or "views" in fit.spec.needs:
        raise ValueError(f"{fit.spec.title} has no parts of one matrix to compare.")
    estimators = _fits.setdefault(fit, [])
    if len(estimators) < runs:
        prepared = prepare(fit.request)
        random = "random_state" in prepared.estimator.get_params(deep=False)
        for start in range(len(estimators), runs):
            estimator = clone(prepared.estimator)
            if random and start:
                # A seed of its own: that of the request would make another split as well.
                seed = np.random.SeedSequence([fit.request.seed, start]).generate_state(1)[0]
                estimator.set_params(random_state=int(seed))
            estimators.append(settled(estimator, prepared.X, prepared.y_partial, **prepared.fit_params))
    return estimators[:runs]


def already_restarted(fit: Fit) -> list[Any]:
    """Return the estimators that measures have had fitted from other starts so far, that of the fit first."""
    return list(_fits.get(fit, ()))


def settled(estimator: Any, X: Any, y: Any, **fit_params: Any) -> Any:
    """Return an estimator once fitted; that it may not have settled is nothing to warn of here."""
    for _ in estimator.iterate(X, y, **fit_params):
        pass
    return estimator
