"""Laplacian regularised least-squares classification, LapRLSC (Belkin, Niyogi and Sindhwani, 2006)."""

from __future__ import annotations

from methods import graphs
from methods.classifiers._kernels import C_AMBIENT, C_INTRINSIC, FAILED_CHECKS, KERNEL, NEIGHBOURS, SIGMA
from methods.classifiers._manifold import ManifoldClassifier
from methods.memory import copies
from methods.spec import Spec
from methods.typing import Array, Codes, Graph


class LapRLSC(ManifoldClassifier):
    """Class scores that change little between neighbours.

    Samples are scaled to length 1. With L the Laplacian of the graph of nearest neighbours, the scores
    F = KB minimise (1/l) Σ_labelled ‖y_i − F(x_i)‖² + γ_A ‖F‖²_K + (γ_I/(l+u)²) tr(FᵀLF), which gives
    (JK + C_A I + C_I LK) B = Y, one row a sample. y holds class codes, -1 where unknown.
    """

    def __init__(
        self,
        *,
        kernel: str = "gaussian",
        sigma: float = 0.5,
        c_ambient: float = 0.005,
        c_intrinsic: float = 0.01,
        n_neighbors: int = 7,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.c_ambient = c_ambient
        self.c_intrinsic = c_intrinsic
        self.n_neighbors = n_neighbors

    def _penalty(self, rows: Array, codes: Codes) -> Graph:
        return graphs.laplacian(graphs.neighbours(rows, int(self.n_neighbors), "n_neighbors").astype(float))


SPEC = LapRLSC.spec = Spec(
    id="lap_rlsc",
    title="LapRLSC",
    family="classifiers",
    summary="Learns from few labels by letting near neighbours, labelled or not, answer alike.",
    objective=(
        r"\frac1l\sum_{i\le l}\lVert y_i-F(x_i)\rVert^2+\gamma_A\lVert F\rVert_K^2"
        r"+\frac{\gamma_I}{(l+u)^2}\,\mathrm{tr}(F^\top LF)"
    ),
    update=r"B=Y\,(KJ+C_AI+C_IKL)^{-1},\qquad F(x)=\sum_i b_i\,k(x_i,x)",
    references=(
        "M. Belkin, P. Niyogi and V. Sindhwani. Manifold regularization: a geometric framework for learning "
        "from labeled and unlabeled examples. Journal of Machine Learning Research 7, 2006.",
    ),
    params=(SIGMA, C_AMBIENT, C_INTRINSIC, NEIGHBOURS, KERNEL),
    estimator=LapRLSC,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    monotone=True,
    signed=True,
    recognition="predict",
    expected_failed_checks=FAILED_CHECKS,
    memory=copies(2, pairs=4.5, labelled=2),
    instead="hgf",
    cost="One N × N system, O(N³), after the distances between all samples.",
)
