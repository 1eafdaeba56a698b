"""Names for the kinds of arrays that methods take and give."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array: TypeAlias = NDArray[Any]
Codes: TypeAlias = NDArray[np.int64]
Graph: TypeAlias = sparse.csr_array[Any]


def is_sparse(X: Any) -> TypeGuard[Graph]:
    """Return whether X is a scipy-sparse matrix of any format."""
    return bool(sparse.issparse(X))
