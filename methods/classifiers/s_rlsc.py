"""Sparse regularised least-squares classification, S-RLSC (Fan, Gu, Qiao and Zhang, 2011)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from methods.classifiers._kernels import C_AMBIENT, C_INTRINSIC, FAILED_CHECKS, KERNEL, SIGMA
from methods.classifiers._manifold import ManifoldClassifier
from methods.l1_graph import l1_graph
from methods.memory import copies
from methods.spec import Param, Spec
from methods.typing import Array, Codes, Graph


class SRLSC(ManifoldClassifier):
    """Class scores that keep the sparse mixtures by which samples explain each other.

    Samples are scaled to length 1. A has the rows α_iᵀ of the ℓ1 graph, and the scores F = KB minimise

        (1/l) Σ_labelled ‖y_i − F(x_i)‖² + γ_A ‖F‖²_K + (γ_I/(l+u)²) ‖(I − A)F‖²

    which gives (JK + C_A I + C_I (I−A)ᵀ(I−A)K) B = Y, one row a sample (the paper's B transposed).
    `graph_` is A. y holds class codes, -1 where unknown.
    """

    graph_: Graph

    def __init__(
        self,
        *,
        kernel: str = "gaussian",
        sigma: float = 0.5,
        c_ambient: float = 0.005,
        c_intrinsic: float = 0.01,
        gap: float = 0.01,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.c_ambient = c_ambient
        self.c_intrinsic = c_intrinsic
        self.gap = gap

    def _penalty(self, rows: Array, codes: Codes) -> Graph:
        self.graph_ = l1_graph(rows, self.gap)
        missed = sparse.csr_array(sparse.eye_array(len(codes)) - self.graph_.astype(np.float64))
        return sparse.csr_array(missed.T @ missed)


SPEC = SRLSC.spec = Spec(
    id="s_rlsc",
    title="S-RLSC",
    family="classifiers",
    summary="Learns from few labels by keeping the sparse mixtures in which samples explain each other.",
    objective=(
        r"\frac1l\sum_{i\le l}\lVert y_i-F(x_i)\rVert^2+\gamma_A\lVert F\rVert_K^2"
        r"+\frac{\gamma_I}{(l+u)^2}\sum_i\Bigl\lVert F(x_i)-\sum_j\alpha_{ij}F(x_j)\Bigr\rVert^2,\qquad"
        r"\alpha_i=\arg\min_{a_i=0}\lVert a\rVert_1+\lVert x_i-Xa\rVert_1"
    ),
    update=r"B=Y\,\bigl(KJ+C_AI+C_IK(I-A)^\top(I-A)\bigr)^{-1},\qquad F(x)=\sum_i b_i\,k(x_i,x)",
    references=(
        "M. Fan, N. Gu, H. Qiao and B. Zhang. Sparse regularization for semi-supervised classification. "
        "Pattern Recognition 44, 2011.",
    ),
    params=(
        SIGMA,
        C_AMBIENT,
        C_INTRINSIC,
        KERNEL,
        Param(
            "gap",
            "float",
            0.01,
            "How far, relatively, each sample's mixture may be from the best one; 0 is exact and slower.",
            symbol="ε",
            least=0.0,
            low=0.0,
            high=0.1,
            paper="not stated",
            advanced=True,
        ),
    ),
    estimator=SRLSC,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    monotone=True,
    signed=True,
    recognition="predict",
    expected_failed_checks=FAILED_CHECKS,
    memory=copies(5.5, pairs=6, labelled=2),
    instead="hgf",
    cost="The ℓ1 graph, once a data set (about 2·N·m a sample and iteration), and one N × N system, O(N³).",
    corrections=(
        "Equation 8 forgets a_i = 0, without which every sample explains itself. Equation 17 drops l: "
        "C_A = γ_A·l and C_I = γ_I·l/(l+u)² are what its text uses. The rows of A are the codes α_iᵀ; with "
        "A transposed, or J and K exchanged, the gradient of the objective is not zero."
    ),
    revision=2,
)
