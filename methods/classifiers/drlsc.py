"""Discriminatively regularised least-squares classification, DRLSC (Xue, Chen and Yang, 2009)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy import sparse

from methods import graphs
from methods.classifiers._kernels import C_AMBIENT, C_INTRINSIC, FAILED_CHECKS, KERNEL, NEIGHBOURS, SIGMA
from methods.classifiers._manifold import ManifoldClassifier
from methods.memory import copies
from methods.spec import Param, Spec
from methods.typing import Array, Codes, Graph


class DRLSC(ManifoldClassifier):
    """Class scores that are alike among neighbours of one class and far apart among neighbours of two.

    Each labelled sample is joined with its nearest labelled ones; L_w is the Laplacian of the pairs of one
    class, L_b that of the pairs of two. Samples have length 1, and the scores F = KB minimise

        (1/l) Σ_labelled ‖y_i − F(x_i)‖² + γ_A ‖F‖²_K + (γ_I/(l+u)²) tr(Fᵀ[η L_w − (1−η) L_b]F)

    Unlabelled samples (-1 in y) take no part: this is the supervised ancestor of the other methods.
    Where few samples are labelled, `n_neighbors` falls back to all other labelled ones.
    """

    _indefinite: ClassVar[bool] = True

    def __init__(
        self,
        *,
        kernel: str = "gaussian",
        sigma: float = 0.5,
        c_ambient: float = 0.005,
        c_intrinsic: float = 0.01,
        eta: float = 0.5,
        n_neighbors: int = 7,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.c_ambient = c_ambient
        self.c_intrinsic = c_intrinsic
        self.eta = eta
        self.n_neighbors = n_neighbors

    def _penalty(self, rows: Array, codes: Codes) -> Graph:
        if not 0 <= self.eta <= 1:
            raise ValueError(
                f"eta={self.eta!r} must lie between 0 (only push apart) and 1 (only pull together)."
            )
        labelled = np.flatnonzero(codes >= 0)
        p = min(int(self.n_neighbors), labelled.size - 1)
        pairs = graphs.neighbours(rows[labelled], p).astype(float).tocoo()
        alike = codes[labelled][pairs.row] == codes[labelled][pairs.col]
        weights = np.where(alike, self.eta, self.eta - 1.0)
        n = codes.size
        at = labelled[pairs.row], labelled[pairs.col]
        # A Laplacian is linear in its weights: negative ones push apart.
        return graphs.laplacian(sparse.csr_array((weights, at), shape=(n, n)))


SPEC = DRLSC.spec = Spec(
    id="drlsc",
    title="DRLSC",
    family="classifiers",
    summary="Least squares that pulls neighbours of one class together and pushes those of two apart.",
    objective=(
        r"\frac1l\sum_{i\le l}\lVert y_i-F(x_i)\rVert^2+\gamma_A\lVert F\rVert_K^2"
        r"+\frac{\gamma_I}{(l+u)^2}\,\mathrm{tr}\bigl(F^\top[\eta L_w-(1-\eta)L_b]F\bigr)"
    ),
    update=r"B=Y\,\bigl(KJ+C_AI+C_IK[\eta L_w-(1-\eta)L_b]\bigr)^{-1},\qquad F(x)=\sum_i b_i\,k(x_i,x)",
    references=(
        "H. Xue, S. Chen and Q. Yang. Discriminatively regularized least-squares classification. "
        "Pattern Recognition 42, 2009.",
    ),
    params=(
        SIGMA,
        C_AMBIENT,
        C_INTRINSIC,
        Param(
            "eta",
            "float",
            0.5,
            "1 only pulls neighbours of one class together, 0 only pushes neighbours of two classes apart.",
            symbol="η",
            least=0.0,
            low=0.0,
            high=1.0,
            paper="chosen by cross-validation in [0, 1]",
        ),
        NEIGHBOURS.but(
            meaning="How many nearest labelled samples each labelled sample is joined with.", paper=""
        ),
        KERNEL,
    ),
    estimator=DRLSC,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    monotone=True,
    signed=True,
    recognition="predict",
    expected_failed_checks=FAILED_CHECKS,
    memory=copies(2, pairs=2, labelled=5),
    cost="One l × l system for l labelled samples, O(l³).",
    corrections=(
        "The complexity term γ_A, absent in the first paper, keeps the criterion convex for small kernels; "
        "where the push between classes still outweighs it, the method refuses instead of returning a saddle."
    ),
)
