"""Where a run with edits begins: at the run it was edited in, or after all that, carried out again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.base import clone

from experiments.engine.warm_start import WarmStart
from experiments.requests.edits import Edit, count_fixed, edited
from experiments.requests.prepare import Prepared
from experiments.requests.request import RunRequest
from methods import Step


@dataclass(frozen=True)
class EditedStart:
    """The arrays to begin with, of which the first `n_fixed` parts stay.

    It is `reproducible` if the request alone decides them.
    """

    step: Step
    n_fixed: int
    reproducible: bool = True

    @property
    def n_components(self) -> int:
        """How many parts there are left."""
        return len(self.step.state["components"])

    @property
    def how(self) -> dict[str, Any]:
        """The arguments of `iterate` with which a fit begins here."""
        fixed = {"fixed": self.step.state["components"][: self.n_fixed]} if self.n_fixed else {}
        return {"warm_start": self.step, **fixed}


def edited_start(prepared: Prepared, request: RunRequest, earlier: WarmStart | None) -> EditedStart:
    """Return the start of a run with edits, from an earlier run if that is the one before the last of them.

    A run of the same edits with other parameters is gone on from, too.
    """
    edits = request.edits
    step = None if earlier is None else earlier.step
    if earlier is not None and step is not None and earlier.request is not None:
        before = earlier.request
        if before.key == replace(request, edits=edits[:-1]).key:
            reproducible = earlier.reproducible and step.iteration == edits[-1][0]
            return replace(_after(step, edits), reproducible=reproducible)
        same_parts = before.params.get("n_components") == request.params.get("n_components")
        if before.edits == edits and same_parts and not earlier.refusal(prepared, request):
            return EditedStart(step, count_fixed(edits), reproducible=False)
    return _replayed(prepared, edits)


def _after(step: Step, edits: Sequence[Edit]) -> EditedStart:
    """Return a step as the last of the edits leaves it."""
    parts, embedding = edited(
        step.state["components"], step.state["embedding"], count_fixed(edits[:-1]), edits[-1]
    )
    state = MappingProxyType({"components": parts, "embedding": embedding})
    return EditedStart(Step(0, np.nan, {}, state), count_fixed(edits))


def _replayed(prepared: Prepared, edits: Sequence[Edit]) -> EditedStart:
    estimator = clone(prepared.estimator)
    start: EditedStart | None = None
    for count, (after, _, _) in enumerate(edits, 1):
        how = {} if start is None else start.how
        walk = estimator.iterate(prepared.X, prepared.y_partial, **prepared.fit_params, **how)
        for step in walk:
            if step.iteration == after:
                break
        start = _after(step.copy(), edits[:count])
        walk.close()
        estimator.set_params(n_components=start.n_components)
    assert start is not None, "only runs with edits begin like this"
    return start
