"""Table 3 of SULF: classification by the share of labels, on three sets of several views."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from experiments.requests.request import RunRequest
from experiments.studies.awaited import COREL, NUS_WIDE, REUTERS
from experiments.studies.claim import Claim, each_ahead
from experiments.studies.study import (
    EACH_PAIR,
    EACH_VIEW,
    EVERY_VIEW,
    Candidate,
    Deviation,
    Head,
    Published,
    Study,
    StudyCell,
)
from experiments.trials import MeasureRequest

METHODS = ("NMF_a", "NMF_b", "CCA", "SULF₁", "CoTra", "CNMF_a", "CNMF_b", "SGNMF_a", "SGNMF_b", "SULF₂",
           "SULF₃", "SULF")  # fmt: skip
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
_PRINTED = {
    "NUS-WIDE": (
        (11.54, 13.59, 12.22, 12.83, 10.25, 12.88, 14.22, 14.09, 15.15, 15.90, 17.11, 18.17),
        (13.96, 16.30, 17.78, 16.51, 15.32, 14.39, 15.96, 14.95, 16.47, 17.04, 18.89, 19.60),
        (15.58, 17.75, 19.96, 18.52, 18.63, 17.93, 18.70, 16.46, 17.47, 17.82, 19.41, 20.10),
        (17.36, 19.65, 22.31, 20.45, 21.18, 18.89, 20.13, 16.56, 17.58, 18.95, 20.16, 21.29),
        (18.59, 20.69, 23.68, 21.21, 21.55, 19.10, 21.18, 18.84, 18.90, 18.55, 21.71, 22.13),
    ),
    "Corel5K": (
        (18.82, 21.57, 26.58, 24.02, 24.38, 22.00, 22.70, 23.62, 25.24, 28.86, 30.26, 31.18),
        (27.69, 30.28, 33.70, 31.60, 33.68, 26.62, 27.19, 30.46, 31.11, 32.08, 34.23, 34.58),
        (30.14, 31.44, 35.95, 34.28, 36.07, 27.13, 28.91, 32.98, 32.58, 32.57, 35.45, 35.61),
        (32.28, 32.21, 36.67, 36.22, 36.17, 28.22, 32.87, 32.98, 35.67, 33.80, 35.38, 35.90),
        (32.92, 33.33, 38.72, 36.34, 37.04, 30.69, 33.33, 33.47, 36.31, 33.76, 36.30, 36.52),
    ),
    "Reuters": (
        (70.25, 71.78, 73.29, 74.61, 74.05, 73.90, 71.00, 72.18, 72.50, 74.08, 75.27, 76.36),
        (72.00, 72.93, 75.37, 76.33, 76.07, 74.50, 74.20, 73.05, 73.83, 77.30, 76.57, 78.67),
        (72.44, 73.88, 76.77, 76.82, 77.91, 76.39, 72.85, 74.22, 73.84, 79.78, 77.49, 80.05),
        (73.16, 74.33, 77.14, 77.51, 78.40, 76.22, 73.47, 74.26, 74.02, 80.36, 78.27, 80.80),
        (73.12, 74.78, 78.34, 77.93, 77.40, 76.17, 75.91, 74.21, 74.11, 80.17, 78.73, 80.70),
    ),
}
AWAITED = {"NUS-WIDE": NUS_WIDE.id, "Corel5K": COREL.id, "Reuters": REUTERS.id}
STAND_IN, LANGUAGES = "Digits in six views", "Entries in four languages"
# By name: the data set, its views (none are known of what is waited for), how many classes.
_DATA: Mapping[str, tuple[str, tuple[str, ...], int]] = {
    "NUS-WIDE": (NUS_WIDE.id, (), NUS_WIDE.classes),
    "Corel5K": (COREL.id, (), COREL.classes),
    "Reuters": (REUTERS.id, (), REUTERS.classes),
    STAND_IN: ("multifeature", ("pixels", "fourier", "profiles", "karhunen", "zernike", "shape"), 10),
    LANGUAGES: ("multilingual", ("English", "French", "Spanish", "Portuguese"), 8),
}
_SHARES_HERE = {STAND_IN: (0.1, 0.2, 0.5), LANGUAGES: (0.1, 0.2)}
_STEPS = {"n_components": 50, "max_iter": 300}
_SULF: Mapping[str, Mapping[str, Any]] = {"SULF₁": {"beta": 0.0}, "SULF₃": {"weights": "equal"}, "SULF": {}}
_SINGLE = {"NMF": "nmf", "CNMF": "cnmf", "SGNMF": "sgnmf"}


def candidates(
    method: str, share: float, measure: MeasureRequest, name: str = STAND_IN
) -> tuple[Candidate, ...]:
    """Return what a method is measured with on some data.

    `_a` is the best of the views, `_b` all of them side by side, CCA the best pair.
    """
    dataset, views, classes = _DATA[name]
    single = [(view, view) for view in views] or [(EACH_VIEW, "")]
    pairs: list[tuple[Any, str]] = [(list(pair), " and ".join(pair)) for pair in combinations(views, 2)] or [
        (EACH_PAIR, "")
    ]
    split = {"labelled_fraction": share}

    def one(id: str, params: Mapping[str, Any], view: Any = None, setting: str = "") -> Candidate:
        request = RunRequest(dataset, id, params, view=view, split=split)
        return Candidate(request, measure, setting)

    quick = _STEPS | {"solver": "multiplicative" if name == LANGUAGES else "accelerated"}
    title, _, kind = method.partition("_")
    if kind == "b":
        return (one(_SINGLE[title], quick, list(views) or EVERY_VIEW),)
    if kind == "a":
        return tuple(one(_SINGLE[title], quick, view, setting) for view, setting in single)
    if method == "SULF₂":
        return tuple(one("sulf", _STEPS, view, setting) for view, setting in single)
    if method in _SULF:
        return (one("sulf", {**_STEPS, **_SULF[method]}),)
    if method == "PCSC":
        return (one("pcsc", {"n_clusters": classes}),)
    if method == "CCA":
        return tuple(one("cca", {}, pair, setting) for pair, setting in pairs)
    return (one("cotraining", {}),)


def row(name: str, share: float) -> str:
    """Return the label of a row."""
    return f"{name}, τ = {share:g}"


def _cells() -> list[StudyCell]:
    classified = MeasureRequest("classified")
    printed = [
        StudyCell(
            row(name, share), method, candidates(method, share, classified, name), Published(number),
            AWAITED[name],
        )
        for name, rows in _PRINTED.items()
        for share, numbers in zip(_SHARES, rows, strict=True)
        for method, number in zip(METHODS, numbers, strict=True)
    ]  # fmt: skip
    return printed + [
        StudyCell(row(name, share), method, candidates(method, share, classified, name), stand_in=True)
        for name, shares in _SHARES_HERE.items()
        for share in shares
        for method in METHODS
    ]


DATA = Deviation(
    "data",
    "NUS-WIDE-Object, Corel5K, Reuters in three languages",
    "wait for their files; digits in six views and dictionary entries in four languages stand in, named as "
    "such, without a printed number beside them",
    "no package holds them",
)
SETTINGS = Deviation(
    "parameters",
    "threefold cross-validation; β = 10⁸, γ = 100, λ = 1000",
    "50 parts, at most 300 iterations, everything else by default, nothing tuned",
    "with the printed rule β = 10⁸ overflows within a hundred iterations",
)
RULE = Deviation(
    "update of labelled rows",
    "equation 26",
    "the split rule, which never rises",
    "the printed rule is not one of descent and has no fixed point",
)


HEADS = (
    Head(
        "Table 1 of the paper: its data",
        ("data", "samples", "classes", "features of each view"),
        (
            ("NUS-WIDE-Object", "3100", "31", "1000 / 1000 / 1000"),
            ("Corel5K", "5000", "50", "1000 / 1000 / 1000"),
            ("Reuters multilingual", "1876", "6", "21531 / 11547 / 24893"),
        ),
    ),
    Head(
        "Table 2 of the paper: what its methods make use of",
        ("method", "labels", "views"),
        (
            ("NMF", "none", "one"),
            ("SGNMF", "some", "one"),
            ("CNMF", "some", "one"),
            ("CCA", "none", "two"),
            ("PCSC", "none", "several"),
            ("CoTra", "some", "several"),
            ("SULF₁", "none", "several"),
            ("SULF₂", "some", "one"),
            ("SULF₃", "some", "several"),
            ("SULF", "some", "several"),
        ),
    ),
)


def _at(
    share: float, first: str, others: tuple[str, ...], name: str = STAND_IN
) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return [((row(name, share), first), (row(name, share), other)) for other in others]


STUDY = Study(
    id="sulf-table3",
    paper="sulf",
    item="Table 3",
    title="Classification by the share of labels: twelve ways to use several views",
    summary="Single views, views side by side, and methods that fuse; a classifier on the features of each.",
    datasets=("multifeature", "multilingual"),
    cells=_cells,
    awaits=(NUS_WIDE, COREL, REUTERS),
    heads=HEADS,
    protocol=(
        DATA,
        SETTINGS,
        RULE,
        Deviation(
            "repetition", "five random splits, ten runs each, no spread printed", "five splits, one run each"
        ),
        Deviation(
            "classifier",
            "own W for SULF₂, SULF₃, SULF and CoTra, regularised least squares for the others",
            "the same",
        ),
    ),
    claims=(
        Claim(
            "With few labels (10 and 20 %) SULF is ahead of every baseline (digits, standing in).",
            each_ahead(
                [
                    pair
                    for share in (0.1, 0.2)
                    for pair in _at(share, "SULF", tuple(name for name in METHODS if "SULF" not in name))
                ]
            ),
        ),
        Claim(
            "Several views are better than the best one: SULF is ahead of SULF₂ (digits, standing in).",
            each_ahead([pair for share in (0.1, 0.2, 0.5) for pair in _at(share, "SULF", ("SULF₂",))]),
        ),
        Claim(
            "Learning the weights of views pays: SULF is ahead of SULF₃ (digits, standing in).",
            each_ahead([pair for share in (0.1, 0.2, 0.5) for pair in _at(share, "SULF", ("SULF₃",))]),
        ),
        Claim(
            "With few labels SULF is ahead of every baseline on text, too (four languages, standing in).",
            each_ahead(
                [
                    pair
                    for share in _SHARES_HERE[LANGUAGES]
                    for pair in _at(share, "SULF", tuple(n for n in METHODS if "SULF" not in n), LANGUAGES)
                ]
            ),
        ),
        Claim(
            "On Reuters the best single view beats all views side by side for CNMF and SGNMF.",
            each_ahead(
                [
                    ((row("Reuters", share), f"{method}_a"), (row("Reuters", share), f"{method}_b"))
                    for share in _SHARES
                    for method in ("CNMF", "SGNMF")
                ]
            ),
        ),
    ),
    notes=(
        "_a: the best single view, chosen on the rows asked about, as the paper does; _b: views side by "
        "side; CCA: the best pair of views."
    ),
)
