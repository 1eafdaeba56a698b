"""The inner loops of KL and Itakura–Saito factorization: one-dimensional Newton steps that cannot overshoot.

In one coefficient s, with y = y₀ + w(s − s₀) the model, the slope of the divergence (for Itakura–Saito of
its bound, with the logarithm replaced by its tangent) is concave and rises. A Newton step up therefore ends
short of the minimum. A step down lowers the divergence as long as it takes no more than a share of any
modelled entry: with u = w|d|/y ≤ ρ the terms beyond the second are at most 2ρ/3(1 − ρ) of it (ρ/(1 − ρ) for
Itakura–Saito), so that ρ = 0.6 (0.5) will do. Unlike multiplicative steps, both may reach zero and leave it.
"""

from __future__ import annotations

import numpy as np

from methods.compilation import compiled
from methods.typing import Array

_KL_SHARE, _IS_SHARE = 0.6, 0.5


@compiled
def _sums(x: Array, y: Array, q: Array, w: Array, n: int) -> tuple[float, float]:
    """Return Σ wx/y and Σ w²x/y², and leave w/y in q."""
    pull, bend = y.dtype.type(0), y.dtype.type(0)
    for i in range(n):
        ratio = w[i] / y[i]
        part = ratio * x[i]
        q[i] = ratio
        pull += part
        bend += part * ratio
    return pull, bend


@compiled
def _sums_of_itakura(x: Array, y: Array, q: Array, w: Array, n: int) -> tuple[float, float, float]:
    """Return Σ wx/y², Σ 2w²x/y³ and Σ w/y, and leave w/y in q."""
    pull, bend, push = y.dtype.type(0), y.dtype.type(0), y.dtype.type(0)
    for i in range(n):
        inverse = y.dtype.type(1) / y[i]
        ratio = w[i] * inverse
        part = ratio * x[i] * inverse
        q[i] = ratio
        push += ratio
        pull += part
        bend += part * ratio
    return pull, bend + bend, push


@compiled
def _newton(
    x: Array, y: Array, q: Array, w: Array, h: Array, sums: Array, n: int, floor: float, itakura: bool
) -> None:
    """Step through the coefficients h of one row x, whose model y = hᵀw is kept up to date."""
    zero, least = y.dtype.type(0), y.dtype.type(floor)
    share = y.dtype.type(_IS_SHARE if itakura else _KL_SHARE)
    for r in range(len(h)):
        push = sums[r]
        if itakura:
            pull, bend, push = _sums_of_itakura(x, y, q, w[r], n)
        else:
            pull, bend = _sums(x, y, q, w[r], n)
        slope = push - pull
        if bend > zero:
            step = max(-slope / bend, -h[r])
        else:
            step = -h[r] if slope > zero else zero
        # No modelled entry is less than this coefficient makes of it: w/y is at most 1/h.
        if -step > share * h[r] and bend > zero:
            most = zero
            for i in range(n):
                most = q[i] if q[i] > most and x[i] > zero else most
            if most * -step > share:
                step = -share / most
        if step != zero and np.isfinite(step):
            h[r] += step
            for i in range(n):
                value = y[i] + step * w[r, i]
                y[i] = value if value > least else least


@compiled
def newton_rows(
    factor: Array, rows: Array, model: Array, w: Array, sums: Array, first: int, floor: float, itakura: bool
) -> None:
    """Step through the columns of `factor` (k × …) from `first` on, one for each of the dense rows."""
    n = rows.shape[1]
    q, h = np.empty(n, rows.dtype), np.empty(len(factor), rows.dtype)
    least = rows.dtype.type(floor)
    for row in range(len(rows)):
        for r in range(len(h)):
            h[r] = factor[r, first + row]
        for i in range(n):
            model[row, i] = max(model[row, i], least)
        _newton(rows[row], model[row], q, w, h, sums, n, floor, itakura)
        for r in range(len(h)):
            factor[r, first + row] = h[r]


@compiled
def newton_sparse_rows(
    factor: Array, starts: Array, indices: Array, data: Array, w: Array, sums: Array, floor: float
) -> None:
    """Step through the columns of `factor` (k × rows) for KL: only entries that are not zero are divided.

    `w` holds one sample a row (n × k), so that what belongs to an entry lies together.
    """
    k, longest = len(factor), 0
    for row in range(len(starts) - 1):
        longest = max(longest, starts[row + 1] - starts[row])
    near, y, q = np.empty((k, longest), w.dtype), np.empty(longest, w.dtype), np.empty(longest, w.dtype)
    h, least = np.empty(k, w.dtype), w.dtype.type(floor)
    for row in range(len(starts) - 1):
        start, n = starts[row], starts[row + 1] - starts[row]
        for r in range(k):
            h[r] = factor[r, row]
        for e in range(n):
            column, value = indices[start + e], w.dtype.type(0)
            for r in range(k):
                near[r, e] = w[column, r]
                value += h[r] * w[column, r]
            y[e] = max(value, least)
        _newton(data[start : start + n], y, q, near, h, sums, n, floor, False)
        for r in range(k):
            factor[r, row] = h[r]


@compiled
def modelled_entries(starts: Array, indices: Array, W: Array, Ht: Array, out: Array) -> None:
    """Write (WH)_ij for every stored entry of a CSR matrix into `out`; Ht holds one feature a row."""
    k = W.shape[1]
    for row in range(len(starts) - 1):
        for e in range(starts[row], starts[row + 1]):
            value = W.dtype.type(0)
            for r in range(k):
                value += W[row, r] * Ht[indices[e], r]
            out[e] = value
