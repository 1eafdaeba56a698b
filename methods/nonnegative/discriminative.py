"""Factorizations whose first parts tell classes apart: graphs made of labels, matrices and tensors alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.utils import Tags

from methods import graphs
from methods.accelerated import AcceleratedSolver
from methods.checks import check_labels
from methods.data_matrix import DataMatrix
from methods.incomplete import data_matrix
from methods.multiplicative import GraphTerm
from methods.nonnegative.factorization import FrobeniusFactorization
from methods.spec import Facts, Param, paper_rank
from methods.stepwise import Solver
from methods.tensor_form import (
    MultiplicativeTensorSolver,
    Shape,
    continued,
    flattened,
    flattened_mask,
    shape_of,
    start,
)
from methods.typing import Array, Codes


class TensorFactorization(FrobeniusFactorization):
    """X_n ≈ Σ_j W_nj u¹_j ⊗ u²_j ⊗ … : parts that are outer products of one factor a mode."""

    sample_shape: Sequence[int] | None = None
    factors_: list[Array]
    sample_shape_: Shape | None

    def _checked(self, X: Any) -> Any:
        X, input_shape = flattened(X)
        X = super()._checked(X)
        self.sample_shape_ = self._folded(input_shape, X.shape[1])
        return X

    def _folded(self, input_shape: Shape | None, n_features: int) -> Shape | None:
        return shape_of(self.sample_shape, input_shape, n_features)

    def _unseen(self, X: Any, **how: Any) -> Any:
        X, input_shape = flattened(X)
        if input_shape is not None and input_shape != getattr(self, "sample_shape_", input_shape):
            raise ValueError(
                f"Samples of X have shape {input_shape}; this was fitted on {self.sample_shape_}."
            )
        return super()._unseen(X, **how)

    def _solver_for(
        self,
        data: DataMatrix,
        facts: Facts,
        warm_start: Mapping[str, Any] | None,
        terms: Sequence[GraphTerm] = (),
    ) -> Solver:
        shape = self.sample_shape_
        if shape is None:
            return self._solve(*self._begin(data, facts, warm_start), terms, unit_parts=True)
        k = int(self._resolved("n_components", facts))
        if warm_start is None:
            factors, W = start(self.init, data, shape, k, self.random_state)
        else:
            factors, W = continued(warm_start, data, shape, k)
        if self.solver == "accelerated":
            return AcceleratedSolver(data, factors, W, terms, unit_parts=True, of_tensors=True)
        return MultiplicativeTensorSolver(data, factors, W, terms)


class DiscriminativeFactorization(TensorFactorization):
    """What N²S²L, NDTF and NGE share: V = [V¹, V²], whose first q columns tell classes apart."""

    n_discriminative: int | None
    alpha: float
    beta: float = 0.0
    intrinsic_neighbors: int | None
    penalty_pairs: int
    smooth_neighbors: int = 0

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Any] | None, mask: Any = None) -> Solver:
        X = self._checked(X)
        data = data_matrix(X, flattened_mask(mask))
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        facts = Facts(
            X.shape[0], X.shape[1], n_labelled=int((codes >= 0).sum()), n_classes=self.classes_.size
        )
        k = int(self._resolved("n_components", facts))
        self.n_discriminative_ = self._discriminative(facts, k)
        # Distances to the graphs' neighbours are over what two samples both have.
        seen = data if data.incomplete else X
        return self._solver_for(data, facts, warm_start, self._graphs(seen, codes))

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
        terms = [
            GraphTerm(
                "separability", self.alpha, graphs.intrinsic(X, codes, self.intrinsic_neighbors), first
            ),
            GraphTerm("penalty", self.alpha, graphs.penalty(X, codes, self.penalty_pairs), rest),
        ]
        if "beta" in self.get_params(deep=False):
            p = self.smooth_neighbors if self.beta > 0 else 0
            near = graphs.neighbours(X, p, "smooth_neighbors")
            terms.append(GraphTerm("smoothness", self.beta, near, first))
        return terms

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _default_n_discriminative(facts: Facts) -> int:
    return max(0, min(facts.n_classes, paper_rank(facts) - 1))


N_DISCRIMINATIVE = Param(
    "n_discriminative",
    "int",
    None,
    "How many parts (the first ones) must tell classes apart.",
    symbol="q",
    least=0,
    low=0,
    high=199,
    paper="the number of classes",
    auto=_default_n_discriminative,
)
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
