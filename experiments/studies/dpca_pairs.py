"""Section 4 of the paper on DPCA: what pairs that belong together or apart add to a few labels."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

import datasets
from experiments.requests.by_hand import Pair
from experiments.requests.request import RunRequest
from experiments.requests.splits import split
from experiments.studies.claim import Claim, Finding, Means, counted, each_ahead, mean_of
from experiments.studies.dpca_labels import ETAS, PROTOCOL, SETS, half
from experiments.studies.settings import UNSEEN
from experiments.studies.study import Candidate, Deviation, Study, StudyCell

_COLUMNS = ("PCA", "DPCA, labels", "DPCA, labels and pairs")
_NUMBERS, _LABELLED = (10, 20, 40, 80), 2


def with_pairs(number: int, request: RunRequest) -> RunRequest:
    """Return a request with pairs of its training rows drawn by its seed; more pairs contain the fewer."""
    ds = datasets.load(request.dataset, **request.dataset_options)
    assert ds.y is not None
    train = split(ds, **request.split, seed=request.seed).train
    rng, drawn = np.random.default_rng([request.seed, 3]), dict[tuple[int, int], Pair]()
    while len(drawn) < number:
        low, high = sorted(int(row) for row in rng.choice(train, 2, replace=False))
        drawn.setdefault((low, high), (low, high, "must" if ds.y[low] == ds.y[high] else "cannot"))
    return replace(request, pairs=tuple(drawn.values()))


def _row(name: str, number: int) -> str:
    return f"{name}, pairs = {number}"


def _cell(name: str, number: int, column: str) -> StudyCell:
    dataset, directions = SETS[name]
    if column == "PCA":
        request = RunRequest(dataset, "pca", {"n_components": directions}, split=half(_LABELLED))
        return StudyCell(_row(name, number), column, (Candidate(request, UNSEEN),))
    drawn = partial(with_pairs, number) if "pairs" in column else None
    candidates = tuple(
        Candidate(
            RunRequest(dataset, "dpca", {"n_components": directions, "eta": eta}, split=half(_LABELLED)),
            UNSEEN, f"η = {eta:g}", drawn,
        )
        for eta in ETAS
    )  # fmt: skip
    return StudyCell(_row(name, number), column, candidates)


def _more_pairs(means: Means) -> Finding:
    ends = {
        name: tuple(
            mean_of(means, (_row(name, number), _COLUMNS[2])) for number in (_NUMBERS[0], _NUMBERS[-1])
        )
        for name in SETS
    }
    right = [name for name, (few, many) in ends.items() if many > few]
    return counted(
        right, list(ends), lambda name: f"{name} {ends[name][0]:.1f} with 10, {ends[name][1]:.1f} with 80"
    )


def _ahead(other: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    rows = [_row(name, number) for name in SETS for number in _NUMBERS]
    return [((row, _COLUMNS[2]), (row, other)) for row in rows]


STUDY = Study(
    id="dpca-pairs",
    paper="gnmf_dpca",
    item="Section 4, pairs (DPCA)",
    title="Pairs that belong together or apart: what they add",
    summary="Two labels a class and some pairs; the nearest labelled sample after projection.",
    datasets=("iris", "wine"),
    cells=lambda: [
        _cell(name, number, column) for name in SETS for number in _NUMBERS for column in _COLUMNS
    ],
    axis="pairs",
    splits=20,
    repeated="draw",
    protocol=(
        Deviation("data", "eight UCI sets and Yale B", "Iris and Wine", "scikit-learn holds these two"),
        *PROTOCOL[1:],
        Deviation(
            "pairs",
            "how many and how drawn is not in our copy",
            "10 to 80, drawn at random from the training half",
        ),
        Deviation("labels", "not in our copy", "two a class, which the nearest neighbour needs"),
    ),
    claims=(
        Claim("More pairs help.", _more_pairs),
        Claim("With pairs DPCA is ahead of PCA.", each_ahead(_ahead("PCA"))),
        Claim("Pairs add to labels.", each_ahead(_ahead("DPCA, labels"))),
    ),
    notes="No published numbers at hand: our copy of the paper ends before its results. 1-NN, Euclidean.",
)
