"""How long the nearest neighbours of very many rows take, and whether they are the nearest.

    python -m benchmarks.neighbours [--samples 70000] [--rows FILE.npy] [--threads 2]

Planted pictures of 784 features, or the rows of a file. Some rows are looked at by all their distances, in
double precision: the share of their neighbours that was found is the recall, which must be 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import report
from benchmarks.scale import planted
from methods.neighbour_search import nearest
from methods.progress import listening

_FEATURES, _NEAREST, _CHECKED = 784, 3, 200


def main(argv: Sequence[str] | None = None) -> int:
    """Search, check and print; return 1 if a neighbour was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=70_000)
    parser.add_argument("--rows", type=Path, default=None)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args(argv)
    X = planted(given.samples, _FEATURES)[0] if given.rows is None else np.load(given.rows)
    nearest(X[:2000], _NEAREST)  # What is compiled once is not the search.
    with threadpool_limits(given.threads), listening(_show):
        begun, worked = perf_counter(), process_time()
        found = nearest(X, _NEAREST)
        seconds, processor = perf_counter() - begun, process_time() - worked
    row = {
        "samples": X.shape[0], "features": X.shape[1], "threads": given.threads, "s": seconds,
        "processor s": processor, "recall": recall(X, found),
    }  # fmt: skip
    report.show(f"The {_NEAREST} nearest of each row", [row])
    report.save("neighbours", row)
    return int(row["recall"] < 1)


def recall(X: Any, found: Any) -> float:
    """Return the share of the nearest of some rows, by all their distances, that was found."""
    hits = 0
    for i in np.random.default_rng(0).permutation(X.shape[0])[:_CHECKED]:
        apart = _distances(X, i)
        apart[i] = np.inf
        hits += len(set(np.argsort(apart, kind="stable")[:_NEAREST]) & set(found[i]))
    return hits / (_NEAREST * min(_CHECKED, X.shape[0]))


def _distances(X: Any, i: int) -> Any:
    """Return the squared distances of all rows from one, few rows at a time."""
    row = X[i].astype(np.float64)
    return np.concatenate(
        [np.square(X[first : first + 5000] - row).sum(axis=1) for first in range(0, len(X), 5000)]
    )


def _show(what: str, share: float) -> None:
    print(f"\r{what}, {share:.0%}", end="" if share < 1 else "\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
