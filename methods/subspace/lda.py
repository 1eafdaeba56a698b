"""Linear discriminant analysis after PCA: the Fisherfaces of Belhumeur, Hespanha and Kriegman (1997)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from methods.data_matrix import dense_rows
from methods.memory import copies
from methods.spec import Spec
from methods.subspace.directions import DirectionByDirection
from methods.subspace.discriminant import (
    N_DIRECTIONS,
    PCA_COMPONENTS,
    RIDGE,
    SCALING,
    DiscriminantProjection,
    class_scatters,
)
from methods.subspace.eigen import principal_axes
from methods.typing import Array


class LDA(DiscriminantProjection):
    """Directions in which class means lie far apart and samples of a class close together.

    Labelled rows are first reduced to their N_tr − N_c leading principal axes, where S_w is regular.
    Then, with m_c the mean of class c, m of all labelled rows,

        S_b = Σ_c n_c (m_c − m)(m_c − m)ᵀ ,   S_w = Σ_c Σ_{i∈c} (x_i − m_c)(x_i − m_c)ᵀ ,
        S_b w = λ (S_w + rI) w ,   r = ridge · tr(S_w)/d .

    Unlabelled rows are only projected: nothing is learnt from them.
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        pca_components: int | None = None,
        ridge: float = 1e-9,
        scaling: str = "unit",
    ) -> None:
        self.n_components = n_components
        self.pca_components = pca_components
        self.ridge = ridge
        self.scaling = scaling

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> DirectionByDirection:
        X, codes, facts = self._begin(X, y)
        self._refuse_single_labels(facts)
        labelled = dense_rows(X, codes >= 0)
        axes = principal_axes(labelled, "labelled rows").first(int(self._resolved("pca_components", facts)))
        scatters = class_scatters(axes.coordinates(labelled), codes[codes >= 0])
        why = f"{facts.n_classes} classes in {axes.rank} principal directions"
        return self._directions(X, axes, scatters, facts, min(facts.n_classes - 1, axes.rank), why)


SPEC = LDA.spec = Spec(
    id="lda",
    title="LDA",
    family="subspace",
    summary="Directions that part class means and draw classes together; learns from labelled rows alone.",
    objective=r"\max_W\ \operatorname{tr}\bigl[(W^\top S_wW)^{-1}\,W^\top S_bW\bigr]",
    update=(
        r"S_b w=\lambda\,(S_w+rI)\,w,\quad \lVert w\rVert=1,\quad"
        r"\text{largest }\lambda\text{ first, after PCA to }N_{tr}-N_c"
    ),
    references=(
        "P. N. Belhumeur, J. P. Hespanha and D. J. Kriegman. Eigenfaces vs. Fisherfaces: recognition using "
        "class specific linear projection. IEEE TPAMI 19(7), 1997.",
    ),
    params=(N_DIRECTIONS, PCA_COMPONENTS, RIDGE, SCALING),
    estimator=LDA,
    projects=True,
    needs=frozenset({"labels"}),
    monotone=True,
    signed=True,
    memory=copies(3, labelled=4),
    cost=(
        "O(m·l·min(m, l) + min(m, l)³) for l labelled samples (their principal axes), then O(d³) in the "
        "d ≤ l − c axes kept. Unlabelled samples only cost their projection."
    ),
    corrections=(
        "Directions have unit length in the space of the input. With the usual scaling WᵀS_wW = I nearest "
        "neighbours are decided by the few directions in which two pictures of a person happen to agree, "
        "and recognition collapses (scaling='whitened' shows it). The curve is what is missing from the "
        "largest possible criterion."
    ),
)
