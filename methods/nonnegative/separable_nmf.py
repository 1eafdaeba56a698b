"""Separable NMF: the parts are samples, found one after the other (successive projection)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from methods.checks import check_data
from methods.coefficients import FEATURES
from methods.data_matrix import DataMatrix, dense_rows
from methods.memory import copies
from methods.multiplicative import kernels
from methods.nnls import from_gram
from methods.nonnegative.factorization import AdditiveFactorization
from methods.spec import N_COMPONENTS, Facts, Param, Spec
from methods.stepwise import Solver
from methods.typing import Array, Codes, is_sparse

# Squared lengths below this many times what rounding may leave of the longest are nothing.
_ROUNDING = 10
# Numbers in the systems of equations for the weights of so many samples: 4 MB.
_SYSTEMS_AT_ONCE = 2**19


class SeparableNMF(AdditiveFactorization):
    """min ‖X − WH‖², W ≥ 0, where every row of H is one of the samples.

    Samples are points; if all are mixtures of a few pure ones, those are the corners of the cloud. The sample
    farthest from everything chosen so far is a corner, and the next is looked for in what it leaves
    unexplained. Step i shows i parts; `anchors_` says which samples they are (-1: not yet chosen).

    >>> import numpy as np
    >>> pure = np.array([[4.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
    >>> mixtures = np.array([[0.3, 0.7], [0.5, 0.5], [0.9, 0.1]]) @ pure
    >>> model = SeparableNMF(n_components=2).fit(np.vstack([mixtures, pure]))
    >>> sorted(model.anchors_.tolist()), bool(model.objective_curve_[-1] < 1e-12)
    ([3, 4], True)
    """

    anchors_: Codes

    def __init__(
        self, n_components: int | None = None, *, unit_sum: bool = True, features: str = "ridge"
    ) -> None:
        self.n_components = n_components
        self.unit_sum = unit_sum
        self.features = features

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        self._check_params()
        X = check_data(self, X, nonnegative=True, accept_sparse=True, entries=True)
        most = min(X.shape)
        k = int(self._resolved("n_components", Facts(*X.shape)))
        if k > most:
            raise ValueError(
                f"n_components={k} is more than the data hold: "
                f"{X.shape[0]} samples of {X.shape[1]} features have at most {most} corners."
            )
        return _CornerByCorner(DataMatrix(X), k, self.unit_sum)


class _CornerByCorner(Solver):
    def __init__(self, data: DataMatrix, k: int, unit_sum: bool) -> None:
        n, m = data.shape
        self.data, self.H, self.W = data, np.zeros((k, m), data.dtype), np.zeros((k, n), data.dtype)
        self.anchors = np.full(k, -1)
        self._scores, self._directions = np.zeros_like(self.W), np.zeros((k, m))
        self._scale = _scales(data.X, unit_sum)
        self._left = _squared_lengths(data.X) * np.square(self._scale)
        self._nothing = _ROUNDING * np.finfo(data.dtype).eps * self._left.max()
        self._chosen, self._error = 0, data.squared_norm
        self.done = self._is_complete()

    def step(self) -> None:
        """Choose the sample of which most is left unexplained, and weigh all parts anew."""
        self._take(int(self._left.argmax()))
        self.done = self._is_complete()
        self._weigh()

    def terms(self) -> dict[str, float]:
        """Return the squared error left with the parts chosen so far."""
        return {"reconstruction": self._error}

    def arrays(self) -> dict[str, Array]:
        """Return H as components and W as embedding, zero where not yet chosen, and the chosen samples."""
        return {"components": self.H, "embedding": self.W.T, "anchors": self.anchors}

    def _take(self, anchor: int) -> None:
        j, directions = self._chosen, self._directions[: self._chosen]
        self.anchors[j] = anchor
        self.H[j] = dense_rows(self.data.X, [anchor])[0]
        new = self.H[j] * self._scale[anchor]
        for _ in range(2):  # once more for what rounding has left of the others
            new = new - (directions @ new) @ directions
        self._directions[j] = new / np.linalg.norm(new)
        along = np.empty((len(self._left), 1), self.data.dtype)
        self.data.scores(self._directions[j : j + 1].astype(self.data.dtype), along)
        self._left -= np.square(along[:, 0] * self._scale)
        self._left[anchor] = 0
        self._chosen += 1

    def _is_complete(self) -> bool:
        return self._chosen == len(self.H) or bool(self._left.max() <= self._nothing)

    def _weigh(self) -> None:
        parts = slice(self._chosen)
        H, W, scores = self.H[parts], self.W[parts], self._scores[parts]
        self.data.scores(H[-1:], scores[-1:].T)
        gram = H @ H.T
        if self.done:
            wide, rows = gram.astype(np.float64), max(1, _SYSTEMS_AT_ONCE // self._chosen**2)
            for first in range(0, W.shape[1], rows):
                block = slice(first, first + rows)
                W[:, block] = from_gram(wide, scores[:, block].T.astype(np.float64)).T
        else:
            kernels().descend(W, scores, gram, 1)
        self._error = self.data.squared_error(W.T, H, scores.T, (W @ W.T, gram))


def _scales(X: Any, unit_sum: bool) -> Array:
    """Return what samples are multiplied by: that their entries sum to 1, or that the largest of all is 1."""
    if unit_sum:
        sums = np.asarray(X.sum(axis=1, dtype=np.float64)).ravel()
        return np.asarray(np.divide(1, sums, out=np.zeros_like(sums), where=sums > 0))
    largest = float(X.max())
    return np.full(X.shape[0], 1 / largest if largest > 0 else 0.0)


def _squared_lengths(X: Any) -> Array:
    if is_sparse(X):
        return np.asarray(X.multiply(X).sum(axis=1, dtype=np.float64)).ravel()
    return np.asarray(np.einsum("ij,ij->i", X, X, dtype=np.float64))


SPEC = SeparableNMF.spec = Spec(
    id="separable_nmf",
    title="Separable NMF",
    family="nonnegative",
    summary="The parts are samples: the pure ones, of which all others are mixtures.",
    objective=r"\min_{V\ge 0,\ \mathcal K}\ \lVert X-X_{\mathcal K}V^\top\rVert_F^2,\qquad |\mathcal K|=k",
    update=r"\mathcal K\leftarrow\mathcal K\cup\Big\{\arg\max_i\lVert R_i\rVert\Big\},\qquad "
    r"R\leftarrow\Big(I-\frac{R_iR_i^\top}{\lVert R_i\rVert^2}\Big)R,\qquad R=X\ \text{at first}",
    references=(
        "M. C. U. Araújo et al. The successive projections algorithm for variable selection in spectroscopic "
        "multicomponent analysis. Chemometrics and Intelligent Laboratory Systems 57, 2001.",
        "N. Gillis and S. A. Vavasis. Fast and robust recursive algorithms for separable nonnegative matrix "
        "factorization. IEEE TPAMI 36, 2014.",
    ),
    params=(
        N_COMPONENTS,
        Param(
            "unit_sum",
            "flag",
            True,
            "Compare samples by what they are made of, each summing to 1, whatever there is of it.",
            paper="on",
            advanced=True,
            words="Compare shares",
        ),
        FEATURES,
    ),
    estimator=SeparableNMF,
    needs=frozenset({"nonnegative"}),
    monotone=True,
    memory=copies(2),
    cost="4·m·N·k for all parts together, O(N·k³) for their weights. Nothing is repeated until it settles.",
    corrections=(
        "That the corners are found is proved for data that are mixtures of pure samples and a little noise. "
        "Where no sample is pure, as among faces, what is farthest out is chosen, odd ones first: NMF "
        "explains such data better with as many parts. Samples that sum to nearly nothing are left to noise "
        "once all sum to 1."
    ),
)
