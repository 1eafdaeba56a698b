"""Non-negative semi-supervised learning, N²S²L (Wang, Yan, Zhang and Zhang, AISTATS 2009)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.utils import Tags

from methods import graphs
from methods.checks import check_labels, is_operator
from methods.multiplicative import GraphTerm
from methods.nonnegative.factorization import FrobeniusFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Facts, Param, Spec, paper_rank
from methods.stepwise import Solver
from methods.typing import Array, Codes


class N2S2L(FrobeniusFactorization):
    """NMF whose first q parts tell classes apart, with the help of unlabelled samples.

    With H = Uᵀ the parts and W = V = [V¹, V²] the embedding (V¹ its first q columns):

        F = ‖X − UVᵀ‖² + Σ_{j≤q} ‖u_j‖² v_jᵀ(αL + βLˢ)v_j + Σ_{j>q} ‖u_j‖² v_jᵀ(αLᵖ)v_j

    L joins samples of one class, Lᵖ the closest pairs across classes, Lˢ near neighbours whether
    labelled or not. α = β = 0 is NMF. y holds class codes, -1 where unknown.
    """

    def __init__(
        self,
        n_components: int | None = None,
        n_discriminative: int | None = None,
        *,
        alpha: float = 10.0,
        beta: float = 1.0,
        intrinsic_neighbors: int | None = None,
        penalty_pairs: int = 20,
        smooth_neighbors: int = 3,
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_discriminative = n_discriminative
        self.alpha = alpha
        self.beta = beta
        self.intrinsic_neighbors = intrinsic_neighbors
        self.penalty_pairs = penalty_pairs
        self.smooth_neighbors = smooth_neighbors
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        X = self._checked(X)
        if is_operator(X):
            raise ValueError(
                "N2S2L measures distances between samples, which products with X alone do not give: "
                "pass a dense or sparse matrix."
            )
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        facts = Facts(
            X.shape[0], X.shape[1], n_labelled=int((codes >= 0).sum()), n_classes=self.classes_.size
        )
        data, H, W = self._begin(X, facts, warm_start)
        self.n_discriminative_ = self._discriminative(facts, H.shape[0])
        return self._solve(data, H, W, self._graphs(X, codes), unit_parts=True)

    def _discriminative(self, facts: Facts, k: int) -> int:
        if self.n_discriminative is None:
            return min(facts.n_classes, k - 1)
        q = int(self.n_discriminative)
        if q >= k:
            raise ValueError(
                f"n_discriminative={q} must be smaller than n_components={k}: "
                "the parts beyond the first q are there to reconstruct."
            )
        return q

    def _graphs(self, X: Any, codes: Codes) -> list[GraphTerm]:
        first, rest = slice(0, self.n_discriminative_), slice(self.n_discriminative_, None)
        p = self.smooth_neighbors if self.beta > 0 else 0
        return [
            GraphTerm(
                "separability", self.alpha, graphs.intrinsic(X, codes, self.intrinsic_neighbors), first
            ),
            GraphTerm("penalty", self.alpha, graphs.penalty(X, codes, self.penalty_pairs), rest),
            GraphTerm("smoothness", self.beta, graphs.neighbours(X, p, "smooth_neighbors"), first),
        ]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _one_a_class(facts: Facts) -> int:
    return max(0, min(facts.n_classes, paper_rank(facts) - 1))


ALPHA = Param(
    "alpha",
    "float",
    10.0,
    "How strongly labels shape the parts: keep a class together in V¹, keep near strangers alike in V².",
    symbol="α",
    least=0.0,
    low=1e-3,
    high=1e4,
    scale="log",
    paper="10",
)
BETA = Param(
    "beta",
    "float",
    1.0,
    "How strongly neighbours, labelled or not, are kept alike in V¹.",
    symbol="β",
    least=0.0,
    low=1e-6,
    high=1e3,
    scale="log",
    paper="best of 10⁻⁶ … 10³",
)

SPEC = N2S2L.spec = Spec(
    id="n2s2l",
    title="N²S²L",
    family="nonnegative",
    summary="NMF whose first parts tell classes apart, helped by samples nobody has labelled.",
    objective=(
        r"\lVert X-UV^\top\rVert_F^2"
        r"+\sum_{j\le q}\lVert u_j\rVert^2\,v_j^\top(\alpha L+\beta L^s)v_j"
        r"+\sum_{j>q}\lVert u_j\rVert^2\,v_j^\top(\alpha L^p)v_j,\qquad U,V\ge 0"
    ),
    update=(
        r"\begin{aligned}"
        r"U &\leftarrow U\circ\frac{XV+UY^-}{UV^\top V+UY^+},\qquad"
        r" u_j\leftarrow u_j/\lVert u_j\rVert,\quad v_j\leftarrow v_j\lVert u_j\rVert\\"
        r"V &\leftarrow V\circ\frac{X^\top U+[(\alpha S+\beta S^s)V^1,\ \alpha S^pV^2]}"
        r"{VU^\top U+[(\alpha D+\beta D^s)V^1,\ \alpha D^pV^2]}"
        r"\end{aligned}"
    ),
    references=(
        "C. Wang, S. Yan, L. Zhang and H.-J. Zhang. Non-negative semi-supervised learning. AISTATS 2009.",
    ),
    params=(
        N_COMPONENTS,
        Param(
            "n_discriminative",
            "int",
            None,
            "How many parts (the first ones) must tell classes apart.",
            symbol="q",
            least=0,
            low=0,
            high=199,
            paper="the number of classes",
            auto=_one_a_class,
        ),
        ALPHA,
        BETA,
        Param(
            "intrinsic_neighbors",
            "int",
            None,
            "How many nearest labelled samples of its own class a sample is tied to; empty: all.",
            symbol="k₁",
            least=1,
            low=1,
            high=20,
            paper="n_c − 1, all of them",
            advanced=True,
        ),
        Param(
            "penalty_pairs",
            "int",
            20,
            "How many closest pairs across classes are taken for each class.",
            least=0,
            low=0,
            high=200,
            paper="20",
            advanced=True,
        ),
        Param(
            "smooth_neighbors",
            "int",
            3,
            "How many nearest neighbours a sample is tied to, labelled or not.",
            symbol="p",
            least=0,
            low=0,
            high=20,
            paper="not given; 3 reproduces its table",
            advanced=True,
        ),
        SOLVER,
        INIT,
        MAX_ITER,
        TOL,
        SEED,
    ),
    estimator=N2S2L,
    needs=frozenset({"labels", "nonnegative"}),
    monotone=True,
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k² + edges·k).",
    corrections=(
        "Equations 9 and 10 of the paper differ by a factor of 2, which is absorbed into α and β here. "
        "Equation 14 prints ‖u₂‖ where ‖u_{q+2}‖ is meant. A random start with unscaled V makes the first "
        "objective a thousand times too big; here the start is scaled to fit the data best."
    ),
    recognition="embedding",
)
