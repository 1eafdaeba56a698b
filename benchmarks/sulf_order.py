"""Where SULF stands on texts in several views, a fifth of them labelled: what β and its classifier do.

    python -m benchmarks.sulf_order [--sets multilingual,news,docstrings] [--splits 3]

Who is named rightly among the rows seen without a label, mean and spread over splits, in per cent. "W" is
SULF's own classifier. "V" is regularised least squares on the embedding it was fitted with, "codes" on what
the parts alone make of every row, labelled or not. "labelled rows moved" is how far labels have moved rows of
V away from their codes, as a share of these: what is learned from V is asked about rows that were not moved.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import datasets
import experiments
import methods
from benchmarks.report import Row, save, show
from experiments.trials.measures.classified import by_least_squares
from methods.multiview.views import joined, unit_rows
from methods.typing import Array, Codes

TEXTS = ("multilingual", "news", "docstrings")
BETAS = (1e-3, 1e-1, 10.0, 1e4, 1e6, 1e8)
_ROWS, _WORDS, _SHARE = 600, 1000, 0.2
_PARTS = {"n_components": 50, "max_iter": 200}


def main(argv: Sequence[str] | None = None) -> None:
    """Fit everything on every split and print who is named rightly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sets", default=",".join(TEXTS))
    parser.add_argument("--splits", type=int, default=3)
    chosen = parser.parse_args(argv)
    warnings.simplefilter("ignore", ConvergenceWarning)
    names = chosen.sets.split(",")
    found = {name: measured(name, chosen.splits) for name in names}
    rows: list[Row] = [
        {"features and classifier": way} | {name: _told(found[name][way]) for name in names}
        for way in found[names[0]]
    ]
    show("SULF on texts, named rightly in %", rows)
    save("sulf_order", found)


def measured(name: str, splits: int) -> dict[str, list[float]]:
    """Return shares by what they were found with, one a split."""
    views, y = some_texts(name)
    found: dict[str, list[float]] = {}
    for seed in range(splits):
        partial = experiments.split(y, labelled_fraction=_SHARE, seed=seed).y_partial
        for beta in (0.0, *BETAS):
            for way, share in of_sulf(views, y, partial, beta, seed).items():
                found.setdefault(f"β = {beta:g}, {way}" if beta else f"SULF₁, {way}", []).append(share)
        rivals = of_rivals(views, y, partial, seed)
        for way, share in rivals.items():
            found.setdefault(way, []).append(share)
    return found


def some_texts(name: str) -> tuple[dict[str, Any], Codes]:
    """Return views and classes of some documents whose class is known, evenly taken."""
    ds = datasets.load(name, vocabulary=_WORDS)
    assert ds.y is not None
    known = np.flatnonzero(ds.y >= 0)
    rows = known[:: max(1, len(known) // _ROWS)]
    return {view: X[rows] for view, X in ds.views.items()}, ds.y[rows]


def of_sulf(views: Any, y: Codes, partial: Codes, beta: float, seed: int) -> dict[str, float]:
    """Return what SULF's own classifier and least squares on its features make of one split."""
    est = methods.create("sulf", beta=beta, random_state=seed, **_PARTS).fit(views, partial)
    V, codes, known = est.embedding_, est.transform(views), partial >= 0
    own = np.mean(est.transduction_[~known] == y[~known])
    moved = np.linalg.norm(V[known] - codes[known]) / np.linalg.norm(codes[known])
    return {
        "W": 100 * float(own),
        "V": _by_least_squares(V, y, known),
        "codes": _by_least_squares(codes, y, known),
        "codes at length 1": _by_least_squares(unit_rows(codes), y, known),
        "labelled rows moved": 100 * float(moved),
    }


def of_rivals(views: Any, y: Codes, partial: Codes, seed: int) -> dict[str, float]:
    """Return what is made of the same split without SULF."""
    side_by_side, known = joined([unit_rows(view) for view in views.values()]), partial >= 0
    nmf = methods.create("nmf", random_state=seed, **_PARTS).fit(side_by_side)
    taught = methods.create("cotraining").fit(views, partial).transduction_
    return {
        "NMF, views side by side": _by_least_squares(nmf.embedding_, y, known),
        "words, views side by side": _by_least_squares(side_by_side.toarray(), y, known),
        "CoTra": 100 * float(np.mean(taught[~known] == y[~known])),
    }


def _by_least_squares(points: Array, y: Codes, known: Any) -> float:
    return 100 * by_least_squares(points, y, known, ~known)


def _told(shares: list[float]) -> str:
    return f"{np.mean(shares):.1f} ± {np.std(shares):.1f}"


if __name__ == "__main__":
    main()
