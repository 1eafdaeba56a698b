"""Harmonic fields with class mass normalization, HGF-CMN (Zhu, Ghahramani and Lafferty, ICML 2003)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods.memory import spread
from methods.propagation.gaussian import graph_params
from methods.propagation.harmonic import HarmonicField
from methods.propagation.hgf import HGF
from methods.propagation.spreading import ROUNDS, SETTLED, SOLVER, UNLIKE_OTHERS, SpreadingSolver, shares
from methods.spec import Spec
from methods.typing import Array


class HGFCMN(HGF):
    """HGF whose answers are weighted so that each class gets its due share of the unlabelled samples.

    The harmonic scores (`label_scores_`) may give one class nearly all the mass. Column c of their
    unlabelled rows is scaled to the mass q_c, the share of class c among the labelled rows; each row is
    then divided by its sum to give `label_distributions_`.
    """

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> ClassMassSolver:
        X, codes = self._checked(X, y)
        field = HarmonicField(self._graph(X), codes, self.classes_.size)
        start = self._start(codes, warm_start)
        return ClassMassSolver(field, start, exact=self.solver == "exact", dtype=X.dtype)


class ClassMassSolver(SpreadingSolver):
    """Masses are put right at every round; an exact run shows the harmonic solution first."""

    def __init__(self, field: HarmonicField, F: Array, *, exact: bool, dtype: Any) -> None:
        self.labelled, self.due = field.labelled, field.Y.sum(axis=0) / field.Y.sum()
        self.solved, self.weighing = False, not exact
        super().__init__(field, F, exact=exact, dtype=dtype)

    def step(self) -> None:
        """Run one sweep and reweight the classes; an exact run first solves, then reweights."""
        if not self.solved:
            super().step()
            self.solved, self.done = self.exact, False
        else:
            self.weighing = self.done = True
            self._display()

    def distributions(self) -> Array:
        """Return rows of shares, after class masses have been put right."""
        if not self.weighing:
            return shares(self.F)
        F, free = self.F.copy(), ~self.labelled
        masses = F[free].sum(axis=0)
        F[free] *= self.due / np.where(masses > 0, masses, 1)
        return shares(F)


SPEC = HGFCMN.spec = Spec(
    id="hgf_cmn",
    title="HGF-CMN",
    family="propagation",
    summary="HGF, then every class is given the share of unlabelled samples that it has of labelled ones.",
    objective=(
        r"\tfrac12\sum_{ij}w_{ij}\lVert f_i-f_j\rVert^2\quad\text{with } f_l=y_l,"
        r"\qquad w_{ij}=e^{-\lVert x_i-x_j\rVert^2/2\sigma^2}"
    ),
    update=(
        r"f_u=(D_{uu}-W_{uu})^{-1}W_{ul}\,y_l,\qquad"
        r"\hat c_i=\arg\max_c\ q_c\,\frac{f_u(i,c)}{\sum_{j\in u}f_u(j,c)}"
    ),
    references=(
        "X. Zhu, Z. Ghahramani and J. Lafferty. Semi-supervised learning using Gaussian fields and harmonic "
        "functions. ICML 2003.",
    ),
    params=(*graph_params(0.12), SOLVER, ROUNDS, SETTLED),
    estimator=HGFCMN,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    monotone=True,
    signed=True,
    memory=spread(3, pairs=5.5),
    cost="As HGF: N²m for the weights and 2u³/3 for u unlabelled samples; the masses cost N·c.",
    corrections=(
        "The prior q_c is the share of class c among the labelled rows. The energy is that of the harmonic "
        "scores: putting masses right is a rule for deciding, and minimises nothing."
    ),
    recognition="predict",
    expected_failed_checks=UNLIKE_OTHERS,
)
