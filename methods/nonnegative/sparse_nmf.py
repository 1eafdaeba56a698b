"""Sparse NMF: as few parts a sample, or as few features a part, as one asks for (Hoyer, 2002 and 2004)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods.coefficients import FEATURES
from methods.data_matrix import DataMatrix
from methods.hoyer import most_alike
from methods.incomplete import data_matrix
from methods.memory import copies
from methods.multiplicative import kernels
from methods.nonnegative.factorization import FrobeniusFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, TOL, Facts, Param, Spec
from methods.stepwise import Solver
from methods.typing import Array

_SWEEPS = 3


class SparseNMF(FrobeniusFactorization):
    """NMF that is told how sparse to be, by a price on entries or by a sparseness to keep.

        F = ‖X − WH‖² + λ_W Σ_j ‖h_j‖₂‖w_j‖₁ + λ_H Σ_j ‖h_j‖₁/‖h_j‖₂ ,   W, H ≥ 0

    Neither price changes when length is moved between a part and its coefficients, so neither can be evaded.
    Prices are shares of what is typical of the data: multiplying X by a number multiplies W by it and leaves
    H as it is. With `hoyer_parts` (or `hoyer_embedding`) every part (or every column of W) has exactly that
    sparseness, (√m − ‖h‖₁/‖h‖₂)/(√m − 1): 0 for even entries, 1 for a single one.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((30, 3)) @ np.random.default_rng(1).random((3, 16))
    >>> from methods.hoyer import sparseness
    >>> model = SparseNMF(n_components=3, hoyer_parts=0.6, max_iter=50, tol=0, random_state=0).fit(X)
    >>> bool(np.allclose(sparseness(model.components_), 0.6))
    True
    """

    solver = "exact"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        sparse_embedding: float = 0.1,
        sparse_parts: float = 0.0,
        hoyer_embedding: float | None = None,
        hoyer_parts: float | None = None,
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.sparse_embedding = sparse_embedding
        self.sparse_parts = sparse_parts
        self.hoyer_embedding = hoyer_embedding
        self.hoyer_parts = hoyer_parts
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _solver(
        self,
        X: Any,
        y: Any,
        warm_start: Mapping[str, Array] | None,
        mask: Any = None,
        fixed: Any = None,
        seeds: Any = None,
    ) -> Solver:
        data = data_matrix(self._checked(X), mask)
        for name in ("hoyer_embedding", "hoyer_parts"):
            value = getattr(self, name)
            if value is not None and value > 1:
                raise ValueError(f"{name}={value!r} must lie between 0 (even) and 1 (a single entry).")
        _, H, W = self._begin(data, Facts(*data.shape), warm_start)
        held = self._placed(data, H, W, warm_start, fixed, seeds)
        n, m = data.shape
        # What a sample is long, and what a part's even entries get from its share of the data.
        price_W = 2 * self.sparse_embedding * np.sqrt(data.squared_norm / n)
        price_H = 2 * self.sparse_parts * data.squared_norm / (len(H) * np.sqrt(m))
        return _ExactParts(data, H, W, price_W, price_H, self.hoyer_embedding, self.hoyer_parts, held)


class _ExactParts(Solver):
    """One part after the other, each set to its exact minimiser of length 1; then the embedding."""

    def __init__(
        self,
        data: DataMatrix,
        H: Array,
        W: Array,
        price_W: float,
        price_H: float,
        hoyer_W: float | None,
        hoyer_H: float | None,
        held: int,
    ) -> None:
        self.data, self.H, self.W = data, H, np.ascontiguousarray(W.T)
        self.price_W, self.price_H = price_W, price_H
        self.hoyer_W, self.hoyer_H = hoyer_W, hoyer_H
        # The first `held` parts stay as they are, up to their length.
        self.held = held
        self._descend = kernels().descend
        self._weighted, self._scores = np.empty_like(H), np.empty_like(self.W)
        # A start that has not the sparseness that is kept from now on is brought to it.
        for factor, hoyer in ((H[held:], hoyer_H), (self.W, hoyer_W)):
            if hoyer is not None:
                for row in factor:
                    row[...] = np.linalg.norm(row) * most_alike(row, hoyer)
        data.fill(self.W.T, H)
        data.scores(H, self._scores.T)
        self._look()

    def step(self) -> None:
        """Improve every part, then the embedding."""
        self._normalise()
        self.data.fill(self.W.T, self.H)
        self.data.weighted_rows(self.W.T, self._weighted)
        gram = self.W @ self.W.T
        for _ in range(_SWEEPS):
            for j in self.held + np.flatnonzero(np.diagonal(gram)[self.held :] > 0):
                pull = self._weighted[j] - gram[j] @ self.H + gram[j, j] * self.H[j]
                self.H[j] = self._best_part(pull)
        self.data.fill(self.W.T, self.H)
        self.data.scores(self.H, self._scores.T)
        self._improve_embedding(self.H @ self.H.T)
        self._look()

    def terms(self) -> dict[str, float]:
        """Return the squared error and what the entries of both factors cost."""
        return dict(self._terms)

    def arrays(self) -> dict[str, Array]:
        """Return H as components, W as embedding."""
        return {"components": self.H, "embedding": self.W.T}

    def _best_part(self, pull: Array) -> Array:
        """Return the h ≥ 0 of length 1 that minimises −2⟨pull, h⟩ + λ_H‖h‖₁, sparse as it has to be."""
        if self.hoyer_H is not None:
            return most_alike(pull, self.hoyer_H)
        left = np.maximum(pull - pull.dtype.type(self.price_H / 2), 0)
        length = np.linalg.norm(left)
        if length > 0:
            return np.asarray(left / length)
        # Everything costs more than it brings: of length 1, a single entry costs least.
        single = np.zeros_like(pull)
        single[pull.argmax()] = 1
        return single

    def _improve_embedding(self, gram: Array) -> None:
        price = self.W.dtype.type(self.price_W / 2)
        if self.hoyer_W is None:
            self._descend(self.W, self._scores - price, gram, _SWEEPS)
            return
        for _ in range(_SWEEPS):
            for j, row in enumerate(self.W):
                pull = self._scores[j] - price - gram[j] @ self.W + gram[j, j] * row
                shape = most_alike(pull, self.hoyer_W)
                row[...] = max(float(pull @ shape), 0.0) / gram[j, j] * shape

    def _normalise(self) -> None:
        lengths = np.linalg.norm(self.H, axis=1)
        empty = lengths == 0
        self.W[empty] = 0
        self.H[empty] = self.H.shape[1] ** -0.5
        lengths[empty] = 1
        self.H /= lengths[:, None]
        self.W *= lengths[:, None]

    def _look(self) -> None:
        grams = (self.W @ self.W.T, self.H @ self.H.T)
        lengths = np.sqrt(np.diagonal(grams[1]).astype(np.float64))
        sums = self.H.sum(axis=1, dtype=np.float64)
        even = np.full(len(sums), np.sqrt(self.H.shape[1]))
        spread = np.divide(sums, lengths, out=even, where=lengths > 0)
        self._terms = {
            "reconstruction": self.data.squared_error(self.W.T, self.H, self._scores.T, grams),
            "embedding_price": float(self.price_W * (lengths @ self.W.sum(axis=1, dtype=np.float64))),
            "parts_price": float(self.price_H * spread.sum()),
        }


def _share(name: str, default: float, meaning: str, words: str, symbol: str) -> Param:
    return Param(
        name,
        "float",
        default,
        meaning,
        symbol=symbol,
        least=0.0,
        low=0.0,
        high=1.0,
        words=words,
        paper="an absolute number, whatever the scale of the data",
    )


def _sparseness(name: str, meaning: str, words: str) -> Param:
    return Param(
        name, "float", None, meaning, least=0.0, low=0.0, high=1.0, words=words, unset="free", advanced=True
    )


SPEC = SparseNMF.spec = Spec(
    id="sparse_nmf",
    title="Sparse NMF",
    family="nonnegative",
    summary="NMF that is told how sparse to be: few parts a sample, few features a part.",
    objective=r"\lVert X-UV^\top\rVert_F^2+\lambda_V\sum_j\lVert u_j\rVert_2\lVert v_j\rVert_1"
    r"+\lambda_U\sum_j\frac{\lVert u_j\rVert_1}{\lVert u_j\rVert_2},\qquad U,V\ge 0",
    update=r"u_j\leftarrow\frac{[R_jv_j-\lambda_U/2]^+}{\lVert[R_jv_j-\lambda_U/2]^+\rVert},\qquad"
    r" v_j\leftarrow[R_j^\top u_j-\lambda_V/2]^+,\qquad R_j=X-\sum_{i\ne j}u_iv_i^\top",
    references=(
        "P. O. Hoyer. Non-negative matrix factorization with sparseness constraints. JMLR 5, 2004.",
        "M. Thom and G. Palm. Sparse activity and sparse connectivity in supervised learning. JMLR 14, 2013.",
    ),
    params=(
        N_COMPONENTS,
        _share(
            "sparse_embedding",
            0.1,
            "The price of using a part, as a share of the length of a typical sample; 0: free.",
            "Few parts a sample",
            "λ_V",
        ),
        _share(
            "sparse_parts",
            0.0,
            "The price of an entry of a part, as a share of what entries of an even part get; 0: free.",
            "Few features a part",
            "λ_U",
        ),
        _sparseness(
            "hoyer_embedding",
            "Sparseness that each part's use over the samples keeps: 0 even, 1 a single one; empty: free.",
            "Sparseness of each part's use",
        ),
        _sparseness(
            "hoyer_parts",
            "Sparseness that each part keeps: 0 even, 1 a single feature; empty: free.",
            "Sparseness of parts",
        ),
        INIT,
        MAX_ITER,
        TOL,
        FEATURES,
        SEED,
    ),
    estimator=SparseNMF,
    needs=frozenset({"nonnegative"}),
    takes=frozenset({"holes", "parts"}),
    monotone=True,
    memory=copies(2),
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k²).",
    corrections=(
        "The published ℓ1 price is on coefficients alone: parts that grow evade it, and what a price "
        "means depends on the scale of X. Here both prices stay the same when length moves, and are shares "
        "of what is typical. Published as gradient steps with a search for their length; for one part at a "
        "time the best one of the sparseness asked for is known exactly, and no step can raise the objective."
    ),
)
