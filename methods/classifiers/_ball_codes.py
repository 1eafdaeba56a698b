"""Sparse codes with a bounded error: min ‖a‖₁ subject to ‖x − aD‖₂ ≤ ε, for many samples at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse

from methods.l1_admm import solve
from methods.sparse_products import products
from methods.typing import Array, Codes, Graph, is_sparse

# Where ε cannot be reached it is raised to this multiple of the smallest error there is: the smallest
# itself would leave a single point (or a thin affine set) to choose from.
SLACK = 1.01
_MAX_ITER = 5000
_RANK = 1e-7
_EPS = float(np.finfo(np.float64).eps)
# Entries of sparse rows that are held in full at a time.
ENTRIES_AT_ONCE = 2**20


@dataclass(frozen=True)
class BallCodes:
    """Codes (samples × atoms), the ε each was found with, whether it was raised, and the proven gap."""

    codes: Array
    epsilon: Array
    raised: Array
    gap: Array


class BallDictionary:
    """Atoms as rows, rotated into the space they span: what lies outside it no code can reach.

    Sparse atoms that are fewer than features stay as they are: the basis is then B = `inverse`·atoms.
    """

    def __init__(self, atoms: Any) -> None:
        atoms = atoms.astype(np.float64)
        left, values, basis = _sparse_svd(atoms) if is_sparse(atoms) else _svd(atoms)
        self.atoms, self.inverse = left * values, (left / values).T
        self._basis = basis
        self._mixed: Any = atoms if basis is None else None

    def inside(self, X: Any) -> tuple[Array, Array]:
        """Return the coordinates of rows in the span, and how far from it they lie."""
        X = X.astype(np.float64)
        if self._basis is not None and not is_sparse(X):
            Z = X @ self._basis.T
            return Z, np.linalg.norm(X - Z @ self._basis, axis=1)
        X = sparse.csr_array(X)
        Z = np.empty((X.shape[0], self.atoms.shape[1]))
        distance = np.empty(X.shape[0])
        step = max(1, ENTRIES_AT_ONCE // max(X.shape[1], self.atoms.shape[0]))
        for first in range(0, X.shape[0], step):
            part = slice(first, first + step)
            if self._basis is not None:
                Z[part] = X[part] @ self._basis.T
                reached = Z[part] @ self._basis
            else:
                Z[part] = (X[part] @ self._mixed.T).toarray() @ self.inverse.T
                reached = (Z[part] @ self.inverse) @ self._mixed
            distance[part] = np.linalg.norm(X[part].toarray() - reached, axis=1)
        return Z, distance

    def least_squares(self, X: Any, epsilon: float) -> BallCodes:
        """Return the shortest feasible codes, ‖a‖₂ in place of ‖a‖₁."""
        problem, allowed, raised = self._problem(X, epsilon)
        codes = problem.feasible(np.zeros((X.shape[0], self.atoms.shape[0])), np.arange(X.shape[0]))
        return BallCodes(codes, allowed, raised, np.full(X.shape[0], np.inf))

    def sparse(self, X: Any, epsilon: float, gap: float) -> BallCodes:
        """Return the sparse codes of rows, each proven to lie within the relative `gap` of the best."""
        problem, allowed, raised = self._problem(X, epsilon)
        codes, gaps = self._single_atoms(problem)
        open_ = np.flatnonzero(gaps > gap)
        if open_.size:
            solution = solve(problem.only(open_), gap, _MAX_ITER, np.float64)
            codes[open_], gaps[open_] = solution.codes.toarray(), solution.gap
        return BallCodes(codes, allowed, raised, gaps)

    def _single_atoms(self, problem: _BallProblem) -> tuple[Array, Array]:
        """Return codes that use one atom each, and their gaps.

        For a row that is an atom this is the best one, of length 1 − ε/‖x‖, as the dual x proves. So what
        was learned from need not be solved for, which would take longest: no code is harder to find.
        """
        rows = np.arange(problem.targets.shape[0])
        correlations = problem.targets @ self.atoms.T
        best = np.abs(correlations).argmax(axis=1)
        length = np.linalg.norm(problem.targets, axis=1)
        share = np.maximum(1 - problem.radius / np.where(length > 0, length, 1), 0)
        codes = np.zeros_like(correlations)
        codes[rows, best] = share * np.sign(correlations[rows, best])
        codes, objective, bound = problem.certify(codes, problem.targets, rows)
        return codes, (objective - bound) / np.where(bound > 0, bound, 1)

    def _problem(self, X: Any, epsilon: float) -> tuple[_BallProblem, Array, Array]:
        Z, distance = self.inside(X)
        allowed = np.maximum(epsilon, SLACK * distance)
        radius = np.sqrt(np.maximum(allowed**2 - distance**2, 0))
        return _BallProblem(self, Z, radius), allowed, allowed > epsilon


def _svd(atoms: Array) -> tuple[Array, Array, Array]:
    """Return left vectors, singular values and right vectors (rows) of the span."""
    left, values, basis = linalg.svd(atoms, full_matrices=False)
    in_span = values > _RANK * values[0] if values[0] > 0 else np.zeros(values.size, dtype=bool)
    return left[:, in_span], values[in_span], basis[in_span]


def _sparse_svd(atoms: Graph) -> tuple[Array, Array, Array | None]:
    """Return what `_svd` does, from the smaller Gram matrix; right vectors only if these are not many."""
    many = atoms.shape[0] >= atoms.shape[1]
    gram = products(atoms.T.tocsr(), atoms) if many else products(atoms, atoms.T.tocsr())
    squares, vectors = linalg.eigh(gram.T, driver="evd", overwrite_a=True, check_finite=False)
    # Shorter directions are only rounding of the longest.
    in_span = squares > max(_RANK**2, max(atoms.shape) * _EPS) * max(squares[-1], 0)
    values, vectors = np.sqrt(squares[in_span][::-1]), vectors[:, in_span][:, ::-1]
    if many:
        return atoms @ vectors / values, values, np.ascontiguousarray(vectors.T)
    return vectors, values, None


class _BallProblem:
    """The misfit is 0 inside a ball around each target and infinite outside."""

    def __init__(self, dictionary: BallDictionary, targets: Array, radius: Array) -> None:
        self.dictionary = dictionary
        self.atoms, self.targets, self.radius = dictionary.atoms, targets, radius
        self.inverse = dictionary.inverse
        self.own: Codes | None = None
        # Found by trial on faces and digits of unit length.
        self.scale, self.rho = 10.0, 10.0

    def only(self, rows: Codes) -> _BallProblem:
        """Return the problem of some targets alone."""
        return _BallProblem(self.dictionary, self.targets[rows], self.radius[rows])

    def excess(self, deviation: Array, rows: Codes) -> Array:
        """Return what the projection onto the balls takes away."""
        length = np.linalg.norm(deviation, axis=1)
        outside = np.maximum(length - self.scale * self.radius[rows], 0)
        deviation *= (outside / np.where(length > 0, length, 1))[:, None]
        return deviation

    def estimate(self, codes: Array, duals: Array, correlations: Array, rows: Codes) -> tuple[Array, Array]:
        """Return objectives and bounds; here the proof itself is cheap enough."""
        _, objective, bound = self.certify(codes, duals, rows)
        return objective, bound

    def certify(self, codes: Array, duals: Array, rows: Codes) -> tuple[Array, Array, Array]:
        """Return codes moved into their balls, their ℓ1 norms, and the values of the scaled duals."""
        codes = self.feasible(codes, rows)
        value = np.einsum("nr,nr->n", duals, self.targets[rows])
        value -= self.radius[rows] * np.linalg.norm(duals, axis=1)
        worst = np.abs(duals @ self.atoms.T).max(axis=1)
        bound = np.maximum(value / np.where(worst > 0, worst, 1), 0)
        return codes, np.abs(codes).sum(axis=1), bound

    def feasible(self, codes: Array, rows: Codes) -> Array:
        """Return codes with the smallest change (in length) that brings their error down to the radius."""
        missing = self.targets[rows] - codes @ self.atoms
        length = np.linalg.norm(missing, axis=1)
        share = np.maximum(1 - self.radius[rows] / np.where(length > 0, length, 1), 0)
        share[length == 0] = 0
        return np.asarray(codes + (missing * share[:, None]) @ self.inverse)
