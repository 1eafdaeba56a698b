"""Graph-regularised NMF whose graph knows the labels, SGNMF (Cai, He, Han and Huang, 2011)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from methods import graphs
from methods.checks import is_operator
from methods.coefficients import FEATURES
from methods.memory import copies
from methods.multiplicative import GraphTerm, MultiplicativeSolver, named_terms
from methods.multiview.joint import LabelledFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Param, Spec
from methods.stepwise import Solver
from methods.typing import Array, Codes, Graph


class SGNMF(LabelledFactorization):
    """min ‖X − WH‖² + λ Σ_j ‖h_j‖² w_jᵀLw_j, W, H ≥ 0: near samples and those of one class stay together.

    The graph joins every sample with its nearest neighbours; between two labelled samples the labels
    decide instead: joined if they agree, apart if not. `graph_` is what came of it.

    >>> X = np.repeat(np.eye(3), 4, axis=0) + 0.1 * np.random.default_rng(0).random((12, 3))
    >>> y = np.array([0, 0, -1, -1, 1, 1, -1, -1, 2, 2, -1, -1])
    >>> SGNMF(n_components=3, n_neighbors=3, random_state=0, max_iter=50, tol=0).fit(X, y).graph_.nnz
    36
    """

    graph_: Graph

    def __init__(
        self,
        n_components: int | None = None,
        *,
        lam: float = 100.0,
        n_neighbors: int = 5,
        label_weight: float = 1.0,
        rule: str = "scale-free",
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.lam = lam
        self.n_neighbors = n_neighbors
        self.label_weight = label_weight
        self.rule = rule
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _solver(
        self, X: Any, y: Any, warm_start: Mapping[str, Array] | None, fixed: Any = None, seeds: Any = None
    ) -> Solver:
        X = self._checked(X)
        if is_operator(X):
            raise ValueError(
                "SGNMF measures distances between samples, which products with X alone do not give: "
                "pass a dense or sparse matrix."
            )
        codes, facts = self._labels(X, y)
        self.graph_ = labelled_graph(X, codes, self.n_neighbors, self.label_weight)
        terms = [GraphTerm("smoothness", self.lam, self.graph_, slice(None))]
        data, H, W = self._begin(X, facts, warm_start)
        held = self._placed(data, H, W, warm_start, fixed, seeds)
        if self.rule == "scale-free":
            return self._solve(data, H, W, terms, unit_parts=True, held=held)
        if self.solver != "multiplicative":
            raise ValueError(f"solver={self.solver!r} follows the scale-free rule: choose 'multiplicative'.")
        return _Printed(data, H, W, terms, held=held)


class _Printed(MultiplicativeSolver):
    """The rules as published, for λ Tr(VᵀLV): the parts are updated as if there were no graph."""

    def _curvature(self) -> tuple[Array, Array]:
        return self._gram_W, np.zeros(len(self._gram_W), self._gram_W.dtype)

    def terms(self) -> dict[str, float]:
        """Return the squared error, and the energy of W whatever the length of its parts."""
        terms = named_terms(self._error, self._gram_H, silent=self.silent)
        for energy in self._energies:
            terms[energy.name] = max(0.0, float((energy.apart.astype(np.float64) - energy.together).sum()))
        return terms


def labelled_graph(X: Any, codes: Codes, p: int, label_weight: float) -> Graph:
    """Return the graph of p nearest neighbours, in which labels decide between any two labelled samples."""
    near = graphs.neighbours(X, p, "n_neighbors").tocoo()
    open_ = (codes[near.row] < 0) | (codes[near.col] < 0)
    unlabelled_edges = sparse.csr_array(
        (near.data[open_], (near.row[open_], near.col[open_])), shape=near.shape
    )
    agreeing = graphs.intrinsic(X, codes)
    whole = sparse.csr_array(unlabelled_edges + agreeing * X.dtype.type(label_weight))
    whole.eliminate_zeros()
    return whole


SPEC = SGNMF.spec = Spec(
    id="sgnmf",
    title="SGNMF",
    family="multiview",
    summary="NMF on a graph of neighbours, in which labels join the samples of a class and part the others.",
    objective=(
        r"\min_{U,V\ge0}\ \lVert X-UV^\top\rVert_F^2+\lambda\sum_j\lVert u_j\rVert^2\,v_j^\top Lv_j,\qquad"
        r" S_{ij}=\begin{cases}w&\text{same label}\\0&\text{different labels}\\"
        r"1&\text{else, if near}\end{cases}"
    ),
    update=(
        r"U\leftarrow U\circ\frac{XV+UY^-}{UV^\top V+UY^+},\quad u_j\leftarrow u_j/\lVert u_j\rVert,\quad"
        r" V\leftarrow V\circ\frac{X^\top U+\lambda SV}{VU^\top U+\lambda DV},\qquad"
        r" Y^\pm_{jj}=\lambda v_j^\top\{D,S\}v_j"
    ),
    references=(
        "D. Cai, X. He, J. Han and T. S. Huang. Graph regularized nonnegative matrix factorization for data "
        "representation. IEEE TPAMI 33, 2011.",
        "H. Liu, Z. Wu, D. Cai and T. S. Huang. Constrained nonnegative matrix factorization for image "
        "representation. IEEE TPAMI 34, 2012 (labels in the graph).",
    ),
    params=(
        N_COMPONENTS,
        Param(
            "lam",
            "float",
            100.0,
            "How strongly samples that are joined in the graph are kept alike.",
            symbol="λ",
            least=0.0,
            low=1e-3,
            high=1e4,
            scale="log",
            paper="100",
            words="Smoothness",
        ),
        Param(
            "n_neighbors",
            "int",
            5,
            "How many nearest neighbours a sample is joined with.",
            symbol="p",
            least=0,
            low=0,
            high=20,
            paper="5",
        ),
        Param(
            "label_weight",
            "float",
            1.0,
            "How much a pair with the same label counts beside a pair of neighbours.",
            symbol="w",
            least=0.0,
            low=0.0,
            high=10.0,
            paper='"large"',
            advanced=True,
        ),
        Param(
            "rule",
            "choice",
            "scale-free",
            "What the graph sees: coefficients in units of their part, or bare ones, as printed.",
            choices=("scale-free", "printed"),
            paper="printed",
            advanced=True,
        ),
        SOLVER,
        INIT,
        MAX_ITER,
        TOL,
        FEATURES,
        SEED,
    ),
    estimator=SGNMF,
    needs=frozenset({"labels", "nonnegative"}),
    takes=frozenset({"parts"}),
    monotone=True,
    memory=copies(3),
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k² + edges·k); the graph N²m once.",
    corrections=(
        "As printed, λTr(VᵀLV) is made as small as one likes by moving length from V into U, which costs "
        "nothing: the graph fades as the run goes on, and the paper only sets the lengths right at the end. "
        "Here each column counts in units of its part. rule='printed' is the published pair of updates."
    ),
    recognition="embedding",
    revision=2,
)
