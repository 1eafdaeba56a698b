"""Minibatch NMF: the parts improve after every thousand samples and not only after all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from methods.checks import check_data
from methods.coefficients import FEATURES
from methods.data_matrix import DataMatrix
from methods.memory import copies
from methods.multiplicative import kernels
from methods.nonnegative.factorization import AdditiveFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, TOL, Facts, Param, Spec
from methods.stepwise import Solver
from methods.typing import Array

_EMBEDDING_SWEEPS, _PART_SWEEPS = 3, 2


class MinibatchNMF(AdditiveFactorization):
    """min ‖X − WH‖², W, H ≥ 0, a batch of rows at a time.

    An iteration looks at `batch_size` samples: it improves their rows of W, then H. All that H depends on are
    the sums WᵀW and WᵀX, which are brought up to date for the batch alone, so that the objective of all
    samples is known without a pass over them, and cannot rise. Samples not yet looked at have no parts.

    >>> X = np.random.default_rng(0).random((300, 3)) @ np.random.default_rng(1).random((3, 8))
    >>> model = MinibatchNMF(n_components=3, batch_size=50, max_iter=600, tol=0, random_state=0).fit(X)
    >>> bool(model.objective_curve_[-1] < 1e-3 * (X**2).sum())
    True
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        batch_size: int = 1024,
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.batch_size = batch_size
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        self._check_params()
        data = DataMatrix(check_data(self, X, nonnegative=True, accept_sparse=True, entries=True))
        rng = check_random_state(self.random_state)
        if warm_start is None and isinstance(self.init, str) and self.init == "random":
            n, m = data.shape
            k = int(self._resolved("n_components", Facts(n, m)))
            H = np.ascontiguousarray(rng.uniform(size=(k, m)), dtype=data.dtype)
            W = np.zeros((n, k), data.dtype)
        else:
            _, H, W = self._begin(data, Facts(*data.shape), warm_start)
        return _BatchByBatch(data, H, W, int(self.batch_size), rng)


class _BatchByBatch(Solver):
    def __init__(self, data: DataMatrix, H: Array, W: Array, size: int, rng: np.random.RandomState) -> None:
        self.data, self.H, self.W = data, H, W
        self._size, self._rng = size, rng
        # In double precision: what a thousand batches have added must still be right.
        self._gram = (W.T @ W).astype(np.float64)
        self._weighted = data.weighted_rows(W, np.empty_like(H)).astype(np.float64)
        self._waiting: list[Array] = []

    def step(self) -> None:
        """Improve the rows of W in the next batch, then H."""
        if not self._waiting:
            self._begin_pass()
        rows = self._waiting.pop()
        X, before = self.data.X[rows], self.W[rows]
        linear = np.ascontiguousarray((X @ self.H.T).T)
        after = before.T.copy(order="C")
        kernels().descend(after, linear, self.H @ self.H.T, _EMBEDDING_SWEEPS)
        self.W[rows] = after.T
        self._gram += after @ after.T - before.T @ before
        self._weighted += (X.T @ (after.T - before)).T
        dtype = self.H.dtype
        kernels().descend(self.H, self._weighted.astype(dtype), self._gram.astype(dtype), _PART_SWEEPS)

    def terms(self) -> dict[str, float]:
        """Return the squared error of all samples."""
        H = self.H.astype(np.float64)
        error = self.data.squared_norm - 2 * np.vdot(self._weighted, H) + np.vdot(self._gram, H @ H.T)
        return {"reconstruction": 0.0 if error < 0 else float(error)}

    def arrays(self) -> dict[str, Array]:
        """Return H as components, W as embedding."""
        return {"components": self.H, "embedding": self.W}

    def _begin_pass(self) -> None:
        """Deal all samples out anew; parts are brought to length 1, which leaves the objective as it is."""
        n = self.data.shape[0]
        self._waiting = np.array_split(self._rng.permutation(n), -(-n // self._size))
        lengths = np.linalg.norm(self.H, axis=1)
        lengths[lengths == 0] = 1
        self.H /= lengths[:, None]
        self.W *= lengths
        self._weighted *= lengths[:, None]
        self._gram *= np.multiply.outer(lengths, lengths)


SPEC = MinibatchNMF.spec = Spec(
    id="minibatch_nmf",
    title="Minibatch NMF",
    family="nonnegative",
    summary="NMF for very many samples: the parts improve after every thousand of them.",
    objective=r"\min_{U,V\ge 0}\ \lVert X-UV^\top\rVert_F^2",
    update=r"V_B\leftarrow\arg\min_{V_B\ge 0}\lVert X_B-UV_B^\top\rVert,\qquad "
    r"u_j\leftarrow\Big[u_j+\frac{(XV)_j-U(V^\top V)_j}{(V^\top V)_{jj}}\Big]^+",
    references=(
        "J. Mairal, F. Bach, J. Ponce and G. Sapiro. Online learning for matrix factorization and sparse "
        "coding. JMLR 11, 2010.",
        "J. Mairal. Incremental majorization-minimization optimization with application to large-scale "
        "machine learning. SIAM Journal on Optimization 25, 2015.",
    ),
    params=(
        N_COMPONENTS,
        Param(
            "batch_size",
            "int",
            1024,
            "How many samples an iteration looks at.",
            symbol="b",
            least=1,
            low=32,
            high=8192,
            scale="log",
            paper="512",
            words="Samples at a time",
        ),
        INIT.but(meaning="Where the run starts: random parts, which nothing uses yet, or half of an SVD."),
        MAX_ITER,
        TOL,
        FEATURES,
        SEED,
    ),
    estimator=MinibatchNMF,
    needs=frozenset({"nonnegative"}),
    monotone=True,
    memory=copies(3),
    cost="4·m·b·k per iteration of b samples + O((m+b)k²), however many samples there are.",
    corrections=(
        "The published online rule forgets how it has coded a sample and adds up codes that were found with "
        "older parts, so that its objective may rise and is only estimated. Here each sample keeps its code: "
        "what it had added is taken back when it is looked at again, and the objective is exact. That takes "
        "N·k numbers."
    ),
)
