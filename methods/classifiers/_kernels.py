"""What the kernel classifiers share: samples of unit length, their kernel, and the parameters of both."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from methods.spec import Param
from methods.typing import Array, is_sparse


def kernel_matrix(X: Any, Z: Any, kernel: str, sigma: float) -> Array:
    """Return k(x, z) for all rows, in double precision."""
    X, Z = X.astype(np.float64, copy=False), Z.astype(np.float64, copy=False)
    if kernel == "linear":
        products = X @ Z.T
        return np.asarray(products.toarray() if is_sparse(products) else products)
    distances: Array = euclidean_distances(X, Z, squared=True)
    distances /= -(sigma**2)
    return np.exp(distances, out=distances)


FAILED_CHECKS = {
    "check_classifiers_classes": "-1 marks an unlabelled row, so labels -1 and 1 of this check are one class"
}
KERNEL = Param(
    "kernel",
    "choice",
    "gaussian",
    "How alike two samples are: falling off with their distance, or their inner product.",
    symbol="k",
    choices=("gaussian", "linear"),
    paper="gaussian",
    advanced=True,
)
SIGMA = Param(
    "sigma",
    "float",
    0.5,
    "How far a sample's influence reaches; samples have length 1, so distances are at most 2.",
    symbol="σ",
    least=1e-3,
    low=0.05,
    high=5.0,
    scale="log",
    paper="0.5",
    only_if=("kernel", "gaussian"),
)
C_AMBIENT = Param(
    "c_ambient",
    "float",
    0.005,
    "How strongly a simple function is preferred to one that follows every label.",
    symbol="C_A",
    least=0.0,
    low=1e-5,
    high=10.0,
    scale="log",
    paper="0.005 (γ_A·l)",
)
C_INTRINSIC = Param(
    "c_intrinsic",
    "float",
    0.01,
    "How strongly the function must agree with the graph over all samples, labelled or not.",
    symbol="C_I",
    least=0.0,
    low=1e-5,
    high=10.0,
    scale="log",
    paper="0.01 (γ_I·l/(l+u)²)",
)
NEIGHBOURS = Param(
    "n_neighbors",
    "int",
    7,
    "How many nearest samples each sample is joined with.",
    symbol="p",
    least=1,
    low=1,
    high=30,
    paper="7",
)
