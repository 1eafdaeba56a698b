"""Kernel principal component analysis (Schölkopf, Smola and Müller, 1998), Gaussian or polynomial."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_data
from methods.kernel.kernels import (
    DEGREE,
    SIGMA,
    Kernel,
    Polynomial,
    check_degree,
    check_sigma,
    gaussian_kernel,
    refuse_operator,
    refuse_overflow,
    squared_lengths,
)
from methods.leading import leading_eigenpairs
from methods.memory import copies
from methods.spec import Facts, Param, Spec
from methods.stepwise import Solver, StepwiseTransformer
from methods.typing import Array

# Products from which it matters in which precision; single will do for eigenvalues this much of the largest.
_LARGE, _SINGLE_LEAST = 2**28, 1e-4


class KernelPCA(StepwiseTransformer):
    """Directions of largest variance in the space of a kernel.

    Step i lets the i-th component in; the objective is the variance in feature space that is
    left. `dual_components_` (k × training rows) are the weights of the centred training rows in
    each unit direction; `components_` is the same mixture of the rows themselves. Coordinates times
    these, moved by `mean_`, are the pre-images that least squares finds among all linear maps from
    coordinates to rows: exact for a linear kernel, and for any other as soon as k = n − 1.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((30, 6))
    >>> KernelPCA(n_components=4).fit(X).embedding_.shape
    (30, 4)
    """

    dual_components_: Array
    mean_: Array

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: str = "gaussian",
        sigma: float = 1.0,
        degree: float = 2.0,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        check_sigma(self.sigma)
        check_degree(self.degree)
        self._check_params()
        X = self._checked(X, reset=True)
        n = X.shape[0]
        k = int(self._resolved("n_components", Facts(n, X.shape[1])))
        if k > n:
            raise ValueError(f"n_components={k} is more than there are: {n} samples give at most {n}.")
        # A copy: features of unseen rows depend on these rows, which the caller may go on to change.
        self.X_fit_ = X.copy()
        single = X.dtype == np.float32 and self.kernel == "gaussian" and n * n * X.shape[1] > _LARGE
        solver = self._components(X, k, in_single=single)
        if single and not solver.shortest > _SINGLE_LEAST:
            solver = self._components(X, k, in_single=False)
        return solver

    def _components(self, X: Any, k: int, *, in_single: bool) -> _KernelComponents:
        self.kernel_, K = self._kernel(X, in_single)
        self.kernel_mean_ = K.mean(axis=0, dtype=np.float64)
        # A power that is no whole number may leave the kernel no inner product.
        definite = self.kernel == "gaussian" or float(self.degree).is_integer()
        return _KernelComponents(_centred(K, self.kernel_mean_), X, k, definite)

    def _kernel(self, X: Any, in_single: bool) -> tuple[Kernel, Array]:
        if self.kernel == "gaussian":
            return gaussian_kernel(X, self.sigma, in_single=in_single)
        refuse_overflow(float(squared_lengths(X).max()), float(self.degree), X.shape[0], np.float64)
        kernel = Polynomial(float(self.degree))
        return kernel, kernel(X, X)

    def _checked(self, X: Any, reset: bool) -> Any:
        refuse_operator(type(self).__name__, X)
        # Powers that are no whole numbers exist only for products that cannot be negative.
        fractional = self.kernel == "polynomial" and float(self.degree) % 1 != 0
        return check_data(self, X, nonnegative=fractional, reset=reset, accept_sparse=True)

    def transform(self, X: Any) -> Array:
        """Return the coordinates of rows on the components in feature space."""
        check_is_fitted(self, "dual_components_")
        X = self._checked(X, reset=False)
        coordinates = _centred(self.kernel_(X, self.X_fit_), self.kernel_mean_) @ self.dual_components_.T
        return np.asarray(coordinates.astype(np.result_type(X.dtype, self.embedding_.dtype)))

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows that coordinates stand for: for a kernel that bends space, approximately."""
        return np.asarray(Z @ self.components_ + self.mean_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class _KernelComponents(Solver):
    def __init__(self, K: Array, X: Any, k: int, definite: bool) -> None:
        # Where no eigenvalue is negative, the trace tells the sum of those that nobody needs one by one.
        values, vectors = leading_eigenpairs(K, k if definite else len(K))
        # What is only rounding, or negative since K is no inner product, is no direction at all.
        values = values * (values > len(K) * np.finfo(K.dtype).eps * values[0])
        total = np.trace(K, dtype=np.float64) if definite else values.sum()
        values, vectors = values[:k], vectors[:, :k]
        # The last eigenvalue in terms of the first.
        self.shortest = float(values[-1] / values[0]) if values[0] > 0 else 0.0
        self._left_over = np.append(total, total - np.cumsum(values)).clip(0)
        lengths = np.sqrt(values)
        # The sign of an eigenvector is arbitrary: the largest entry is made positive.
        signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(k)])
        scores = vectors * (lengths * signs)
        dual = np.divide(scores, lengths**2, out=np.zeros_like(scores), where=lengths > 0).T
        # The centred rows and the rows themselves mix alike: the weights of a component sum to 0. So parts
        # say nothing of the mean, which whoever adds them up has to add as well.
        self._mean = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel().astype(X.dtype)
        self._whole = {
            "components": np.asarray((X.T @ dual.T.astype(X.dtype)).T),
            "dual_components": dual.astype(X.dtype),
            "embedding": scores.T.astype(X.dtype),
        }
        self._output = {name: np.zeros_like(array) for name, array in self._whole.items()}
        self._count = 0

    def step(self) -> None:
        """Add one more component."""
        for name, array in self._output.items():
            array[self._count] = self._whole[name][self._count]
        self._count += 1
        self.done = self._count == len(self._output["components"])

    def terms(self) -> dict[str, float]:
        """Return the variance in feature space left with the components shown."""
        return {"reconstruction": float(self._left_over[self._count])}

    def arrays(self) -> dict[str, Array]:
        """Return the mean, and weights, mixtures and coordinates, zero where not yet let in."""
        return self._output | {"embedding": self._output["embedding"].T, "mean": self._mean}


