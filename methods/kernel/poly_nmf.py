"""Polynomial NMF, PNMF (Buciu, Nikolaidis and Pitas, IEEE TNN 2008)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg

from methods.coefficients import FEATURES, ridge_inverse
from methods.data_matrix import DataMatrix, error_of_products
from methods.kernel.kernels import DEGREE, check_degree, refuse_overflow, squared_lengths
from methods.memory import copies
from methods.nnls import from_gram
from methods.nonnegative.factorization import NonnegativeFactorization
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, TOL, Facts, Param, Spec
from methods.stepwise import Solver
from methods.typing import Array


class PolyNMF(NonnegativeFactorization):
    """min ‖Φ(X) − Φ(C)H‖², C, H ≥ 0, with ⟨φ(x), φ(z)⟩ = ⟨x, z⟩ᵈ.

    Each basis vector is the image of a point: rows of C (`components_`) are images one can look
    at, rows of Hᵀ (`embedding_`) say how much of each a sample uses. Degree 1 is NMF.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((30, 6))
    >>> model = PolyNMF(n_components=3, max_iter=50, tol=0, random_state=0).fit(X)
    >>> bool((np.diff(model.objective_curve_) <= 0).all())
    True
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        degree: float = 2.0,
        variant: str = "gradient",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        features: str = "ridge",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.degree = degree
        self.variant = variant
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.features = features
        self.random_state = random_state

    def _check_params(self) -> None:
        check_degree(self.degree)
        super()._check_params()

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        X = self._checked(X)
        data, C, V = self._begin(X, Facts(X.shape[0], X.shape[1]), warm_start)
        degree, lengths = float(self.degree), squared_lengths(X)
        refuse_overflow(float(lengths.max()), degree, X.shape[0], X.dtype)
        kind = _GradientRule if self.variant == "gradient" else _PrintedRule
        solver = kind(data, C, V, degree, float((lengths**degree).sum()))
        # With degree 1 the start is NMF's, and so is all that follows.
        if warm_start is None and isinstance(self.init, str) and degree != 1:
            solver.scale_to_fit()
        return solver

    def transform(self, X: Any) -> Array:
        """Return the coefficients of rows in terms of the basis, closest in feature space.

        "ridge" is K_xc(K_cc + r·diag K_cc)⁻¹, "pinv" K_xc K_cc⁺, least squares of any sign; "nnls" is least
        squares with coefficients that are zero or more, exactly.
        """
        self.spec.param("features").check(self.features)
        X = self._unseen(X, nonnegative=True, accept_sparse=True)
        C = self.components_.astype(np.float64, copy=False)
        products = DataMatrix(X).scores(C, np.empty((X.shape[0], len(C))))
        K, K_parts = products ** float(self.degree), (C @ C.T) ** float(self.degree)
        if self.features == "nnls":
            coefficients = from_gram(K_parts, K)
        else:
            coefficients = K @ (linalg.pinvh(K_parts) if self.features == "pinv" else ridge_inverse(K_parts))
        return np.asarray(coefficients.astype(np.result_type(X.dtype, self.components_.dtype)))


class _PolynomialRule(Solver):
    """First C by the subclass's rule, then V = Hᵀ by V ← V ∘ K_xc / (V K_cc)."""

    def __init__(self, data: DataMatrix, C: Array, V: Array, degree: float, squared_norm: float) -> None:
        self.data, self.C, self.V, self.degree = data, C, V, degree
        self._squared_norm = squared_norm
        self._products, self._numerator = np.empty_like(V), np.empty_like(C)
        self._look_at_parts()

    def step(self) -> None:
        """Update C, then V."""
        self._update_parts()
        self._look_at_parts()
        _multiply(self.V, self._K, self.V @ self._K_parts)

    def terms(self) -> dict[str, float]:
        """Return ‖Φ(X) − Φ(C)H‖², read off the kernels at hand."""
        grams = (self.V.T @ self.V, self._K_parts)
        return {"reconstruction": error_of_products(self._squared_norm, self._K, self.V, grams)}

    def arrays(self) -> dict[str, Array]:
        """Return C as components, V as embedding."""
        return {"components": self.C, "embedding": self.V}

    def scale_to_fit(self) -> None:
        """Scale V so that the start fits the data in feature space as well as its shape allows."""
        overlap = np.multiply(self._K, self.V).sum(dtype=np.float64)
        energy = np.multiply(self._K_parts, self.V.T @ self.V).sum(dtype=np.float64)
        if overlap > 0 and energy > 0:
            self.V *= self.V.dtype.type(overlap / energy)

    def _update_parts(self) -> None:
        raise NotImplementedError

    def _look_at_parts(self) -> None:
        self.data.scores(self.C, self._products)
        self._gram = self.C @ self.C.T
        self._K, self._K_parts = self._products**self.degree, self._gram**self.degree

    def _slope(self, products: Array) -> Array:
        """Return the derivative of the kernel, d⟨x, z⟩ᵈ⁻¹."""
        return np.asarray(self.degree * products ** (self.degree - 1))


