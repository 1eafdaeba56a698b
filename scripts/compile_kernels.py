"""Compiles the inner loops for the numbers the app works with, so that nobody's first run waits for it.

python -m scripts.compile_kernels

numba keeps what it has compiled beside the source, and looks at nothing but the date and size of that: so
does the note beside it by which this ends at once when there is nothing to do.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_STAMP = ROOT / "methods" / "__pycache__" / "compiled-kernels"


def main() -> None:
    """Compile what has not been compiled since the sources changed."""
    wanted = state()
    if _STAMP.is_file() and _STAMP.read_text(encoding="utf-8") == wanted:
        return
    print("Compiling the inner loops; the first time this takes some seconds ...", flush=True)
    use_every_loop()
    _STAMP.parent.mkdir(exist_ok=True)
    _STAMP.write_text(wanted, encoding="utf-8")


def state() -> str:
    """Return what numba goes by: place, date and size of the sources, and which Python."""
    folder = ROOT / "methods"
    files = [folder / "compilation.py", *sorted(folder.glob("*_kernels.py"))]
    about = [f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}" for path in files]
    return "\n".join([sys.version, *about, ""])


def use_every_loop() -> None:
    """Make short fits of small data, of the kinds of numbers that the app's data have."""
    import numpy as np
    from scipy.sparse import csr_matrix

    import methods
    from methods.l1_wide import solve_wide
    from methods.neighbour_search import nearest

    X = np.random.default_rng(0).random((40, 24), dtype=np.float32)
    y = np.where(np.arange(40) < 20, np.arange(40) % 2, -1)
    short = {"n_components": 6, "max_iter": 2, "tol": 0.0, "random_state": 0}
    for solver in ("multiplicative", "accelerated"):
        for loss in ("frobenius", "kullback-leibler", "itakura-saito"):
            methods.spec("nmf").estimator(**short, solver=solver, loss=loss).fit(X + 1)
        for loss in ("frobenius", "kullback-leibler"):
            methods.spec("nmf").estimator(**short, solver=solver, loss=loss).fit(csr_matrix(X))
        methods.spec("n2s2l").estimator(**short, n_discriminative=3, solver=solver).fit(X, y)
    methods.spec("nge").estimator(**short, n_discriminative=3).fit(X, y)
    # The graphs of many rows.
    nearest(X, 3)
    solve_wide(X, 0.1, 10)


if __name__ == "__main__":
    main()
