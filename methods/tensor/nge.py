"""Non-negative graph embedding (Yang, Yan, Fu, Li and Huang, CVPR 2008)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from methods.coefficients import FEATURES
from methods.data_matrix import DataMatrix
from methods.graph_params import PENALTY_PAIRS
from methods.memory import copies
from methods.multiplicative import GraphTerm, MultiplicativeSolver
from methods.nonnegative.discriminative import N_DISCRIMINATIVE, DiscriminativeFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, TOL, Facts, Spec
from methods.stepwise import Solver
from methods.tensor.elimination import Elimination, eliminate
from methods.tensor.ndtf_2d import COPIES, NDTF_ALPHA, NDTF_NEIGHBORS, REFERENCE
from methods.tensor_form import Shape
from methods.typing import Array


class NGE(DiscriminativeFactorization):
    """The objective of 2D-NDTF, with the graph term solved exactly in every iteration.

    Each column of V takes the solution of a linear system whose matrix has non-positive entries off its
    diagonal and a non-negative inverse (an M-matrix). Fewer iterations are needed, and each is longer.
    """

    def __init__(
        self,
        n_components: int | None = None,
        n_discriminative: int | None = None,
        *,
        alpha: float = 100.0,
        intrinsic_neighbors: int | None = 3,
        penalty_pairs: int = 20,
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_discriminative = n_discriminative
        self.alpha = alpha
        self.intrinsic_neighbors = intrinsic_neighbors
        self.penalty_pairs = penalty_pairs
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _folded(self, input_shape: Shape | None, n_features: int) -> Shape | None:
        return None

    def _solver_for(
        self,
        data: DataMatrix,
        facts: Facts,
        warm_start: Mapping[str, Any] | None,
        terms: Sequence[GraphTerm] = (),
    ) -> Solver:
        return _ExactGraphSolver(*self._begin(data, facts, warm_start), terms)


class _ExactGraphSolver(MultiplicativeSolver):
    """H as in 2D-NDTF; each column of W by one elimination on its graph, which joins labelled samples."""

    def __init__(self, data: DataMatrix, H: Array, W: Array, graphs: Sequence[GraphTerm]) -> None:
        super().__init__(data, H, W, graphs, unit_parts=True)
        self._systems: list[tuple[slice, Elimination]] = [
            (graph.columns, eliminate(graph.weight * graph.affinity, W.dtype)) for graph in self.graphs
        ]

    def _curvature(self) -> tuple[Array, Array]:
        """Return WᵀW + Y, Y = Y⁺ − Y⁻ ≥ 0: split as in 2D-NDTF, the step would be shorter."""
        gram = self._gram_W.copy()
        for energy in self._energies:
            gram[np.diag_indices_from(gram)] += np.maximum(energy.apart - energy.together, 0)
        return gram, np.zeros(len(gram), gram.dtype)

    def _update_embedding(self, norms: Array | None) -> None:
        slope = self.W @ self._gram_H
        plain = np.ones(self.W.shape[1], bool)
        for columns, system in self._systems:
            plain[columns] = False
            part = np.ascontiguousarray(self.W[:, columns])
            system.solve(part, slope[:, columns], self._scores[:, columns])
            part[part < self._floor] = 0
            self.W[:, columns] = part
        if plain.any():
            part = np.ascontiguousarray(self.W[:, plain])
            self._apply(part, self._scores[:, plain], slope[:, plain])
            self.W[:, plain] = part


SPEC = NGE.spec = Spec(
    id="nge",
    title="NGE",
    family="tensor",
    summary="What 2D-NDTF minimises, with the graph term solved exactly: fewer and longer iterations.",
    objective=(
        r"\lVert X-UV^\top\rVert_F^2"
        r"+\alpha\sum_{j\le q}\lVert u_j\rVert^2\,v_j^\top L v_j"
        r"+\alpha\sum_{j>q}\lVert u_j\rVert^2\,v_j^\top L^p v_j,\qquad U,V\ge 0"
    ),
    update=(
        r"\begin{aligned}"
        r"U &\leftarrow U\circ\frac{XV}{UV^\top V+UY},\qquad"
        r" u_j\leftarrow u_j/\lVert u_j\rVert,\quad v_j\leftarrow v_j\lVert u_j\rVert\\"
        r"Y&=\operatorname{diag}\bigl(\alpha v_j^\top L_jv_j\bigr),\qquad"
        r" v_j \leftarrow\Bigl(\operatorname{diag}\frac{(VU^\top U)_j}{v_j}+\alpha L_j\Bigr)^{-1}(X^\top U)_j"
        r"\end{aligned}"
    ),
    references=(
        "J. Yang, S. Yan, Y. Fu, X. Li and T. Huang. Non-negative graph embedding. CVPR 2008.",
        REFERENCE,
    ),
    params=(
        N_COMPONENTS,
        N_DISCRIMINATIVE,
        NDTF_ALPHA,
        NDTF_NEIGHBORS,
        PENALTY_PAIRS,
        INIT,
        MAX_ITER,
        TOL,
        FEATURES,
        SEED,
    ),
    estimator=NGE,
    needs=frozenset({"labels", "nonnegative"}),
    takes=frozenset({"holes"}),
    monotone=True,
    memory=copies(2.3, labelled=3),
    cost="4·m·N·k per iteration + one sparse elimination on the labelled samples for each of the k parts.",
    corrections=(
        "Published with one matrix inverse a part, which made an iteration 47 times as long as 2D-NDTF's. "
        "Only labelled samples are joined, so eliminating them in a good order takes a fraction of that; "
        "it is done without a subtraction, so no entry can become negative by rounding. The step of U takes "
        "the graph's energy whole: split into two halves, as in 2D-NDTF, it is as safe and falls behind "
        "(200 faces, k = 60, 40 iterations: objective 3 815 instead of 2 155)." + COPIES
    ),
)
