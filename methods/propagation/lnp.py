"""Linear neighbourhood propagation, LNP (Wang and Zhang, ICML 2006)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import config_context
from sklearn.neighbors import NearestNeighbors

from methods.memory import MEGABYTES_OF_DISTANCES, Sizes, copies
from methods.propagation.cons import ALPHA, check_alpha
from methods.propagation.elimination import absorbed
from methods.propagation.simplex import AT_ONCE, reconstruction_weights
from methods.propagation.spreading import (
    ROUNDS,
    SETTLED,
    SOLVER,
    UNLIKE_OTHERS,
    Propagation,
    SpreadingSolver,
)
from methods.propagation.weights import centred
from methods.rows import indicator
from methods.spec import Param, Spec
from methods.typing import Array, Codes, Graph, is_sparse


class LNP(Propagation):
    """Labels are passed on with the weights that rebuild each sample from its nearest neighbours.

        M_i = argmin ‖x_i − Σ_j M_ij x_j‖²,  M_ij ≥ 0, Σ_j M_ij = 1, j among the k nearest of i

    rule "symmetric" minimises the energy of the paper, ½ Σ M_ij‖f_i−f_j‖² + (1/α−1) Σ‖f_i−y_i‖².
    rule "printed" is the paper's F = (1−α)(I−αM)⁻¹Y, which would minimise it if M were symmetric.
    New rows are rebuilt from training rows, as in the paper. y holds class codes, -1 where unknown.
    """

    def __init__(
        self,
        n_neighbors: int = 7,
        alpha: float = 0.99,
        *,
        rule: str = "symmetric",
        ridge: float = 1e-6,
        solver: str = "exact",
        max_iter: int = 500,
        tol: float = 1e-8,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.rule = rule
        self.ridge = ridge
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> SpreadingSolver:
        X, codes = self._checked(X, y)
        alpha, Y = check_alpha(self.alpha), indicator(codes, self.classes_.size)
        field = LinearField(self._weights(self._around(X)), Y, alpha, symmetric=self.rule == "symmetric")
        start = self._start(codes, warm_start)
        return SpreadingSolver(field, start, exact=self.solver == "exact", dtype=X.dtype)

    def _unit(self) -> float:
        # Weights do not depend on the scale; squares of very small or large entries could not be held.
        return float(abs(self.X_).max()) or 1.0

    def _around(self, X: Any) -> Any:
        return centred(X) / self._unit()

    def _weights(self, X: Any) -> Graph:
        n, k = X.shape[0], int(self.n_neighbors)
        if k >= n:
            raise ValueError(
                f"n_neighbors={k} neighbours cannot be found among {n} samples: ask for at most {n - 1}."
            )
        near = _nearest(X, None, k)
        weights = reconstruction_weights(X, X, near, float(self.ridge))
        rows = np.repeat(np.arange(n), k)
        return sparse.csr_array((weights.ravel(), (rows, near.ravel())), shape=(n, n))

    def _averaged(self, X: Any, reached: Codes) -> Array:
        unit = self._unit()
        if is_sparse(self.X_) or is_sparse(X):
            fitted = sparse.csr_array(self.X_, dtype=np.float64)[reached]
            rows, queries = fitted / unit, sparse.csr_array(X, dtype=np.float64) / unit
        else:
            centre = self.X_.mean(axis=0, dtype=np.float64)
            rows, queries = (self.X_[reached] - centre) / unit, (X - centre) / unit
        near = _nearest(rows, queries, min(int(self.n_neighbors), reached.size))
        weights = reconstruction_weights(rows, queries, near, float(self.ridge))
        return np.asarray(np.einsum("qk,qkc->qc", weights, self.label_distributions_[reached][near]))


def _nearest(rows: Any, queries: Any, k: int) -> Codes:
    """Return the k nearest of the rows for each query, or for each row itself among the others."""
    # Distances between sparse rows are those of all to all, a block at a time.
    with config_context(working_memory=MEGABYTES_OF_DISTANCES) if is_sparse(rows) else nullcontext():
        near = NearestNeighbors(n_neighbors=k).fit(rows).kneighbors(queries, return_distance=False)
    return np.asarray(near)


class LinearField:
    """Spreading along M, or along its symmetric part S = (M + Mᵀ)/2 with degrees D."""

    def __init__(self, M: Graph, Y: Array, alpha: float, *, symmetric: bool) -> None:
        self.S = sparse.csr_array((M + M.T) / 2)
        self.degrees = np.asarray(self.S.sum(axis=1)).ravel()
        self.M, self.Y, self.alpha, self.symmetric = M, Y, alpha, symmetric

    def begin(self, F: Array) -> Array:
        """Return F as it is: nothing is held fast."""
        return F

    def look(self, F: Array) -> Array:
        """Return the sums over the neighbours that a sweep takes: MF, or SF."""
        return np.asarray((self.S if self.symmetric else self.M) @ F)

    def sweep(self, neighbours: Array) -> Array:
        """Return αMF + (1−α)Y, or for each row the minimum of the energy, the other rows kept."""
        spread = self.alpha * neighbours + (1 - self.alpha) * self.Y
        if self.symmetric:
            spread /= (self.alpha * self.degrees + 1 - self.alpha)[:, None]
        return np.asarray(spread)

    def energy(self, F: Array, neighbours: Array) -> dict[str, float]:
        """Return how much neighbours differ, and how far F is from the labels."""
        near = neighbours if self.symmetric else self.S @ F
        return {
            "smoothness": max(0.0, float(np.sum(F * (self.degrees[:, None] * F - near)))),
            "fit": (1 / self.alpha - 1) * float(np.square(F - self.Y).sum()),
        }

    def solution(self) -> Array:
        """Return the F that sweeps approach, by elimination without subtraction."""
        W = self.alpha * (self.S if self.symmetric else self.M)
        leaving = np.full(self.Y.shape[0], 1 - self.alpha)
        return absorbed(W, leaving, (1 - self.alpha) * self.Y)


def _memory(facts: Sizes, params: Mapping[str, Any]) -> float:
    """Return the bytes: for the weights so many differences at once, then what elimination fills.

    The more neighbours, the sooner what is left is dense: with k = 7 half of the samples of data without
    structure stay in the core, with k = 20 three quarters.
    """
    k = float(params["n_neighbors"])
    differences = 3 * min(AT_ONCE, k * facts.n_samples * facts.n_features)
    pairs = min(2.5, 0.1 * k + 0.1) if params["solver"] == "exact" else 0.0
    return copies(4, pairs=pairs)(facts, params) + 8 * max(differences, 6 * k * facts.n_samples)


SPEC = LNP.spec = Spec(
    id="lnp",
    title="LNP",
    family="propagation",
    summary="Each sample is rebuilt from its neighbours; labels are mixed with the same weights.",
    objective=(
        r"\tfrac12\sum_{ij}M_{ij}\lVert f_i-f_j\rVert^2"
        r"+\bigl(\tfrac1\alpha-1\bigr)\sum_i\lVert f_i-y_i\rVert^2,\qquad"
        r" M_i=\arg\min_{M_{ij}\ge0,\ \sum_jM_{ij}=1}\Bigl\lVert x_i-\sum_{j\in N_i}M_{ij}x_j\Bigr\rVert^2"
    ),
    update=(
        r"f_i\leftarrow\frac{\alpha\sum_js_{ij}f_j+(1-\alpha)y_i}{\alpha d_i+1-\alpha},"
        r"\quad S=\tfrac12(M+M^\top);\qquad\text{printed: }F\leftarrow\alpha MF+(1-\alpha)Y"
    ),
    references=(
        "F. Wang and C. Zhang. Label propagation through linear neighborhoods. ICML 2006; "
        "IEEE Transactions on Knowledge and Data Engineering 20, 2008.",
    ),
    params=(
        Param(
            "n_neighbors",
            "int",
            7,
            "From how many nearest neighbours a sample is rebuilt.",
            symbol="k",
            least=1,
            low=1,
            high=50,
        ),
        ALPHA.but(paper="0.99"),
        Param(
            "rule",
            "choice",
            "symmetric",
            "Minimise the paper's energy, or follow its formula, which overlooks that M is not symmetric.",
            choices=("symmetric", "printed"),
        ),
        Param(
            "ridge",
            "float",
            1e-6,
            "How strongly even weights are preferred where many rebuild a sample equally well.",
            least=1e-9,
            low=1e-9,
            high=1.0,
            scale="log",
            paper="none, so that weights may be undetermined",
            advanced=True,
        ),
        SOLVER,
        ROUNDS,
        SETTLED,
    ),
    estimator=LNP,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    monotone=True,
    signed=True,
    memory=_memory,
    cost=(
        "N²m for the neighbours, N·k²(m + k) for the weights, all samples at once. Exact: sparse "
        "elimination, then 2n³/3 for the n samples that stay in a dense core. Iterative: N·k·c a round."
    ),
    corrections=(
        "The paper's closed form takes the gradient as if M were symmetric; it is not, so that the printed "
        "F does not minimise the energy (rule 'printed'). With (M + Mᵀ)/2 in its place it does. Where a "
        "sample has more neighbours than dimensions its weights are not unique; a small ridge makes them so."
    ),
    recognition="predict",
    expected_failed_checks=UNLIKE_OTHERS,
)
