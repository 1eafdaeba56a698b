"""How many threads the products of matrices may use here, for work that is shared out in another way."""

from __future__ import annotations

from threadpoolctl import threadpool_info


def blas_threads() -> int:
    """Return the number of threads that BLAS would use."""
    pools = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return max(pools, default=1)
