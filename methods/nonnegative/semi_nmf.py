"""Semi-NMF: signed parts, non-negative coefficients (Ding, Li and Jordan, PAMI 2010)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils import Tags, check_random_state

from methods.checks import check_data, check_start
from methods.coefficients import FEATURES
from methods.data_matrix import DataMatrix
from methods.given_parts import place_parts
from methods.incomplete import data_matrix
from methods.memory import copies
from methods.nonnegative.factorization import AdditiveFactorization
from methods.spec import CLUSTER_INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Facts, Spec
from methods.starts import blurred_clusters
from methods.stepwise import Solver
from methods.typing import Array

_SWEEPS = 4


class SemiNMF(AdditiveFactorization):
    """min ‖X − WC‖², W ≥ 0, C of any sign.

    Rows of C (`components_`) are like cluster centres, W (`embedding_`) says how much a sample
    belongs to each. C is solved for exactly; W follows by the published multiplicative rule or,
    with `solver="accelerated"`, by exact coordinate steps on the same objective. X may be signed.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((30, 6))
    >>> model = SemiNMF(n_components=4, max_iter=100, tol=0, random_state=0).fit(X)
    >>> bool((model.embedding_ >= 0).all()), bool((model.components_ < 0).any())
    (True, True)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        solver: str = "multiplicative",
        init: Any = "kmeans",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
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
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, holes=True)
        data = data_matrix(X, mask)
        k = int(self._resolved("n_components", Facts(X.shape[0], X.shape[1])))
        kind = _MultiplicativeWeights if self.solver == "multiplicative" else _CoordinateWeights
        C, W = self._start(data, k, warm_start)
        return kind(data, C, W, place_parts(C, fixed, seeds, signed=True))

    def _start(self, data: DataMatrix, k: int, warm_start: Mapping[str, Array] | None) -> tuple[Array, Array]:
        n, m = data.shape
        if warm_start is not None or not isinstance(self.init, str):
            source = "init" if warm_start is None else "warm_start"
            C, W = self._explicit_start(warm_start)
            return (
                check_start("components", C, (k, m), data.dtype, source=source, signed=True),
                check_start("embedding", W, (n, k), data.dtype, source=source),
            )
        rng = check_random_state(self.random_state)
        W = blurred_clusters(data.X, k, rng) if self.init == "kmeans" else rng.uniform(size=(n, k))
        W = np.ascontiguousarray(W, dtype=data.dtype)
        return best_parts(data, W, np.empty((k, m), data.dtype)), W

    def _explicit_start(self, warm_start: Mapping[str, Array] | None) -> tuple[Any, Any]:
        if warm_start is not None:
            return warm_start["components"], warm_start["embedding"]
        if not isinstance(self.init, (tuple, list)) or len(self.init) != 2:
            raise ValueError("init must be a name or the pair (components, embedding).")
        return self.init[0], self.init[1]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = False
        return tags


def best_parts(data: DataMatrix, W: Array, out: Array, held: int = 0) -> Array:
    """Write the C that minimises ‖X − WC‖², (WᵀW)⁺WᵀX, into `out`; its first rows stay if they are `held`."""
    # In double precision: the squared condition of W is too much for float32.
    wide = W.astype(np.float64, copy=False)
    gram = wide.T @ wide
    seen = data.weighted_rows(W, np.empty_like(out))
    out[held:] = linalg.pinvh(gram[held:, held:]) @ (seen[held:] - gram[held:, :held] @ out[:held])
    return out


class _Alternating(Solver):
    """C exactly, then W by the subclass; two products with the data per iteration."""

    def __init__(self, data: DataMatrix, C: Array, W: Array, held: int = 0) -> None:
        # The first `held` parts stay as they are.
        self.data, self.C, self.W, self.held = data, C, W, held
        self._scores = np.empty_like(W)
        self._look_at_parts()

    def step(self) -> None:
        """Solve for C, then improve W."""
        self.data.fill(self.W, self.C)
        best_parts(self.data, self.W, self.C, self.held)
        self._look_at_parts()
        self._improve_weights()

    def terms(self) -> dict[str, float]:
        """Return the squared error."""
        grams = (self.W.T @ self.W, self._gram)
        return {"reconstruction": self.data.squared_error(self.W, self.C, self._scores, grams)}

    def arrays(self) -> dict[str, Array]:
        """Return C as components, W as embedding."""
        return {"components": self.C, "embedding": self.W}

    def _look_at_parts(self) -> None:
        self.data.fill(self.W, self.C)
        self.data.scores(self.C, self._scores)
        self._gram = self.C @ self.C.T

    def _improve_weights(self) -> None:
        raise NotImplementedError


class _MultiplicativeWeights(_Alternating):
    """The published rule: W ← W ∘ √[((XCᵀ)⁺ + W(CCᵀ)⁻) / ((XCᵀ)⁻ + W(CCᵀ)⁺)]."""

    def _improve_weights(self) -> None:
        W, scores, gram = self.W, self._scores, self._gram
        grow = np.maximum(scores, 0) + W @ np.maximum(-gram, 0)
        shrink = np.maximum(-scores, 0) + W @ np.maximum(gram, 0)
        # Where the denominator is zero the entry is zero or its part is: it stays as it is.
        np.divide(grow, shrink, out=grow, where=shrink > 0)
        grow[shrink <= 0] = 1
        W *= np.sqrt(grow, out=grow)


class _CoordinateWeights(_Alternating):
    """A few sweeps over the columns of W, each set to its exact minimiser."""

    def _improve_weights(self) -> None:
        # Transposed, so that a column of W is contiguous.
        weights, scores = np.ascontiguousarray(self.W.T), np.ascontiguousarray(self._scores.T)
        curvature = np.diagonal(self._gram)
        for _ in range(_SWEEPS):
            for j in np.flatnonzero(curvature > 0):
                pull = scores[j] - self._gram[j] @ weights
                pull /= curvature[j]
                pull += weights[j]
                np.maximum(pull, 0, out=weights[j])
        self.W[...] = weights.T


SPEC = SemiNMF.spec = Spec(
    id="semi_nmf",
    title="Semi-NMF",
    family="nonnegative",
    summary="Only the coefficients must be non-negative: a soft clustering that also takes signed data.",
    objective=r"\min_{V\ge 0}\ \lVert X-UV\rVert_F^2",
    update=r"U = XV^\top(VV^\top)^{-1},\qquad V \leftarrow V\circ\sqrt{\frac{(U^\top X)^+ +(U^\top U)^-V}"
    r"{(U^\top X)^- +(U^\top U)^+V}}",
    references=(
        "C. Ding, T. Li and M. I. Jordan. Convex and semi-nonnegative matrix factorizations. "
        "IEEE TPAMI 2010.",
    ),
    params=(
        N_COMPONENTS,
        SOLVER,
        CLUSTER_INIT,
        MAX_ITER,
        TOL,
        FEATURES,
        SEED,
    ),
    estimator=SemiNMF,
    takes=frozenset({"holes", "parts"}),
    monotone=True,
    signed=True,
    memory=copies(3),
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k² + k³).",
    corrections=(
        "VVᵀ is singular when parts coincide or one is unused: its pseudo-inverse is taken, which still "
        "gives an exact minimiser."
    ),
)