class _GradientRule(_PolynomialRule):
    """C ← C ∘ [(K'∘V)ᵀX / ((K'_cc ∘ VᵀV)C)]^{1/(2d−1)}, which cannot raise the objective."""

    def _update_parts(self) -> None:
        V, numerator = self.V, self._numerator
        self.data.weighted_rows(self._slope(self._products) * V, numerator)
        denominator = (self._slope(self._gram) * (V.T @ V)) @ self.C
        _multiply(self.C, numerator, denominator, 1 / (2 * self.degree - 1))


class _PrintedRule(_PolynomialRule):
    """C ← C ∘ (K'ᵀX) / (K'_cc Λ C), Λ = diag(Σ_i V_ij): equation 4 as it stands, H missing on top."""

    def _update_parts(self) -> None:
        self.data.weighted_rows(self._slope(self._products), self._numerator)
        denominator = (self._slope(self._gram) * self.V.sum(axis=0)) @ self.C
        _multiply(self.C, self._numerator, denominator)


def _multiply(factor: Array, numerator: Array, denominator: Array, exponent: float = 1.0) -> None:
    # Where the denominator is zero the entry is zero too, or not used at all: it stays as it is.
    ratio = np.ones_like(factor)
    np.divide(numerator, denominator, out=ratio, where=denominator > 0)
    factor *= ratio if exponent == 1 else ratio**exponent


SPEC = PolyNMF.spec = Spec(
    id="poly_nmf",
    title="Polynomial NMF",
    family="kernel",
    linear=False,
    summary="NMF after a polynomial bend of space, with a basis of images one can look at.",
    objective=r"\min_{W,H\ge 0}\ \lVert \Phi(X)-\Phi(W)H\rVert_F^2,\qquad "
    r"\langle\phi(x),\phi(z)\rangle=\langle x,z\rangle^d",
    update=r"W \leftarrow W\circ\Big[\frac{X(K'_{xw}\circ H^\top)}{W(K'_{ww}\circ HH^\top)}\Big]^{1/(2d-1)},"
    r"\qquad H \leftarrow H\circ\frac{K_{wx}}{K_{ww}H}",
    references=(
        "I. Buciu, N. Nikolaidis and I. Pitas. Nonnegative matrix factorization in polynomial feature space. "
        "IEEE TNN 2008.",
        "D. Zhang and W. Liu. An efficient nonnegative matrix factorization approach in flexible kernel "
        "space. IJCAI 2009.",
    ),
    params=(
        N_COMPONENTS,
        DEGREE,
        Param(
            "variant",
            "choice",
            "gradient",
            "The rule that follows the gradient, or the one printed, which leaves H out and may go uphill.",
            choices=("gradient", "printed"),
            paper="printed",
            advanced=True,
        ),
        INIT,
        MAX_ITER,
        TOL,
        FEATURES.but(choices=("ridge", "pinv", "nnls"), paper=""),
        SEED,
    ),
    estimator=PolyNMF,
    needs=frozenset({"nonnegative"}),
    monotone=True,
    memory=copies(2.5),
    cost="4·m·N·k per iteration (two products with the data) + O((m+N)k²) and (m+N)·k powers.",
    corrections=(
        "Equation 4 as printed drops H from the numerator, so it follows no gradient and its objective may "
        'rise (variant "printed", whose curve shows it). With H in place and the exponent 1/(2d−1) no step '
        "raises the objective for d ≥ 1, and d = 1 is NMF. A degree below 1 makes the kernel indefinite and "
        "is refused."
    ),
)
