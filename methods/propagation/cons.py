"""Learning with local and global consistency, CONS (Zhou, Bousquet, Lal, Weston and Schölkopf, NIPS 2003)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods.memory import spread
from methods.propagation.elimination import absorbed
from methods.propagation.gaussian import GaussianPropagation, graph_params
from methods.propagation.spreading import (
    ROUNDS,
    SETTLED,
    SOLVER,
    UNLIKE_OTHERS,
    SpreadingSolver,
    spread_of,
)
from methods.propagation.weights import LogGraph
from methods.rows import indicator
from methods.spec import Param, Spec
from methods.typing import Array

# exp of more than this would not fit a double.
_MOST = 700.0


class CONS(GaussianPropagation):
    """Every sample listens to its neighbours with weight α and to its own label with weight 1 − α.

        F = (1−α)(I − αS)⁻¹ Y,   S = D^(−½) W D^(−½), W with zero diagonal

    Rows of F divided by their sums are the label distributions. Labelled samples may change
    their mind, which helps when labels are wrong. y holds class codes, -1 where unknown.
    """

    def __init__(
        self,
        alpha: float = 0.99,
        sigma: float = 0.12,
        *,
        graph: str = "full",
        n_neighbors: int = 7,
        solver: str = "exact",
        max_iter: int = 500,
        tol: float = 1e-8,
    ) -> None:
        self.alpha = alpha
        self.sigma = sigma
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> SpreadingSolver:
        X, codes = self._checked(X, y)
        field = ConsistencyField(
            self._graph(X), indicator(codes, self.classes_.size), check_alpha(self.alpha)
        )
        start = self._start(codes, warm_start)
        return SpreadingSolver(field, start, exact=self.solver == "exact", dtype=X.dtype)


class ConsistencyField:
    """Energy ½ Σ wᵢⱼ‖fᵢ/√dᵢ − fⱼ/√dⱼ‖² + (1/α − 1) Σ‖fᵢ − yᵢ‖²."""

    def __init__(self, graph: LogGraph, Y: Array, alpha: float) -> None:
        self.graph, self.Y, self.alpha = graph, Y, alpha
        self.log_degrees = graph.log_degrees()
        self.S = graph.weights(self.log_degrees / 2, self.log_degrees / 2)

    def begin(self, F: Array) -> Array:
        """Return F as it is: nothing is held fast."""
        return F

    def look(self, F: Array) -> Array:
        """Return SF."""
        return np.asarray(self.S @ F)

    def sweep(self, neighbours: Array) -> Array:
        """Return αSF + (1−α)Y."""
        return np.asarray(self.alpha * neighbours + (1 - self.alpha) * self.Y)

    def energy(self, F: Array, neighbours: Array) -> dict[str, float]:
        """Return how much neighbours differ, and how far F is from the labels."""
        return {
            "smoothness": spread_of(np.ones(len(F)), F, neighbours),
            "fit": (1 / self.alpha - 1) * float(np.square(F - self.Y).sum()),
        }

    def solution(self) -> Array:
        """Return (1−α)(I−αS)⁻¹Y as D^½ (I−αD⁻¹W)⁻¹ D^(−½) (1−α)Y: a walk that ends with chance 1−α.

        Elimination finds even the faintest score to full relative accuracy, where a direct
        solver finds only noise beside the largest: a row of faint scores still has a clear winner.
        """
        labelled = self.Y.any(axis=1)
        half = (self.log_degrees - self.log_degrees[labelled].min()) / 2
        B = (1 - self.alpha) * np.exp(-half, where=labelled, out=np.zeros_like(half))[:, None] * self.Y
        walk = self.graph.weights(self.log_degrees - np.log(self.alpha))
        leaving = np.full(len(B), 1 - self.alpha)
        return np.asarray(np.exp(np.clip(half, -_MOST, _MOST))[:, None] * absorbed(walk, leaving, B))


def check_alpha(alpha: float) -> float:
    """Return alpha if it lies between 0 and 1."""
    if not 0 < alpha < 1:
        raise ValueError(f"alpha={alpha!r} must lie between 0 (labels only) and 1 (neighbours only).")
    return float(alpha)


ALPHA = Param(
    "alpha",
    "float",
    0.99,
    "How much a sample listens to its neighbours rather than to its own label; below 1.",
    symbol="α",
    least=0.0,
    low=0.01,
    high=0.99,
)

SPEC = CONS.spec = Spec(
    id="cons",
    title="CONS",
    family="propagation",
    summary="Every sample listens to its neighbours, and a little to its own label, until all agree.",
    objective=(
        r"\tfrac12\sum_{ij}w_{ij}\Bigl\lVert\tfrac{f_i}{\sqrt{d_i}}-\tfrac{f_j}{\sqrt{d_j}}\Bigr\rVert^2"
        r"+\bigl(\tfrac1\alpha-1\bigr)\sum_i\lVert f_i-y_i\rVert^2"
    ),
    update=(
        r"F\leftarrow\alpha SF+(1-\alpha)Y,\qquad F=(1-\alpha)(I-\alpha S)^{-1}Y,"
        r"\quad S=D^{-1/2}WD^{-1/2}"
    ),
    references=(
        "D. Zhou, O. Bousquet, T. N. Lal, J. Weston and B. Schölkopf. Learning with local and global "
        "consistency. NIPS 2003.",
    ),
    params=(
        ALPHA.but(paper="0.99; in the comparison of N²S²L the best of 0.01 … 0.99"),
        *graph_params(0.12),
        SOLVER,
        ROUNDS,
        SETTLED,
    ),
    estimator=CONS,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    monotone=True,
    signed=True,
    memory=spread(3, pairs=5.5),
    cost=(
        "N²m for the weights. Exact: 2N³/3 in matrix products, three N×N matrices; on neighbours only what "
        "is left after sparse elimination is dense. Iterative: N²c or N·p·c a round, some 1/(1−α) rounds."
    ),
    corrections=(
        "The paper drops the factor 1−α from its closed form, which changes no decision; it is kept here."
    ),
    recognition="predict",
    expected_failed_checks=UNLIKE_OTHERS,
)
