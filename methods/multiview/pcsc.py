"""Pairwise co-regularised spectral clustering, PCSC (Kumar, Rai and Daumé III, 2011)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.base import ClusterMixin
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise_distances
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_start, is_operator
from methods.memory import copies
from methods.multiview.views import UNIT_SAMPLES, check_views, unit_rows
from methods.spec import MAX_ITER, SEED, TOL, Param, Spec
from methods.stepwise import Solver, StepwiseEstimator
from methods.typing import Array, Codes, is_sparse

# From here on only the leading eigenvectors are sought, by products.
_WHOLE = 400


class PCSC(ClusterMixin, StepwiseEstimator):
    """A spectral embedding of every view, each drawn towards those of the others.

    X is a list or mapping of views; labels play no part. Fitted: `bases_` (samples × k, one a view),
    `embedding_` (the bases side by side, rows of length 1), `labels_` (k-means
    on it, worked out when asked for).

    >>> rng = np.random.default_rng(0)
    >>> views = [np.repeat(np.eye(3), 5, axis=0) + 0.05 * rng.random((15, 3)) for _ in range(2)]
    >>> found = PCSC(n_clusters=3, random_state=0).fit_predict(views)
    >>> [len(set(found[start : start + 5])) for start in (0, 5, 10)]
    [1, 1, 1]
    """

    embedding_: Array

    def __init__(
        self,
        n_clusters: int = 10,
        *,
        lam: float = 0.1,
        kernel: str = "gaussian",
        width: float = 1.0,
        unit_samples: bool = True,
        max_iter: int = 30,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.lam = lam
        self.kernel = kernel
        self.width = width
        self.unit_samples = unit_samples
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @property
    def labels_(self) -> Codes:
        """The cluster of every sample."""
        check_is_fitted(self, "embedding_")
        with warnings.catch_warnings():
            # Fewer distinct rows than clusters leaves some empty, which does no harm here.
            warnings.simplefilter("ignore", ConvergenceWarning)
            means = KMeans(int(self.n_clusters), n_init=10, random_state=self.random_state)
            return np.asarray(means.fit(self.embedding_).labels_, dtype=np.int64)

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Any] | None) -> _CoRegularised:
        self._check_params()
        views = check_views(self, X, nonnegative=False)
        if any(map(is_operator, views)):
            raise ValueError("PCSC measures distances between samples: pass dense or sparse matrices.")
        n, k = views[0].shape[0], int(self.n_clusters)
        if k > n:
            raise ValueError(f"n_clusters={k} is more than there are samples (n_samples={n}).")
        scaled = [unit_rows(view) for view in views] if self.unit_samples else views
        graphs = [normalised_kernel(view, self.kernel, self.width) for view in scaled]
        bases = None
        if warm_start is not None:
            start_bases = warm_start["bases"]
            if len(start_bases) != len(views):
                raise ValueError(
                    f"warm_start: bases are of {len(start_bases)} view(s), but X has {len(views)}."
                )
            bases = [
                check_start("bases", U, (n, k), np.float64, source="warm_start", signed=True)
                for U in start_bases
            ]
        return _CoRegularised(graphs, bases, k, float(self.lam), views[0].dtype)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class _CoRegularised(Solver):
    """One view after the other gets the best basis given those of the others."""

    def __init__(
        self, graphs: list[Array], bases: list[Array] | None, k: int, lam: float, dtype: Any
    ) -> None:
        self._graphs, self._k, self._lam, self._dtype = graphs, k, lam, dtype
        self._bases = [leading(L, (), 0.0, k) for L in graphs] if bases is None else bases
        self._shape()

    def step(self) -> None:
        """Solve for the basis of each view in turn.

        Among eigenvalues that agree to the last digits the solver's choice is chance: a basis that
        is no better than the one there is does not replace it.
        """
        best = sum(self.terms().values())
        for index, L in enumerate(self._graphs):
            previous = self._bases[index]
            others = [U for other, U in enumerate(self._bases) if other != index]
            self._bases[index] = leading(L, others, self._lam, self._k)
            objective = sum(self.terms().values())
            if objective > best:
                self._bases[index] = previous
            else:
                best = objective
        self._shape()

    def terms(self) -> dict[str, float]:
        """Return how much each view's graph is cut, and how far apart the views are.

        Both are k less something near k. They are summed from what is left of each entry: of the
        difference of the two sums hardly a digit would remain.
        """
        cut = sum(
            float(np.einsum("nk,nk->", U, U - L @ U)) for L, U in zip(self._graphs, self._bases, strict=True)
        )
        apart = sum(float(np.square(V - U @ (U.T @ V)).sum()) for U, V in combinations(self._bases, 2))
        return {"cut": float(cut), "disagreement": float(self._lam * apart)}

    def arrays(self) -> dict[str, Any]:
        """Return the basis of each view, and all of them side by side with rows of length 1."""
        return {"embedding": self._embedding, "bases": self._output_bases}

    def _shape(self) -> None:
        self._output_bases = [U.astype(self._dtype) for U in self._bases]
        self._embedding = unit_rows(np.hstack(self._output_bases))


def normalised_kernel(view: Any, kernel: str, width: float) -> Array:
    """Return D^{-½}KD^{-½}, in double precision; the width is in units of the median distance."""
    if kernel == "cosine":
        rows = unit_rows(view.astype(np.float64))
        product = rows @ rows.T
        K = np.maximum(product.toarray() if is_sparse(product) else product, 0)
    else:
        distances = pairwise_distances(view.astype(np.float64))
        median = (
            float(np.median(distances[np.triu_indices(len(distances), 1)])) if len(distances) > 1 else 0.0
        )
        sigma = width * median or 1.0
        K = np.exp(-np.square(distances / sigma) / 2)
    degree = K.sum(axis=1)
    root = np.divide(1, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0)
    return np.asarray(root[:, None] * K * root)


def leading(L: Array, others: Any, lam: float, k: int) -> Array:
    """Return the k leading eigenvectors of L + λΣUUᵀ over the bases of the other views."""
    n = len(L)
    if n <= _WHOLE or k > n // 4:
        whole = L + lam * sum((U @ U.T for U in others), np.zeros_like(L))
        return np.asarray(linalg.eigh(whole, subset_by_index=[n - k, n - 1])[1][:, ::-1])

    def product(v: Array) -> Array:
        return L @ v + lam * sum((U @ (U.T @ v) for U in others), np.zeros_like(v))

    operator = LinearOperator((n, n), matvec=product, matmat=product, dtype=np.float64)
    # A fixed start, so that the same data give the same basis.
    first = np.random.default_rng(0).standard_normal(n)
    values, vectors = eigsh(operator, k=k, which="LA", v0=first)
    return np.ascontiguousarray(vectors[:, np.argsort(-values)])


SPEC = PCSC.spec = Spec(
    id="pcsc",
    title="PCSC",
    family="multiview",
    summary="Spectral clustering of every view, in which the views are made to agree pair by pair.",
    objective=(
        r"\max_{U_v^\top U_v=I}\ \sum_v\operatorname{tr}(U_v^\top L_vU_v)"
        r"+\lambda\sum_{v<w}\operatorname{tr}(U_vU_v^\top U_wU_w^\top),\qquad L_v=D_v^{-1/2}K_vD_v^{-1/2}"
    ),
    update=r"U_v\leftarrow k\text{ leading eigenvectors of } L_v+\lambda\sum_{w\ne v}U_wU_w^\top",
    references=(
        "A. Kumar, P. Rai and H. Daumé III. Co-regularized multi-view spectral clustering. NIPS 2011.",
    ),
    params=(
        Param(
            "n_clusters",
            "int",
            10,
            "How many clusters are looked for.",
            symbol="k",
            least=1,
            low=1,
            high=100,
            paper="the number of classes",
            words="Clusters",
        ),
        Param(
            "lam",
            "float",
            0.1,
            "How strongly the views are made to agree; 0 clusters each by itself.",
            symbol="λ",
            least=0.0,
            low=1e-3,
            high=10.0,
            scale="log",
            paper="0.01 to 0.05",
            words="Agreement",
        ),
        Param(
            "kernel",
            "choice",
            "gaussian",
            "How alike two samples are: by distance, or by the angle between them (documents).",
            choices=("gaussian", "cosine"),
            paper="gaussian",
        ),
        Param(
            "width",
            "float",
            1.0,
            "Width of the Gaussian, in median distances between samples of a view.",
            symbol="σ",
            least=1e-3,
            low=0.1,
            high=4.0,
            scale="log",
            paper="the median distance",
            only_if=("kernel", "gaussian"),
        ),
        UNIT_SAMPLES,
        MAX_ITER.but(default=30, low=1, high=200, paper="about 10"),
        TOL,
        SEED,
    ),
    estimator=PCSC,
    needs=frozenset({"views"}),
    gives=frozenset({"embedding", "objective"}),
    monotone=True,
    signed=True,
    memory=copies(2.5, pairs=6),
    instead="sulf",
    cost="N²·Σm once, then N²·k products a view and iteration (N³ up to 400 samples); N² numbers a view.",
    corrections=(
        "With more than two views the paper's sum runs over ordered pairs, which counts each pair twice, and "
        "its update counts it once: here a pair counts once in both. Shown is what is lost, k − tr(·), so "
        "that the objective falls."
    ),
    recognition="embedding",
)
