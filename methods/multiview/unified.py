"""The steps of SULF: one embedding V of all views, a classifier W on its labelled rows, view weights π.

    F = Σ_p π_p ‖X_p − V H_p‖² + λ‖π‖² + β‖V_l W − Y‖² + γ Σ_k √(‖v_k‖²‖w_k‖² + ε)

Rows are samples (the paper's U^p is H_pᵀ, its V is Vᵀ). Columns v_k of V have length 1 after every iteration,
where the last term is the paper's ‖W‖₂,₁. Written with ‖v_k‖ it does not change when lengths are moved from
V into H and W, and it can be told what a longer v_k would cost: that is the pull μ_k below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from methods.data_matrix import DataMatrix
from methods.multiview.view_weights import best_weights
from methods.stepwise import Solver
from methods.typing import Array, Codes

# ε: a row of W shorter than 10⁻⁴ counts as zero.
SMOOTHING = 1e-8
PRINTED_ITERATIONS = 20
_FIRST_ROUNDS, _ROUNDS = 50, 5


@dataclass(frozen=True)
class Labels:
    """The labelled rows, and one column a class with a 1 for each of them."""

    rows: Codes
    Y: Array

    @classmethod
    def of(cls, codes: Codes, n_classes: int, dtype: Any) -> Labels:
        """Return the labels behind class codes, -1 where unknown."""
        rows = np.flatnonzero(codes >= 0)
        return cls(rows, np.eye(n_classes, dtype=dtype)[codes[rows]])

    def pull(self, V: Array) -> float:
        """Return max_k ‖(V_lᵀY)_k‖ for columns of length 1, which is γ_max/2β."""
        pulls = np.sqrt(np.square(V[self.rows].T @ self.Y.astype(np.float64)).sum(axis=1))
        lengths = np.sqrt(np.square(V, dtype=np.float64).sum(axis=0))
        shares = np.divide(pulls, lengths, out=np.zeros_like(pulls), where=lengths > 0)
        return float(shares.max())


@dataclass(frozen=True)
class Weighing:
    """What the parts of the objective count: λ, β, γ, γ/β (which stays finite at β = 0), and who sets π.

    `pull` is γ_max/2β, which a later run needs to go on.
    """

    evenness: float
    beta: float
    gamma: float
    ratio: float
    learns_weights: bool
    printed: bool
    pull: float


class UnifiedFactors(Solver):
    """H_p, V, π, and W refitted to the V it is shown with: the paper's cycle, seen after its first step.

    A `lone` view is shown as one matrix.
    """

    def __init__(
        self,
        views: Sequence[DataMatrix],
        H: list[Array],
        V: Array,
        weights: Array,
        W: Array | None,
        labels: Labels,
        weighing: Weighing,
        *,
        lone: bool = False,
    ) -> None:
        self.views, self.H, self.V, self.weights = views, H, V, weights
        self.labels, self.weighing, self._lone = labels, weighing, lone
        self._floor = float(np.finfo(V.dtype).tiny / np.finfo(V.dtype).eps)
        self._n_steps = 0
        for view, part in zip(views, H, strict=True):
            view.fill(V, part)
        self._scores = [view.scores(part, np.empty_like(V)) for view, part in zip(views, H, strict=True)]
        self._grams = [part @ part.T for part in H]
        self._weighted = [np.empty_like(part) for part in H]
        self._look_at_embedding()
        self._update_errors()
        self.W = self._refitted(W, _FIRST_ROUNDS) if W is None else W

    def step(self) -> None:
        """Update the parts of every view, the embedding, the weights; refit the classifier."""
        for index, view in enumerate(self.views):
            numerator = view.weighted_rows(self.V, self._weighted[index])
            self.H[index] *= self._ratio(numerator, self._gram_V @ self.H[index])
            view.fill(self.V, self.H[index])
            view.scores(self.H[index], self._scores[index])
            self._grams[index] = self.H[index] @ self.H[index].T
        self._update_embedding()
        if not self.weighing.printed:
            self._normalise()
        self._look_at_embedding()
        self._update_errors()
        if self.weighing.learns_weights:
            self.weights[...] = best_weights(self.errors, self.weighing.evenness)
        self.W = self._refitted(self.W, _ROUNDS)
        self._n_steps += 1
        self.done = self.weighing.printed and self._n_steps >= PRINTED_ITERATIONS

    def terms(self) -> dict[str, float]:
        """Return the four parts of F."""
        weighing = self.weighing
        squares = np.square(self.W, dtype=np.float64).sum(axis=1)
        missed = self.V[self.labels.rows] @ self.W - self.labels.Y
        lengths = np.sqrt(self._lengths * squares + SMOOTHING).sum()
        return {
            "reconstruction": float(self.weights @ self.errors),
            "evenness": float(weighing.evenness * (self.weights @ self.weights)),
            "classification": float(weighing.beta * np.square(missed, dtype=np.float64).sum()),
            "row_sparsity": float(weighing.gamma * lengths) if weighing.gamma > 0 else 0.0,
        }

    def arrays(self) -> dict[str, Any]:
        """Return the parts of each view, the embedding, the weights and errors of views, W, and γ_max/2β."""
        return {
            "components": self.H[0] if self._lone else list(self.H),
            "embedding": self.V,
            "view_weights": self.weights,
            "view_errors": self.errors,
            "classifier": self.W,
            "label_pull": np.array(self.weighing.pull),
        }

    def _update_embedding(self) -> None:
        V, weighing, rows = self.V, self.weighing, self.labels.rows
        weights = self.weights.astype(V.dtype)
        grow = sum(weight * score for weight, score in zip(weights, self._scores, strict=True))
        shrink = V @ sum(weight * gram for weight, gram in zip(weights, self._grams, strict=True))
        if weighing.beta > 0:
            W = self.W.astype(V.dtype)
            if not weighing.printed:
                shrink += self._pull() * V
            for_labels, against = self._label_sides(V[rows], W)
            grow[rows] += for_labels
            shrink[rows] += against
        ratio = self._ratio(grow, shrink)
        rooted = slice(None) if weighing.printed else rows if weighing.beta > 0 else slice(0)
        ratio[rooted] = np.sqrt(ratio[rooted])
        V *= ratio

    def _label_sides(self, V_l: Array, W: Array) -> tuple[Array, Array]:
        """Return what the labels add to the numerator and to the denominator of V_l."""
        beta = self.weighing.beta
        target = beta * (self.labels.Y @ W.T)
        grow, shrink = np.maximum(target, 0), np.maximum(-target, 0)
        if not self.weighing.printed:
            gram = beta * (W @ W.T)
            grow += V_l @ np.maximum(-gram, 0)
            shrink += V_l @ np.maximum(gram, 0)
        return grow, shrink

    def _pull(self) -> Array:
        """Return μ: √ is concave, so μ_k‖v_k‖² bounds from above how its term grows with v_k."""
        squares = np.square(self.W, dtype=np.float64).sum(axis=1)
        pull = self.weighing.gamma * squares / (2 * np.sqrt(self._lengths * squares + SMOOTHING))
        return np.asarray(pull, dtype=self.V.dtype)

    def _ratio(self, grow: Array, shrink: Array) -> Array:
        # Where the denominator vanishes so does the entry or its part: it stays as it is.
        return np.divide(grow, shrink, out=np.ones_like(grow), where=~(shrink <= self._floor))

    def _normalise(self) -> None:
        """Move the lengths of the columns of V into H and W, which leaves F as it is."""
        norms = np.sqrt(np.square(self.V, dtype=np.float64).sum(axis=0))
        norms[norms == 0] = 1
        lengths = norms.astype(self.V.dtype)
        self.V /= lengths
        for index, part in enumerate(self.H):
            part *= lengths[:, None]
            self._scores[index] *= lengths
            self._grams[index] *= np.multiply.outer(lengths, lengths)
        self.W = self.W * norms[:, None]

    def _look_at_embedding(self) -> None:
        self._gram_V = self.V.T @ self.V
        lengths = np.diagonal(self._gram_V).astype(np.float64)
        self._lengths = np.ones_like(lengths) if self.weighing.printed else lengths

    def _update_errors(self) -> None:
        """Work out ‖X_p − V H_p‖² from the products at hand."""
        self.errors = np.array(
            [
                view.squared_error(self.V, part, scores, (self._gram_V, gram))
                for view, part, scores, gram in zip(
                    self.views, self.H, self._scores, self._grams, strict=True
                )
            ]
        )

    def _refitted(self, W: Array | None, rounds: int) -> Array:
        V_l = self.V[self.labels.rows].astype(np.float64)
        return refit(W, V_l.T @ V_l, V_l.T @ self.labels.Y, self._lengths, self.weighing.ratio, rounds)


def refit(W: Array | None, gram: Array, targets: Array, lengths: Array, ratio: float, rounds: int) -> Array:
    """Return W after some rounds of reweighted least squares (15), each of which can only lower F.

    ‖V_l W − Y‖² + ratio Σ_k √(lengths_k‖w_k‖² + ε), given gram = V_lᵀV_l and targets = V_lᵀY.
    """
    if ratio == 0:
        return _solved(gram, targets)
    for _ in range(rounds):
        squares = np.ones(len(gram)) if W is None else np.square(W).sum(axis=1)
        stiffness = lengths / (2 * np.sqrt(lengths * squares + SMOOTHING))
        # A column of V that is zero leaves its row of W open: it is made zero.
        stiffness[lengths == 0] = 1
        W = _solved(gram + ratio * np.diag(stiffness), targets)
    assert W is not None
    return W


def _solved(A: Array, targets: Array) -> Array:
    if not (np.isfinite(A).all() and np.isfinite(targets).all()):
        return np.full_like(targets, np.nan)
    try:
        # Ones on the diagonal: rows of W that are nearly zero are stiffer by orders of magnitude.
        scale = np.sqrt(np.diagonal(A))
        scale[scale == 0] = 1
        solution = np.linalg.solve(A / np.multiply.outer(scale, scale), targets / scale[:, None])
        return np.asarray(solution / scale[:, None])
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(A, targets, rcond=None)[0])
