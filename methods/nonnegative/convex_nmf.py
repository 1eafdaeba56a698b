"""Convex NMF: the parts are mixtures of the samples (Ding, Li and Jordan, PAMI 2010)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import Tags, check_random_state

from methods.checks import check_data, check_start
from methods.coefficients import FEATURES
from methods.data_matrix import DataMatrix
from methods.memory import copies
from methods.multiplicative import kernels
from methods.nonnegative.factorization import AdditiveFactorization
from methods.spec import CLUSTER_INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Facts, Spec
from methods.starts import blurred_clusters
from methods.stepwise import Solver
from methods.typing import Array, is_sparse

_SWEEPS = 4


class ConvexNMF(AdditiveFactorization):
    """min ‖X − WGX‖², W, G ≥ 0.

    Rows of G (`mixing_`) sum to 1 and say of which samples a part is the mean; rows of GX (`components_`)
    are the parts, W (`embedding_`) how much of each part a sample uses. X may be signed: parts then stay
    among the samples where those of semi-NMF go anywhere. An explicit `init` is the pair (G, W).

    With `solver="accelerated"` W moves by exact coordinate steps, and G by the published rule without its
    root, which is as safe where no two samples have a negative product.

    >>> X = np.random.default_rng(0).standard_normal((30, 6))
    >>> model = ConvexNMF(n_components=4, max_iter=50, tol=0, random_state=0).fit(X)
    >>> bool(np.allclose(model.mixing_ @ X, model.components_))
    True
    """

    mixing_: Array

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

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        self._check_params()
        data = DataMatrix(check_data(self, X, nonnegative=False, accept_sparse=True, entries=True))
        k = int(self._resolved("n_components", Facts(*data.shape)))
        return _MixedSamples(data, *self._start_of(data, k, warm_start), exact=self.solver == "accelerated")

    def _start_of(
        self, data: DataMatrix, k: int, warm_start: Mapping[str, Array] | None
    ) -> tuple[Array, Array]:
        n, start = data.shape[0], self.init
        if warm_start is not None:
            start = warm_start["mixing"], warm_start["embedding"]
        if not isinstance(start, str):
            if not isinstance(start, (tuple, list)) or len(start) != 2:
                raise ValueError("init must be a name or the pair (mixing, embedding).")
            source = "init" if warm_start is None else "warm_start"
            return (
                check_start("mixing", start[0], (k, n), data.dtype, source=source),
                check_start("embedding", start[1], (n, k), data.dtype, source=source),
            )
        rng = check_random_state(self.random_state)
        W = blurred_clusters(data.X, k, rng) if start == "kmeans" else rng.uniform(size=(n, k))
        W = np.ascontiguousarray(W, dtype=data.dtype)
        return np.ascontiguousarray((W / W.sum(axis=0)).T), W

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = False
        return tags


class _MixedSamples(Solver):
    """G, then W; both need the products between samples alone, whatever the number of features."""

    def __init__(self, data: DataMatrix, G: Array, W: Array, *, exact: bool) -> None:
        self.data, self.G, self.W, self.exact = data, G, W, exact
        X = data.X
        products = (X @ X.T).toarray() if is_sparse(X) else X @ X.T
        negative = bool((products < 0).any())
        # K = K⁺ − K⁻; among samples of zero or more there is no K⁻.
        self._plus = np.maximum(products, 0) if negative else products
        self._minus = np.maximum(-products, 0) if negative else None
        self._power = 1.0 if exact and not negative else 0.5
        self.H = np.empty((len(G), data.shape[1]), data.dtype)
        self._look()

    def step(self) -> None:
        """Improve G, make its rows sum to 1, improve W."""
        self._improve_mixing()
        self._normalise()
        self._look()
        if self.exact:
            weights = np.ascontiguousarray(self.W.T)
            linear = np.ascontiguousarray((self._near - self._far).T)
            kernels().descend(weights, linear, self._gram_parts(), _SWEEPS)
            self.W[...] = weights.T
        else:
            self._improve_weights()

    def terms(self) -> dict[str, float]:
        """Return the squared error."""
        grams = (self.W.T @ self.W, self._gram_parts())
        scores = self._near - self._far
        return {"reconstruction": self.data.squared_error(self.W, self.H, scores, grams)}

    def arrays(self) -> dict[str, Array]:
        """Return the parts GX as components, W as embedding, and G."""
        return {"mixing": self.G, "components": self.H, "embedding": self.W}

    def _look(self) -> None:
        """Keep the parts, and their products with all samples: K⁺Gᵀ and K⁻Gᵀ."""
        self.data.weighted_rows(self.G.T, self.H)
        self._near, self._far = self._products(self.G.T)

    def _products(self, mixtures: Array) -> tuple[Array, Array]:
        near = self._plus @ mixtures
        return near, np.zeros_like(near) if self._minus is None else self._minus @ mixtures

    def _gram_parts(self) -> Array:
        return np.asarray(self.G @ (self._near - self._far))

    def _improve_mixing(self) -> None:
        near, far = self._products(self.W)
        gram = self.W.T @ self.W
        rise, fall = near.T + gram @ self._far.T, far.T + gram @ self._near.T
        _multiply(self.G, rise, fall, self._power)

    def _improve_weights(self) -> None:
        # GK⁺Gᵀ and GK⁻Gᵀ, where the paper writes the products with W in another order.
        rise = self._near + self.W @ (self.G @ self._far)
        fall = self._far + self.W @ (self.G @ self._near)
        _multiply(self.W, rise, fall, 0.5)

    def _normalise(self) -> None:
        sums = self.G.sum(axis=1)
        sums[sums == 0] = 1
        self.G /= sums[:, None]
        self.W *= sums


def _multiply(factor: Array, rise: Array, fall: Array, power: float) -> None:
    # Where the denominator is zero the entry is zero or its part is: it stays as it is.
    ratio = np.divide(rise, fall, out=np.ones_like(factor), where=fall > 0)
    factor *= np.sqrt(ratio) if power == 0.5 else ratio


SPEC = ConvexNMF.spec = Spec(
    id="convex_nmf",
    title="Convex NMF",
    family="nonnegative",
    summary="The parts are mixtures of samples, a few each: they look like what they were made of.",
    objective=r"\min_{G,V\ge 0}\ \lVert X-XGV^\top\rVert_F^2",
    update=r"G\leftarrow G\circ\sqrt{\frac{K^+V+K^-GV^\top V}{K^-V+K^+GV^\top V}},\qquad "
    r"V\leftarrow V\circ\sqrt{\frac{K^+G+VG^\top K^-G}{K^-G+VG^\top K^+G}},\qquad K=X^\top X",
    references=(
        "C. Ding, T. Li and M. I. Jordan. Convex and semi-nonnegative matrix factorizations. "
        "IEEE TPAMI 2010.",
    ),
    params=(N_COMPONENTS, SOLVER, CLUSTER_INIT, MAX_ITER, TOL, FEATURES, SEED),
    estimator=ConvexNMF,
    monotone=True,
    signed=True,
    instead="semi_nmf",
    memory=copies(2, pairs=5),
    cost="4·N²·k per iteration and 2·m·N·k for the parts to look at; N²·m once, and N² numbers.",
    corrections=(
        "Between non-negative samples K⁻ is zero and the root is not needed: without it the rule is that of "
        "Lee and Seung for a quadratic, as safe, and twice as bold. Rows of G are scaled to sum to 1, "
        "and W the other way, which leaves the objective as it is."
    ),
)
