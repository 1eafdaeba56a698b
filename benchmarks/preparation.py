"""What preparing counts of words does for recognition from two labels a class.

    python -m benchmarks.preparation [--splits 5] [--data reuters_r8 newsgroups ...]

Counts of the words that occur most often in some documents of each of the largest classes, as they are, with
rows of length 1, and as TF-IDF with rows of length 1. The advice of the Data page on counts is from here.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import fmean, stdev

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from threadpoolctl import threadpool_limits

import datasets
from benchmarks import report
from datasets import Dataset
from experiments import RunRequest, run

# Documents of each class, and classes.
_SETS = {
    "reuters_r8": (150, 8),
    "newsgroups": (60, 20),
    "docstrings": (120, 8),
    "news": (150, 8),
    "reuters395": (395, 20),
}
_PREPARATIONS = ("none", "unit", "tfidf")
_METHODS = {
    "n2s2l": {"solver": "accelerated", "max_iter": 300},
    "nmf": {"solver": "accelerated", "max_iter": 300},
    "nearest_neighbour": {},
}
_WORD, _WORDS = r"[^\W\d_]{2,}", 3000


def main(argv: Sequence[str] | None = None) -> int:
    """Fetch, count, run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--data", nargs="+", choices=list(_SETS), default=list(_SETS))
    given = parser.parse_args(argv)
    rows: list[report.Row] = []
    for name in given.data:
        ds = counts_of(name)
        id = datasets.keep(ds)
        for method in _METHODS:
            row: report.Row = {
                "data": name,
                "documents": ds.n_samples,
                "classes": ds.n_classes,
                "method": method,
            }
            rows.append(row | {how: accuracy(id, method, how, given.splits) for how in _PREPARATIONS})
    report.show("Accuracy in per cent from two labels a class, mean ± standard deviation", rows)
    report.save("preparation", rows)
    return 0


def counts_of(name: str) -> Dataset:
    """Return the counts of words of some documents of the largest classes."""
    datasets.fetch(name)
    each, classes = _SETS[name]
    if name == "reuters395":
        # Its words are only known as counts.
        return datasets.load(name, weights="counts")
    ds = datasets.load(name)
    y = np.asarray(ds.y)
    rng = np.random.default_rng(0)
    largest = np.argsort(-np.bincount(y[y >= 0]), kind="stable")[:classes]
    rows = np.sort(np.concatenate([rng.permutation(np.flatnonzero(y == one))[:each] for one in largest]))
    texts = next(iter(ds.texts.values()))
    counter = CountVectorizer(
        max_features=_WORDS, min_df=3, max_df=0.5, stop_words="english", token_pattern=_WORD
    )
    X = sparse.csr_array(counter.fit_transform([texts[row] for row in rows]).astype(np.float64))
    said = np.asarray(X.sum(axis=1)).ravel() > 0
    codes = np.unique(y[rows[said]], return_inverse=True)[1]
    return Dataset(name, ds.title, {"words": X[said]}, y=codes.astype(np.int64))


def accuracy(id: str, method: str, preparation: str, splits: int) -> str:
    """Return mean and spread of the share of unlabelled documents that are recognised, over splits."""
    found = []
    for seed in range(splits):
        request = RunRequest(
            id, method, _METHODS[method], {"preparation": preparation},
            split={"labelled_per_class": 2}, seed=seed,
        )  # fmt: skip
        with threadpool_limits(1):
            found.append(100 * run(request).scores["accuracy_euclidean"])
    return f"{fmean(found):.1f} ± {stdev(found) if splits > 1 else 0:.1f}"


if __name__ == "__main__":
    sys.exit(main())
