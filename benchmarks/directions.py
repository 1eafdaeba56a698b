"""PCA and kernel PCA against scikit-learn's quickest solver; the root of a kernel whole and for few parts.

    python -m benchmarks.directions

Fit and coordinates of the rows learned from, in float32, by one thread; the middle of a few rounds in which
all take turns. Above 1 in `ratio` ours is ahead. The kernel's width is given to scikit-learn, ours finds it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Any

from sklearn.decomposition import PCA, KernelPCA
from threadpoolctl import threadpool_limits

import datasets
import methods
from benchmarks.report import Row, save, show
from methods.kernel.kernels import Root, gaussian_kernel, root

_ROUNDS = 5
# Left out where it would form a matrix over 4 096 pixels.
_SOLVERS = {"faces": ("full", "arpack", "randomized"), "digits": ("covariance_eigh", "arpack", "randomized")}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    argparse.ArgumentParser(description=__doc__).parse_args(argv)
    datasets.fetch("mnist5000")
    data = {"faces": datasets.load("orl", size=64).X, "digits": datasets.load("mnist5000").X}
    with threadpool_limits(1):
        rows = [pca(name, X, k) for name, X in data.items() for k in (20, 50, 100)]
        rows += [kernel_pca(name, X[:2000], k) for name, X in data.items() for k in (20, 50)]
        roots = [kernel_root(data["digits"][:3000], 20)]
    show("Seconds of ours, of the quickest of scikit-learn's, and their ratio", rows)
    show("Seconds for the root of a Gaussian kernel and its inverse", roots)
    save("directions", {"directions": rows, "roots": roots})


def pca(name: str, X: Any, k: int) -> Row:
    """Return what both need for plain PCA."""
    theirs = {
        solver: lambda solver=solver: PCA(k, svd_solver=solver, random_state=0).fit_transform(X)
        for solver in _SOLVERS[name]
    }
    return compared("pca", name, X, k, theirs)


def kernel_pca(name: str, X: Any, k: int) -> Row:
    """Return what both need for kernel PCA, Gaussian, one median distance wide."""
    width = methods.create("kernel_pca", n_components=1).fit(X).kernel_.width

    def fitted(solver: str) -> Any:
        model = KernelPCA(k, kernel="rbf", gamma=0.5 / width**2, eigen_solver=solver, random_state=0)
        return model.fit_transform(X)

    theirs = {solver: lambda solver=solver: fitted(solver) for solver in ("dense", "arpack", "randomized")}
    return compared("kernel_pca", name, X, k, theirs)


def kernel_root(X: Any, k: int) -> Row:
    """Return what the root and its inverse take, from all eigenpairs and from the leading ones."""
    K = gaussian_kernel(X, 1.0)[1]
    whole = seconds(lambda: Root(K).inverse)
    leading = seconds(lambda: root(K, k, definite=True).inverse)
    return {"samples": len(X), "k": k, "all s": whole, "leading s": leading, "ratio": whole / leading}


def compared(method: str, name: str, X: Any, k: int, theirs: dict[str, Callable[[], Any]]) -> Row:
    """Return the seconds of ours and of the quickest of theirs, taken in turns."""
    ours = methods.create(method, n_components=k)
    rounds = [
        {solver: seconds(call) for solver, call in {"ours": lambda: ours.fit(X), **theirs}.items()}
        for _ in range(_ROUNDS)
    ]
    middle = {solver: median(times[solver] for times in rounds) for solver in rounds[0]}
    quickest = min(theirs, key=lambda solver: middle[solver])
    return {
        "method": method,
        "data": f"{name} {X.shape[0]}×{X.shape[1]}",
        "k": k,
        "ours s": middle["ours"],
        "scikit-learn s": middle[quickest],
        "by": quickest,
        "ratio": middle[quickest] / middle["ours"],
    }


def seconds(call: Callable[[], Any]) -> float:
    """Return the processor time of a call."""
    begun = process_time()
    call()
    return process_time() - begun


if __name__ == "__main__":
    main()
