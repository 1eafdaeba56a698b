"""Features of rows in terms of parts that add up: x ≈ zH, and how z is chosen.

    ridge    min ‖x − zH‖² + r Σ_j ‖h_j‖² z_j²         (r = 0.1; ours, and the default)
    pinv     min ‖x − zH‖², z = xH⁺                    (Li et al., 2001, and the papers after it)
    nnls     min ‖x − zH‖²  over  z ≥ 0
    robust   the same with Huber's function instead of the square

With about as many parts as rows they were learned from, some parts are nearly copies of each other. What
tells copies apart is noise: where the parts have length 1 and smallest singular value s, least squares makes
a change of the row 1/s times as large. With r it grows by no more than 1/(2√r), 1.6 times, and copies share
their weight. A part counts by its length, so that the scale of data and parts does not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from methods.nnls import least_squares
from methods.robust_coding import robust_codes
from methods.spec import Param
from methods.typing import Array

RIDGE = 0.1
# From about here on least squares without a ridge is visibly worse (faces: good at 18, bad at 78).
ALIKE = 30.0
FEATURES = Param(
    "features",
    "choice",
    "ridge",
    "How parts are weighed in a row: by least squares, steadied or plain; zero or more; or robustly.",
    choices=("ridge", "pinv", "nnls", "robust"),
    paper="pinv",
    advanced=True,
    words="Features of rows",
)


def ridge_inverse(gram: Array) -> Array:
    """Return (G + r·diag G)⁻¹ in double precision; rows and columns of parts that are zero are zero."""
    wide = np.asarray(gram, np.float64)
    length = np.sqrt(np.diagonal(wide))
    inverse = np.divide(1, length, out=np.zeros_like(length), where=length > 0)
    unit = wide * np.multiply.outer(inverse, inverse)
    unit[np.diag_indices_from(unit)] = 1 + RIDGE
    return np.asarray(linalg.inv(unit) * np.multiply.outer(inverse, inverse))


def feature_map(H: Array, how: str) -> Array | None:
    """Return the matrix that takes rows to their features, None where no matrix does."""
    if how == "ridge":
        scale = np.abs(H).max(initial=0) or 1.0
        unit = H.astype(np.float64) / scale
        return np.asarray(unit.T @ ridge_inverse(unit @ unit.T) / scale).astype(H.dtype)
    # SciPy's cuts singular values at the precision of the dtype, so that equal parts share their weight;
    # NumPy's would keep them at 1e-15 even in float32.
    return np.asarray(linalg.pinv(H)) if how == "pinv" else None


def coefficients(H: Array, X: Any, how: str) -> Array:
    """Return the coefficients of rows in terms of the parts H, in the precision of the parts."""
    linear = feature_map(H, how)
    if linear is not None:
        return np.asarray(X @ linear)
    codes = least_squares(H, X) if how == "nnls" else robust_codes(H, X)
    return codes.astype(H.dtype, copy=False)


def condition(H: Array) -> float:
    """Return the largest singular value of the parts, at length 1, over the smallest (zero parts left out).

    >>> condition(np.array([[3.0, 0.0], [0.0, 0.2]]))
    1.0
    """
    length = np.linalg.norm(H.astype(np.float64), axis=1)
    used = length > 0
    if not used.any():
        return 1.0
    values = linalg.svdvals(H[used] / length[used, None])
    rank_deficient = used.sum() > H.shape[1] or values[-1] == 0
    return float("inf") if rank_deficient else float(values[0] / values[-1])
