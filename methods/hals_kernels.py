"""The inner loops of the solvers, compiled: coordinate descent by blocks that stay in the cache.

Imported only when a solver is made, because numba takes a moment to load. Every kernel releases the
interpreter's lock, keeps no state, and runs on one thread: many sessions may call it at once.
Arrays hold one part a row (k × features, or k × samples), so that the loops run along memory.
"""

from __future__ import annotations

import numpy as np

from methods.compilation import compiled
from methods.typing import Array

# Columns a block holds: with k ≈ 100 rows of float32 it fills the first-level cache.
_WIDTH = 64
# Blocks that are fetched from memory together: longer runs of a row, which the processor sees coming.
_AT_ONCE = 4


@compiled
def _load(blocks: Array, factor: Array, start: int) -> None:
    """Copy columns from `start` on, row by row, into as many blocks as there are or as they fill."""
    for j in range(factor.shape[0]):
        for t in range(len(blocks)):
            first = start + t * _WIDTH
            for i in range(min(_WIDTH, factor.shape[1] - first)):
                blocks[t, j, i] = factor[j, first + i]


@compiled
def _store(factor: Array, blocks: Array, start: int) -> None:
    """Copy the blocks back to where they were loaded from."""
    for j in range(factor.shape[0]):
        for t in range(len(blocks)):
            first = start + t * _WIDTH
            for i in range(min(_WIDTH, factor.shape[1] - first)):
                factor[j, first + i] = blocks[t, j, i]


@compiled
def _less_products(a: Array, g: Array, block: Array) -> None:
    """Subtract g·block from a; four rows at a time, so that a is read and written a quarter as often."""
    whole = len(g) - len(g) % 4
    for q in range(0, whole, 4):
        g0, g1, g2, g3 = g[q], g[q + 1], g[q + 2], g[q + 3]
        for i in range(_WIDTH):
            x0, x1, x2, x3 = block[q, i], block[q + 1, i], block[q + 2, i], block[q + 3, i]
            a[i] -= g0 * x0 + g1 * x1 + g2 * x2 + g3 * x3
    for q in range(whole, len(g)):
        for i in range(_WIDTH):
            a[i] -= g[q] * block[q, i]


@compiled
def _less_products_of_two(a: Array, b: Array, g: Array, h: Array, block: Array) -> None:
    """Subtract g·block from a and h·block from b, with one pass over the block."""
    whole = len(g) - len(g) % 4
    for q in range(0, whole, 4):
        g0, g1, g2, g3 = g[q], g[q + 1], g[q + 2], g[q + 3]
        h0, h1, h2, h3 = h[q], h[q + 1], h[q + 2], h[q + 3]
        for i in range(_WIDTH):
            x0, x1, x2, x3 = block[q, i], block[q + 1, i], block[q + 2, i], block[q + 3, i]
            a[i] -= g0 * x0 + g1 * x1 + g2 * x2 + g3 * x3
            b[i] -= h0 * x0 + h1 * x1 + h2 * x2 + h3 * x3
    for q in range(whole, len(g)):
        for i in range(_WIDTH):
            a[i] -= g[q] * block[q, i]
            b[i] -= h[q] * block[q, i]


@compiled
def _descend_two(block: Array, a: Array, b: Array, gram: Array, j: int, p: int) -> None:
    """Minimise over row j, then over row p, given their slopes downhill before either has moved."""
    zero, one = block.dtype.type(0), block.dtype.type(1)
    # A part that nobody uses has no curvature and stays as it is; so does a row paired with itself.
    r = one / gram[j, j] if gram[j, j] > zero else zero
    s = one / gram[p, p] if gram[p, p] > zero and p > j else zero
    g = gram[p, j]
    for i in range(_WIDTH):
        old = block[j, i]
        new = old + a[i] * r
        new = new if new > zero else zero
        block[j, i] = new
        second = block[p, i] + (b[i] - g * (new - old)) * s
        block[p, i] = second if second > zero else zero


