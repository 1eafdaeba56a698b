"""What large text collections cost: seconds and memory to load, weigh and factorize, sparse to the end.

    python -m benchmarks.texts [--data newsgroups] [--words 30000]

Every collection with every method runs in a process of its own, whose peak of memory is given beside what the
same numbers would take as a dense matrix. A collection that is not on this machine is fetched.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections.abc import Sequence
from time import perf_counter

import numpy as np

import datasets
import methods
from benchmarks.report import Row, save, show
from experiments import split

COLLECTIONS, METHODS = ("reuters_r8", "newsgroups"), ("nmf", "n2s2l")
PARTS, STEPS, LABELLED = 40, 5, 10
MEGABYTE = 2**20


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", default=COLLECTIONS, choices=COLLECTIONS)
    parser.add_argument("--words", type=int, default=30_000, help="the most words kept")
    parser.add_argument("--dry", action="store_true", help="write no file")
    given = parser.parse_args(argv)
    for name in given.data:
        datasets.fetch(name)
    rows = [in_own_process(data, method, given.words) for data in given.data for method in METHODS]
    show(f"Text collections, {PARTS} parts, at most {given.words} words", rows)
    if not given.dry:
        save("texts", rows)


def in_own_process(data: str, method: str, words: int) -> Row:
    """Return what one pair costs; memory of earlier ones cannot hide its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (data, method, words))


def measured(data: str, method: str, words: int) -> Row:
    """Load, split and take a few steps; return sizes, seconds and the peak of memory."""
    start = peak()
    begun = perf_counter()
    ds = datasets.load(data, vocabulary=words, min_df=2)
    loaded, after_loading = perf_counter() - begun, peak()
    rows = split(ds, labelled_per_class=LABELLED)
    estimator = methods.create(method, n_components=PARTS, max_iter=STEPS, tol=0.0, random_state=0)
    times, objectives = [], []
    begun = perf_counter()
    for step in estimator.iterate(ds.X, rows.y_partial):
        times.append(perf_counter() - begun)
        objectives.append(step.objective)
        begun = perf_counter()
    assert np.all(np.diff(objectives) <= 0), "the objective falls"
    values = ds.X.data.nbytes + ds.X.indices.nbytes + ds.X.indptr.nbytes
    return {
        "data": data, "method": method, "documents": ds.n_samples, "words": ds.n_features,
        "dense MB": ds.n_samples * ds.n_features * ds.X.dtype.itemsize / MEGABYTE,
        "sparse MB": values / MEGABYTE,
        "load s": loaded, "begin s": times[0], "step s": float(np.median(times[1:])),
        "before MB": start, "loaded MB": after_loading, "peak MB": peak(),
    }  # fmt: skip


def peak() -> float:
    """Return the most memory this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
