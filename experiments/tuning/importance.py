"""Which parameters matter, and what is best when several things count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments.trials import MeasureRequest
from experiments.trials.catalogue import measure
from experiments.tuning.guided import study_of
from experiments.tuning.sweep_table import Cell, SweepTable

LEAST_CELLS = 8


def importances(table: SweepTable, item: MeasureRequest | None = None) -> dict[str, float]:
    """Return for each parameter its share (all add up to 1) in what makes the best tenth differ (PED-ANOVA).

    Empty with fewer than eight cells that have a score, or where they all have the same.
    """
    from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances

    item = item or table.sweep.chosen_by
    scored = table.ranked(item)
    means = [cell.mean(item) for cell in scored]
    if len(scored) < LEAST_CELLS or np.ptp(means) < 1e-12:
        return {}
    axes = table.sweep.axes
    observed = ((cell.point, (mean,)) for cell, mean in zip(scored, means, strict=True))
    study, _ = study_of(axes, [item], observed)
    per_param = get_param_importances(study, evaluator=PedAnovaImportanceEvaluator())
    whole = sum(per_param.values())
    return {axis.param: float(per_param.get(axis.param, 0.0) / whole) if whole > 0 else 0.0 for axis in axes}


def pareto_front(table: SweepTable, items: Sequence[MeasureRequest]) -> list[Cell]:
    """Return the cells that no other one matches in every measure and beats in one, along the first."""
    cells = [
        cell
        for cell in table.cells
        if not any(cell.problem(item) or np.isnan(cell.mean(item)) for item in items)
    ]
    signs = np.array([1.0 if measure(item.measure).better == "low" else -1.0 for item in items])
    costs = np.array([[cell.mean(item) for item in items] for cell in cells]).reshape(-1, len(items)) * signs
    front = []
    for at, cost in enumerate(costs):
        no_worse = (costs <= cost).all(axis=1)
        if not (no_worse & (costs < cost).any(axis=1)).any():
            front.append(at)
    return [cells[at] for at in sorted(front, key=lambda at: tuple(costs[at]))]