@compiled
def descend(factor: Array, linear: Array, gram: Array, sweeps: int) -> None:
    """Minimise ½⟨F, gram F⟩ − ⟨F, linear⟩ over F ≥ 0, one row at a time, in place.

    Columns do not see each other: each block of them goes through all sweeps while in the cache. Two rows
    share each pass over the block; the second is then corrected for what the first has just changed.
    """
    k, columns = factor.shape
    blocks = np.zeros((_AT_ONCE, k, _WIDTH), factor.dtype)
    slopes = np.zeros((_AT_ONCE, k, _WIDTH), factor.dtype)
    a, b = np.zeros(_WIDTH, factor.dtype), np.zeros(_WIDTH, factor.dtype)
    for start in range(0, columns, _AT_ONCE * _WIDTH):
        _load(blocks, factor, start)
        _load(slopes, linear, start)
        for t in range(min(_AT_ONCE, (columns - start + _WIDTH - 1) // _WIDTH)):
            block, slope = blocks[t], slopes[t]
            for _ in range(sweeps):
                for j in range(0, k, 2):
                    # An odd last row is paired with itself.
                    p = min(j + 1, k - 1)
                    for i in range(_WIDTH):
                        a[i], b[i] = slope[j, i], slope[p, i]
                    _less_products_of_two(a, b, gram[j], gram[p], block)
                    _descend_two(block, a, b, gram, j, p)
        _store(factor, blocks, start)


@compiled
def descend_on_graphs(
    factor: Array,
    linear: Array,
    gram: Array,
    graph_of: Array,
    starts: Array,
    neighbours: Array,
    weights: Array,
    degrees: Array,
    rounds: int,
    sweeps: int,
) -> None:
    """Minimise ½⟨F, gram F⟩ − ⟨F, linear⟩ + ½ Σ_j gram_jj f_j(D − S)f_jᵀ over F ≥ 0, in place.

    Row j lives on the graph numbered `graph_of[j]` (-1: on none), whose rows are `starts`, `neighbours`,
    `weights` and whose degrees are `degrees`. Each entry is minimised exactly, with the newest values of
    its neighbours: no step has to be shortened for their sake. In each round a block makes some sweeps while
    it and its neighbours, which lie anywhere in memory, are in the cache.
    """
    k, columns = factor.shape
    zero, one = factor.dtype.type(0), factor.dtype.type(1)
    block, a = np.zeros((k, _WIDTH), factor.dtype), np.zeros(_WIDTH, factor.dtype)
    for _ in range(rounds):
        for start in range(0, columns, _WIDTH):
            width = min(_WIDTH, columns - start)
            _load(block[None], factor, start)
            for turn in range(sweeps * k):
                j = turn % k
                if gram[j, j] <= zero:
                    continue
                for i in range(width):
                    a[i] = linear[j, start + i]
                _less_products(a, gram[j], block)
                r, g = one / gram[j, j], graph_of[j]
                for i in range(width):
                    new = block[j, i] + a[i] * r
                    if g >= 0 and degrees[g, start + i] > zero:
                        for e in range(starts[g, start + i], starts[g, start + i + 1]):
                            new += weights[e] * factor[j, neighbours[e]]
                        new /= one + degrees[g, start + i]
                    new = new if new > zero else zero
                    block[j, i] = factor[j, start + i] = new


@compiled
def roughness(factor: Array, starts: Array, neighbours: Array, weights: Array) -> Array:
    """Return f_j(D − S)f_jᵀ for every row f_j, as ½ Σ S_is (f_ji − f_js)²: never below zero."""
    energies = np.zeros(factor.shape[0], np.float64)
    for j in range(factor.shape[0]):
        total = 0.0
        for i in range(factor.shape[1]):
            here = factor[j, i]
            for e in range(starts[i], starts[i + 1]):
                step = np.float64(here - factor[j, neighbours[e]])
                total += weights[e] * step * step
        energies[j] = total / 2
    return energies


@compiled
def go_beyond(new: Array, old: Array, reach: float) -> None:
    """Overwrite `old` by [new + reach·(new − old)]⁺."""
    by = new.dtype.type(reach)
    zero = new.dtype.type(0)
    for j in range(new.shape[0]):
        for i in range(new.shape[1]):
            value = new[j, i] + by * (new[j, i] - old[j, i])
            old[j, i] = value if value > zero else zero


@compiled
def scale_rows(one: Array, other: Array, by: Array) -> None:
    """Multiply row j of both by the j-th number."""
    for j in range(one.shape[0]):
        for i in range(one.shape[1]):
            one[j, i] *= by[j]
            other[j, i] *= by[j]


@compiled
def overlap(one: Array, other: Array) -> float:
    """Return the sum of the products of all entries, in double precision."""
    total = 0.0
    for j in range(one.shape[0]):
        for i in range(one.shape[1]):
            total += np.float64(one[j, i]) * np.float64(other[j, i])
    return total


@compiled
def multiply_by_ratio(factor: Array, numerator: Array, denominator: Array, pull: Array, floor: float) -> None:
    """Multiply each entry x of row j by (numerator + pull_j·x) / denominator, in one pass over memory.

    A denominator below the smallest normal number stands beside an entry that is 0 or multiplied by 0:
    raising it only avoids 0/0. Results below `floor` become 0: no product with them could be told from
    rounding, and the processor takes many times longer over numbers too small for their format.
    """
    least = np.finfo(factor.dtype).tiny
    smallest, zero = factor.dtype.type(floor), factor.dtype.type(0)
    for j in range(factor.shape[0]):
        by = pull[j]
        for i in range(factor.shape[1]):
            x = factor[j, i]
            below = denominator[j, i] if denominator[j, i] > least else least
            x = x * ((numerator[j, i] + by * x) / below)
            factor[j, i] = x if not x < smallest else zero


@compiled
def _eliminate(
    v: Array, b: Array, own: Array, whole: Array, edges: Array, first: Array, later: Array, fills: Array
) -> None:
    """Add each sample's share to its later neighbours; row p is multiplied by v_p, which may be zero."""
    lanes, zero, one = v.shape[1], v.dtype.type(0), v.dtype.type(1)
    fill = 0
    for p in range(len(v)):
        for c in range(lanes):
            whole[p, c] = own[p, c]
        for e in range(first[p], first[p + 1]):
            for c in range(lanes):
                whole[p, c] += v[p, c] * edges[e, c]
        for c in range(lanes):
            whole[p, c] = one / whole[p, c] if whole[p, c] > zero else zero
        for e in range(first[p], first[p + 1]):
            a = later[e]
            for c in range(lanes):
                share = edges[e, c] * whole[p, c]
                own[a, c] += v[a, c] * share * own[p, c]
                b[a, c] += v[p, c] * share * b[p, c]
            for f in range(e + 1, first[p + 1]):
                for c in range(lanes):
                    edges[fills[fill], c] += v[p, c] * (edges[e, c] * whole[p, c]) * edges[f, c]
                fill += 1


@compiled
def solve_graph_systems(
    old: Array,
    slope: Array,
    right: Array,
    order: Array,
    first: Array,
    later: Array,
    weights: Array,
    fills: Array,
) -> None:
    """Replace each column v of `old` by the x with (diag(slope/v) + D − S) x = right.

    Samples are eliminated in `order`; sample p then touches the samples `later[first[p]:first[p+1]]`, with
    `weights` (0 where elimination makes a new edge), and `fills` says which edge each pair of them shares.
    What leaves a sample is carried as its own share and its edges, never as a diagonal: nothing is ever
    subtracted, so every entry is as accurate as the format allows and cannot fall below zero. Entries of v
    that are zero stay so.
    """
    columns, n, lanes = old.shape[1], len(order), 16
    edges = np.zeros((len(later), lanes), old.dtype)
    v, b = np.zeros((n, lanes), old.dtype), np.zeros((n, lanes), old.dtype)
    own, whole = np.zeros((n, lanes), old.dtype), np.zeros((n, lanes), old.dtype)
    for start in range(0, columns, lanes):
        width = min(lanes, columns - start)
        for e in range(len(later)):
            edges[e, :] = weights[e]
        for p in range(n):
            for c in range(width):
                v[p, c], b[p, c] = old[order[p], start + c], right[order[p], start + c]
                own[p, c] = slope[order[p], start + c]
        _eliminate(v, b, own, whole, edges, first, later, fills)
        for p in range(n - 1, -1, -1):
            for e in range(first[p], first[p + 1]):
                for c in range(lanes):
                    b[p, c] += edges[e, c] * b[later[e], c]
            for c in range(lanes):
                b[p, c] *= v[p, c] * whole[p, c]
            for c in range(width):
                old[order[p], start + c] = b[p, c]
