"""Polynomial kernel NMF: flexible-kernel NMF with a polynomial kernel (Zhang and Liu, IJCAI 2009)."""

from __future__ import annotations

from typing import Any

from methods.kernel.factorization import KernelFactorization
from methods.kernel.kernels import (
    DEGREE,
    FEATURES,
    Polynomial,
    check_degree,
    refuse_overflow,
    squared_lengths,
)
from methods.memory import copies
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Spec
from methods.typing import Array


class PolyKernelNMF(KernelFactorization):
    """min ‖S − BH‖², B, H ≥ 0, with S = max(K^½, 0) and K_ij = ⟨x_i, x_j⟩ᵈ.

    The same method as Gaussian NMF with the other kernel (pKNMF in the paper). Its basis vectors
    are mixtures of samples in feature space; those of `poly_nmf` are images of points.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((30, 4))
    >>> PolyKernelNMF(n_components=5, max_iter=50, tol=0, random_state=0).fit_transform(X).shape
    (30, 5)
    """

    _nonnegative = True

    def __init__(
        self,
        n_components: int | None = None,
        *,
        degree: float = 2.0,
        features: str = "lstsq",
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.degree = degree
        self.features = features
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_params(self) -> None:
        check_degree(self.degree)
        super()._check_params()

    def _kernel(self, X: Any) -> tuple[Polynomial, Array]:
        refuse_overflow(float(squared_lengths(X).max()), float(self.degree), X.shape[0], X.dtype)
        kernel = Polynomial(float(self.degree))
        return kernel, kernel(X, X)


SPEC = PolyKernelNMF.spec = Spec(
    id="poly_kernel_nmf",
    title="Polynomial kernel NMF",
    family="kernel",
    linear=False,
    summary="NMF in the space of a polynomial kernel, with a basis made of samples mixed in that space.",
    objective=r"\min_{B,H\ge 0}\ \lVert S-BH\rVert_F^2,\qquad S=\max(K^{1/2},0),\quad "
    r"K_{ij}=\langle x_i,x_j\rangle^d",
    update=r"B \leftarrow B\circ\frac{SH^\top}{BHH^\top},\qquad "
    r"H \leftarrow H\circ\frac{B^\top S}{B^\top BH},\qquad A=S^{-1}B",
    references=(
        "D. Zhang and W. Liu. An efficient nonnegative matrix factorization approach in flexible kernel "
        "space. IJCAI 2009.",
    ),
    params=(N_COMPONENTS, DEGREE, FEATURES, SOLVER, INIT, MAX_ITER, TOL, SEED),
    estimator=PolyKernelNMF,
    needs=frozenset({"nonnegative"}),
    monotone=True,
    signed=True,
    memory=copies(2, pairs=7),
    instead="poly_nmf",
    cost="4·N²·k per iteration, whatever the number of features m. Once: N²·m for K, O(N³) "
    "for its root, as much again when features are asked for.",
    corrections=(
        "As for Gaussian NMF: BHHᵀ where equation 20 prints BᵀHHᵀ, a root with negative eigenvalues cut, and "
        "least-squares features. A degree that is no whole number makes K slightly indefinite (what is "
        "negative is cut); a degree below 1 is refused."
    ),
    revision=2,
)
