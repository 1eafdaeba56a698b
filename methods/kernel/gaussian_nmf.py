"""Gaussian NMF: kernel NMF whose basis lives in feature space (Zhang and Liu, IJCAI 2009)."""

from __future__ import annotations

from typing import Any

from methods.kernel.factorization import KernelFactorization
from methods.kernel.kernels import FEATURES, SIGMA, Gaussian, check_sigma, gaussian_kernel
from methods.memory import copies
from methods.spec import INIT, MAX_ITER, N_COMPONENTS, SEED, SOLVER, TOL, Spec
from methods.typing import Array


class GaussianNMF(KernelFactorization):
    """min ‖S − BH‖², B, H ≥ 0, with S = max(K^½, 0) and K a Gaussian kernel.

    This is exactly NMF of the matrix S, whose size is the number of samples squared: after the
    kernel has been worked out, an iteration costs the same whatever the size of the images.
    The basis vectors Φ(X)A, A = S⁻¹B, are mixtures of the samples in feature space. Above 2 000
    samples and few parts the root is taken from the leading eigenpairs, the other eigenvalues being
    taken for their mean (see `RootOfMany`).

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((30, 4))
    >>> model = GaussianNMF(n_components=5, max_iter=50, tol=0, random_state=0).fit(X)
    >>> model.dual_components_.shape, model.components_.shape, model.transform(X[:2]).shape
    ((5, 30), (5, 4), (2, 5))
    """

    _definite = True

    def __init__(
        self,
        n_components: int | None = None,
        *,
        sigma: float = 1.0,
        features: str = "lstsq",
        solver: str = "multiplicative",
        init: Any = "random",
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.sigma = sigma
        self.features = features
        self.solver = solver
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_params(self) -> None:
        check_sigma(self.sigma)
        super()._check_params()

    def _kernel(self, X: Any) -> tuple[Gaussian, Array]:
        return gaussian_kernel(X, self.sigma)


SPEC = GaussianNMF.spec = Spec(
    id="gaussian_nmf",
    title="Gaussian NMF",
    family="kernel",
    linear=False,
    summary="NMF in the space of a Gaussian kernel: an iteration costs the same for images of any size.",
    objective=r"\min_{B,H\ge 0}\ \lVert S-BH\rVert_F^2,\qquad S=\max(K^{1/2},0),\quad "
    r"K_{ij}=\exp\!\Big(-\frac{\lVert x_i-x_j\rVert^2}{2\sigma^2}\Big)",
    update=r"B \leftarrow B\circ\frac{SH^\top}{BHH^\top},\qquad "
    r"H \leftarrow H\circ\frac{B^\top S}{B^\top BH},\qquad A=S^{-1}B",
    references=(
        "D. Zhang and W. Liu. An efficient nonnegative matrix factorization approach in flexible kernel "
        "space. IJCAI 2009.",
    ),
    params=(N_COMPONENTS, SIGMA, FEATURES, SOLVER, INIT, MAX_ITER, TOL, SEED),
    estimator=GaussianNMF,
    monotone=True,
    signed=True,
    memory=copies(2, pairs=7),
    instead="nmf",
    cost="4·N²·k per iteration, whatever the number of features m. Once: N²·m for K, O(N³) "
    "for its root, as much again when features are asked for; above 2 000 samples O(N²·k) for few parts.",
    corrections=(
        "Equation 20 prints BᵀHHᵀ in the denominator, which does not conform; BHHᵀ is meant. The root is "
        "taken by eigendecomposition with negative eigenvalues cut: the printed SVD takes the root of |K|. "
        "The printed features A⁺K⁻¹k are not the least-squares ones; (AᵀKA)⁺Aᵀk are, and are used for "
        "training and test rows alike. What is proved is that the objective cannot rise, not that it ends in "
        "a local optimum."
    ),
    revision=2,
)
