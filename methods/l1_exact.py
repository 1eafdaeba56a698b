"""Exact ℓ1 codes: a linear program over the few atoms that matter, checked against all the others."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from methods.typing import Array

_FEASIBLE = 1e-10


def exact_code(X: Array, i: int, code: Array) -> tuple[Array, float, float]:
    """Return the code of row i that minimises ‖a‖₁ + ‖x_i − aX‖₁ with a_i = 0, its objective and its bound.

    `code` is a rough one: its non-zero entries say which atoms to begin with. The dual, max x_iᵀν with
    ‖ν‖_∞ ≤ 1 and |x_jᵀν| ≤ 1, is solved with the constraints of few atoms j; those it then violates
    are added, until none is left. The multipliers of the constraints are the code.
    """
    atoms = np.flatnonzero(code)
    # A dual constraint that probably holds with equality, as (atom, sign of the correlation).
    pairs = np.column_stack([atoms, np.sign(code[atoms])]).astype(np.int64)
    while True:
        pairs = pairs[pairs[:, 0] != i]
        atoms, signs = pairs[:, 0], pairs[:, 1]
        nu, multipliers = _restricted(X[atoms] * signs[:, None], X[i])
        correlations = X @ nu
        correlations[i] = 0
        violated = np.flatnonzero(np.abs(correlations) > 1 + _FEASIBLE)
        violated_pairs = np.column_stack([violated, np.sign(correlations[violated]).astype(np.int64)])
        extended = np.unique(np.concatenate([pairs, violated_pairs]), axis=0)
        if len(extended) == len(pairs):
            break
        pairs = extended
    a = np.bincount(atoms, weights=multipliers * signs, minlength=X.shape[0])
    worst = max(1.0, float(np.abs(correlations).max()), float(np.abs(nu).max()))
    objective = float(np.abs(a).sum() + np.abs(X[i] - a @ X).sum())
    return a, objective, float(X[i] @ nu) / worst


def _restricted(constraints: Array, x: Array) -> tuple[Array, Array]:
    """Return the dual that is best under these constraints, and their multipliers."""
    some = constraints.shape[0] > 0
    result = linprog(
        -x,
        A_ub=constraints if some else None,
        b_ub=np.ones(constraints.shape[0]) if some else None,
        bounds=(-1, 1),
        method="highs",
        options={"primal_feasibility_tolerance": _FEASIBLE, "dual_feasibility_tolerance": _FEASIBLE},
    )
    if result.status != 0:
        raise RuntimeError(f"The linear program of an ℓ1 code could not be solved: {result.message}")
    nu: Array = np.asarray(result.x)
    return nu, -result.ineqlin.marginals if some else np.zeros(0)
