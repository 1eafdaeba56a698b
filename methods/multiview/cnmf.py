"""Constrained NMF, CNMF (Liu, Wu, Cai and Huang, 2012): samples of one class get the same coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from methods.checks import is_operator
from methods.coefficients import FEATURES
from methods.data_matrix import DataMatrix
from methods.memory import copies
from methods.multiview.joint import LabelledFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Spec
from methods.starts import best_scale
from methods.stepwise import Solver
from methods.typing import Array, Codes


class CNMF(LabelledFactorization):
    """min ‖X − AZH‖², Z, H ≥ 0, where A gives all labelled samples of a class the same row of Z.

    With D = AᵀA (how many samples share a row) the error is ‖D^{-½}AᵀX − D^{½}ZH‖² plus what samples of a
    class differ among themselves, which no Z can explain. So this is NMF of a smaller matrix, one row a
    class and one an unlabelled sample; the published updates and these are the same numbers.

    >>> X = np.repeat(np.eye(3), 4, axis=0) + 0.1 * np.random.default_rng(0).random((12, 3))
    >>> y = np.array([0, 0, -1, -1, 1, 1, -1, -1, 2, 2, -1, -1])
    >>> model = CNMF(n_components=3, random_state=0, max_iter=50, tol=0).fit(X, y)
    >>> bool((model.embedding_[0] == model.embedding_[1]).all())
    True
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        solver: str = "multiplicative",
        init: Any = "random",
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
        X = self._checked(X)
        codes, facts = self._labels(X, y)
        data, H, W = self._begin(X, facts, warm_start)
        groups = _Groups(codes)
        reduced = DataMatrix(groups.merged(X))
        if warm_start is None and isinstance(self.init, str):
            Z = groups.means(W)
            Z *= best_scale(reduced, H, Z * groups.roots(W.dtype))
        else:
            Z = groups.shared(W, "init" if warm_start is None else "warm_start")
        inner = self._solve(reduced, H, Z * groups.roots(W.dtype))
        return _Expanded(inner, groups, Z, data.squared_norm - reduced.squared_norm)


class _Groups:
    """Which row of Z every sample uses: one a class, then one for each unlabelled sample."""

    def __init__(self, codes: Codes) -> None:
        n_classes, unlabelled = int(codes.max()) + 1, np.flatnonzero(codes < 0)
        self.of = codes.copy()
        self.of[unlabelled] = n_classes + np.arange(unlabelled.size)
        _, self.first, self.sizes = np.unique(self.of, return_index=True, return_counts=True)

    def roots(self, dtype: Any) -> Array:
        """Return the diagonal of D^½ as a column."""
        return np.asarray(np.sqrt(self.sizes)[:, None].astype(dtype))

    def merged(self, X: Any) -> Any:
        """Return D^{-½}AᵀX."""
        merger = self._merger(1 / np.sqrt(self.sizes), X.dtype)
        if is_operator(X):
            return aslinearoperator(merger) @ aslinearoperator(X)
        return merger @ X

    def means(self, W: Array) -> Array:
        """Return the mean row of each group."""
        return np.asarray(self._merger(1 / self.sizes, W.dtype) @ W)

    def shared(self, W: Array, source: str) -> Array:
        """Return the one row that the samples of each group have, or say which differ."""
        Z = W[self.first]
        apart = np.flatnonzero((Z[self.of] != W).any(axis=1))
        if apart.size:
            raise ValueError(
                f"{source}: row {apart[0]} of the embedding differs from another row of its class; "
                "labelled samples of a class must have the same coefficients."
            )
        return Z

    def _merger(self, factors: Array, dtype: Any) -> Any:
        n = self.of.size
        entries = factors[self.of].astype(dtype)
        return sparse.csr_array((entries, (self.of, np.arange(n))), shape=(self.sizes.size, n))


class _Expanded(Solver):
    """NMF of the smaller matrix, shown sample by sample."""

    def __init__(self, inner: Solver, groups: _Groups, Z: Array, spread: float) -> None:
        self._inner, self._groups = inner, groups
        self._spread = max(spread, 0.0)
        self._embedding = Z[groups.of]
        self._roots = groups.roots(Z.dtype)

    def step(self) -> None:
        """Take one step of NMF and hand every sample its coefficients."""
        self._inner.step()
        Z = self._inner.arrays()["embedding"] / self._roots
        np.take(Z, self._groups.of, axis=0, out=self._embedding)

    def terms(self) -> dict[str, float]:
        """Return what could be explained and is not, and what samples of a class differ by."""
        return {**self._inner.terms(), "class_spread": self._spread}

    def arrays(self) -> dict[str, Array]:
        """Return the parts and every sample's coefficients AZ."""
        return {"components": self._inner.arrays()["components"], "embedding": self._embedding}


SPEC = CNMF.spec = Spec(
    id="cnmf",
    title="CNMF",
    family="multiview",
    summary="NMF in which all labelled samples of a class must use the same mixture of parts.",
    objective=r"\min_{U,Z\ge0}\ \lVert X-UZ^\top A^\top\rVert_F^2,\qquad V=AZ,\quad"
    r" A=\begin{pmatrix}C&0\\0&I\end{pmatrix},\ C_{ic}=1\text{ if sample }i\text{ is of class }c",
    update=r"U\leftarrow U\circ\frac{XAZ}{UZ^\top A^\top AZ},\qquad"
    r" Z\leftarrow Z\circ\frac{A^\top X^\top U}{A^\top AZU^\top U}",
    references=(
        "H. Liu, Z. Wu, D. Cai and T. S. Huang. Constrained nonnegative matrix factorization for image "
        "representation. IEEE TPAMI 34, 2012.",
    ),
    params=(N_COMPONENTS, SOLVER, INIT, MAX_ITER, TOL, FEATURES, SEED),
    estimator=CNMF,
    needs=frozenset({"labels", "nonnegative"}),
    monotone=True,
    memory=copies(3),
    cost="4·m·G·k per iteration, G = classes + unlabelled samples: fewer rows than NMF has.",
    corrections=(
        "Labelled samples need not come first, and A is never multiplied out: the updates are those of NMF "
        "on one row a class and one an unlabelled sample."
    ),
    recognition="embedding",
    revision=2,
)
