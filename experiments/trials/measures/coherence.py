"""How well the heaviest words of the topics go together in the documents themselves."""

from __future__ import annotations

from scipy.sparse import issparse

from experiments.measures.coherence import npmi
from experiments.requests.views import parts_by_view
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def coherence(fit: Fit, *, top: int = 10) -> float:
    """Return the mean NPMI of the heaviest words of each part, measured on the documents of the fit."""
    ds = fit.dataset
    by_view = parts_by_view(fit.record.arrays, ds, fit.request) if "components" in fit.spec.gives else {}
    view, parts = next(iter(by_view.items()), ("", None))
    if parts is None or view not in ds.view_features or not issparse(ds.views[view]):
        raise ValueError(f"{fit.spec.title} on {ds.title} has no topics made of words.")
    return float(npmi(ds.views[view][fit.rows.train], parts, top).mean())


MEASURE = Measure(
    id="coherence",
    title="Coherence of the topics",
    unit="",
    better="high",
    of=coherence,
    summary="Mean NPMI of the ten heaviest words of a topic in the documents themselves: 1 if they "
    "only occur together, 0 if by chance, −1 if never.",
    needs=frozenset({"components"}),
)
