"""How much of the samples the parts do not explain."""

from __future__ import annotations

import numpy as np

from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def error(fit: Fit) -> float:
    """Return the squared length of what is left of the training rows, as a share of theirs.

    What methods add to every row, such as a mean, is part of what they rebuild.
    """
    arrays, X = fit.record.arrays, fit.training
    components, embedding = arrays.get("components"), arrays.get("embedding")
    if (
        "reconstruction" not in fit.record.terms
        or not fit.spec.linear
        or components is None
        or embedding is None
        or (embedding.shape[0], components.shape[-1]) != getattr(X, "shape", None)
    ):
        raise ValueError(f"{fit.spec.title} does not rebuild samples from parts.")
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    rebuilt = embedding.astype(np.float64) @ components.astype(np.float64) + arrays.get("mean", 0)
    whole = float(np.square(X).sum())
    return float(np.square(X - rebuilt).sum()) / whole if whole > 0 else 0.0


MEASURE = Measure(
    id="error",
    title="Error of rebuilding",
    unit="share",
    better="low",
    of=error,
    summary="Squared length of what the parts do not explain, as a share of that of the samples.",
    needs=frozenset({"components", "embedding"}),
)
