"""Local non-negative matrix factorization, LNMF (Li, Hou, Zhang and Cheng, CVPR 2001)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods.checks import is_operator
from methods.coefficients import FEATURES
from methods.memory import copies
from methods.nonnegative.factorization import AdditiveFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, Facts, Spec
from methods.stepwise import Solver
from methods.typing import Array, Graph, is_sparse

_ENTRIES_AT_ONCE = 2**16


class LNMF(AdditiveFactorization):
    """X ≈ VC with parts C (`components_`) that stay small and apart, V (`embedding_`) non-negative.

        V ← √(V ∘ (X/VC)Cᵀ),   C ← C ∘ (Vᵀ(X/VC)) / (column sums of V),   rows of C then sum to 1

    The square root, with parts held at sum 1, is what makes them local. The divergence D(X‖VC) is
    shown as published, but these updates do not lower it: VC settles at a scale of its own, so D
    jumps up at the first step. Hence the run is ended by `max_iter` and by nothing else.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((20, 8))
    >>> lnmf = LNMF(n_components=3, max_iter=20, random_state=0).fit(X)
    >>> np.allclose(lnmf.components_.sum(axis=1), 1)
    True
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        init: Any = "random",
        max_iter: int = 500,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.max_iter = max_iter
        self.features = features
        self.random_state = random_state

    def _solver(
        self, X: Any, y: Any, warm_start: Mapping[str, Array] | None, fixed: Any = None, seeds: Any = None
    ) -> Solver:
        X = self._checked(X)
        if is_operator(X):
            raise ValueError(
                "LNMF divides X by its model entry by entry, which products with X alone do not give: "
                "pass a dense or sparse matrix."
            )
        data, C, V = self._begin(X, Facts(X.shape[0], X.shape[1]), warm_start)
        held = self._placed(data, C, V, warm_start, fixed, seeds)
        if warm_start is None and isinstance(self.init, str):
            V *= _to_unit_sums(C)
        return _LocalParts(X, C, V, held)


class _LocalParts(Solver):
    """V first, then C; the quotients X/VC after each half step serve the other half and the divergence."""

    def __init__(self, X: Any, C: Array, V: Array, held: int = 0) -> None:
        # The first `held` parts stay as they are, up to their sum.
        self.X, self.C, self.V, self.held = X, C, V, held
        values = X.data if is_sparse(X) else X
        present = values[values > 0].astype(np.float64)
        mean = present.sum() / max(1, X.shape[0] * X.shape[1])
        # Where X > 0 a model below this is no model: dividing by it would only overflow.
        self._floor = float(np.finfo(C.dtype).eps * mean) or 1.0
        self._total = float(present.sum())
        self._quotients = self._divide()

    def step(self) -> None:
        """Update V, then C, then let each part sum to 1."""
        C, V = self.C, self.V
        V *= self._quotients @ C.T
        np.sqrt(V, out=V)
        self._quotients = self._divide()
        uses = V.sum(axis=0)
        uses[uses == 0] = 1
        free = slice(self.held, None)
        C[free] *= (self._quotients.T @ V[:, free]).T
        C[free] /= uses[free, None]
        _to_unit_sums(C)
        self._quotients = self._divide()

    def terms(self) -> dict[str, float]:
        """Return D(X‖VC) = Σ X log(X/VC) − X + VC."""
        q, X = (self._quotients.data, self.X.data) if is_sparse(self.X) else (self._quotients, self.X)
        logarithms = np.zeros_like(q)
        np.log(q, out=logarithms, where=q > 0)
        logarithms *= X
        modelled = float(self.V.sum(axis=0, dtype=np.float64) @ self.C.sum(axis=1, dtype=np.float64))
        return {"divergence": float(logarithms.sum(dtype=np.float64)) - self._total + modelled}

    def arrays(self) -> dict[str, Array]:
        """Return C as components, V as embedding."""
        return {"components": self.C, "embedding": self.V}

    def _divide(self) -> Any:
        """Return X/VC; for sparse X only where X is not zero, since zeros stay zeros."""
        if is_sparse(self.X):
            return self._divide_sparse(self.X)
        model = self.V @ self.C
        np.maximum(model, self._floor, out=model)
        return np.divide(self.X, model, out=model)

    def _divide_sparse(self, X: Graph) -> Graph:
        entries = X.tocoo()
        rows, columns = entries.row, entries.col
        model = np.empty_like(X.data)
        for first in range(0, model.size, _ENTRIES_AT_ONCE):
            part = slice(first, first + _ENTRIES_AT_ONCE)
            model[part] = np.einsum("ek,ke->e", self.V[rows[part]], self.C[:, columns[part]])
        quotients = X.copy()
        quotients.data /= np.maximum(model, self._floor)
        return quotients


def _to_unit_sums(C: Array) -> Array:
    """Scale the rows of C to sum to 1 in place (rows of zeros stay) and return what they summed to."""
    sums = C.sum(axis=1)
    sums[sums == 0] = 1
    C /= sums[:, None]
    return np.asarray(sums)


SPEC = LNMF.spec = Spec(
    id="lnmf",
    title="LNMF",
    family="nonnegative",
    summary="NMF that prefers small separate parts: eyes, brows and mouths rather than faint whole faces.",
    objective=r"D(X\Vert WH)=\sum_{ij}\Big(x_{ij}\log\frac{x_{ij}}{(WH)_{ij}}-x_{ij}+(WH)_{ij}\Big)"
    r"\quad\text{(shown, not monotone)},\qquad W,H\ge 0",
    update=r"H \leftarrow \sqrt{H\circ W^\top\frac{X}{WH}},\qquad "
    r"W \leftarrow W\circ\frac{(X/WH)\,H^\top}{\text{row sums of }H},\qquad "
    r"w_j\leftarrow w_j/\textstyle\sum_i w_{ij}",
    references=(
        "S. Z. Li, X. W. Hou, H. J. Zhang and Q. S. Cheng. Learning spatially localized, parts-based "
        "representation. CVPR 2001.",
    ),
    params=(
        N_COMPONENTS,
        INIT,
        MAX_ITER.but(
            meaning="The run makes this many iterations: no rule on the objective would wait for the parts.",
        ),
        FEATURES,
        SEED,
    ),
    estimator=LNMF,
    needs=frozenset({"nonnegative"}),
    takes=frozenset({"parts"}),
    memory=copies(dense=3),
    cost="8·m·N·k per iteration (four products of the size of the data) and m·N logarithms.",
    corrections=(
        "The divergence is not what the updates lower, and it rises: the square root comes from terms for "
        "locality that are left out of it, and WH settles at a scale of its own. The usual stopping rule, an "
        "absolute threshold on the change of the factors, depends on the scale of the pixels: in [0, 1] it "
        "ends after some 15 iterations, before any part has formed. Here the number of iterations is fixed."
    ),
)