def _centred(K: Array, mean: Array) -> Array:
    """Return kernel values as if the training rows had their mean at the origin of feature space."""
    centred = K - K.mean(axis=1, dtype=np.float64).astype(K.dtype)[:, None]
    centred -= (mean - mean.mean()).astype(K.dtype)
    return np.asarray(centred)


def _rank(facts: Facts) -> int:
    return max(1, min(100, facts.n_samples - 1))


SPEC = KernelPCA.spec = Spec(
    id="kernel_pca",
    title="Kernel PCA",
    family="kernel",
    linear=False,
    summary="Directions of largest variance after a Gaussian or polynomial bend of space.",
    objective=r"\min_{W^\top W=I}\ \lVert \bar\Phi(X)-WW^\top\bar\Phi(X)\rVert^2",
    update=r"\bar K=Q\Lambda Q^\top,\qquad W=\bar\Phi(X)\,Q\Lambda^{-1/2},\qquad "
    r"\text{coordinates}=W^\top\bar\phi(x)",
    references=(
        "B. Schölkopf, A. Smola and K.-R. Müller. Nonlinear component analysis as a kernel eigenvalue "
        "problem. Neural Computation 1998.",
    ),
    params=(
        Param(
            "n_components",
            "int",
            None,
            "How many directions are kept.",
            symbol="k",
            least=1,
            low=1,
            high=200,
            auto=_rank,
        ),
        Param(
            "kernel",
            "choice",
            "gaussian",
            "How space is bent: by distance (gaussian) or by a power of the inner product (polynomial).",
            choices=("gaussian", "polynomial"),
            paper="both",
        ),
        SIGMA.but(meaning=SIGMA.meaning + " Gaussian only.", only_if=("kernel", "gaussian")),
        DEGREE.but(
            meaning="The power of the inner products; 1 is plain PCA. Polynomial only.",
            only_if=("kernel", "polynomial"),
        ),
    ),
    estimator=KernelPCA,
    monotone=True,
    signed=True,
    memory=copies(2.7, pairs=4.5),
    instead="pca",
    cost="N²·m for the kernel; O(N²·k) for few of many directions, O(N³) from a tenth of N on.",
)
