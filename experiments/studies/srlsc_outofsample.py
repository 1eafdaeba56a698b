"""Tables 2 to 5 of S-RLSC: five classifiers asked about samples they have never seen, by labels a class."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.requests.request import RunRequest
from experiments.studies.awaited import CBCL, ITS, USPS, YALE_B
from experiments.studies.claim import Claim, each_ahead
from experiments.studies.settings import SEEN, UNSEEN
from experiments.studies.study import Candidate, Deviation, Published, Study, StudyCell

METHODS = ("S-RLSC", "LapRLSC", "SRC", "1-NN", "GFHF")
IDS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "S-RLSC": ("s_rlsc", {}),
    "LapRLSC": ("lap_rlsc", {"n_neighbors": 7}),
    "SRC": ("src", {"epsilon": 0.05}),
    "1-NN": ("nearest_neighbour", {}),
    "GFHF": ("hgf", {"graph": "knn", "n_neighbors": 7}),
}
_PRINTED = {
    "CBCL": {5: (74.00, 52.33, 44.33, 65.67, 86.33), 10: (75.67, 74.66, 58.33, 70.67, 81.00),
             50: (95.00, 94.67, 67.33, 88.67, 92.00), 250: (99.00, 98.00, 93.33, 94.67, 94.67),
             450: (99.33, 98.67, 95.33, 96.00, 94.33), 650: (98.67, 98.67, 96.00, 96.67, 94.67)},
    "ITS": {5: (87.94, 74.21, 57.89, 80.62, 74.47), 10: (88.49, 64.47, 53.16, 80.52, 77.63),
            50: (91.31, 82.89, 65.26, 78.42, 78.94), 250: (94.78, 91.56, 72.37, 88.68, 87.11),
            450: (96.31, 93.68, 87.11, 90.26, 88.68), 650: (96.82, 94.74, 90.26, 91.84, 91.05)},
    "USPS": {5: (72.63, 72.63, 5.26, 61.84, 68.94), 10: (86.58, 85.00, 9.47, 73.16, 79.74),
             40: (95.00, 93.68, 82.11, 87.11, 88.41), 100: (98.16, 97.36, 92.11, 91.01, 93.74),
             160: (98.68, 98.94, 93.68, 94.74, 94.74)},
    "Yale B": {5: (65.41, 48.25, 36.46, 33.78, 21.18), 10: (84.18, 71.05, 58.17, 54.69, 35.65),
               20: (94.10, 85.52, 76.94, 68.90, 55.22), 30: (96.24, 91.42, 90.61, 77.21, 71.58),
               40: (98.12, 95.44, 96.51, 79.89, 80.70), 50: (98.12, 97.32, 98.39, 83.38, 74.72)},
}  # fmt: skip
_AWAITED = {"CBCL": CBCL.id, "ITS": ITS.id, "USPS": USPS.id, "Yale B": YALE_B.id}
# What stands in, under its own name, and the labels a class it has enough samples for.
STAND_INS = {"Digits": ("digits", (5, 10, 40, 100)), "Faces or not": ("lfw_subset", (5, 10, 50))}


def row(name: str, labelled: int) -> str:
    """Return the label of a row."""
    return f"{name}, m = {labelled}"


def candidate(method: str, dataset: str, labelled: int, *, seen: bool) -> Candidate:
    """Return what a cell is measured with: so many labels a class, 15 % of each class held out."""
    id, params = IDS[method]
    split = {"labelled_per_class": labelled, "held_out_fraction": 0.15}
    return Candidate(RunRequest(dataset, id, params, split=split), SEEN if seen else UNSEEN)


def waiting(*, seen: bool) -> list[StudyCell]:
    """Return the cells of the data that only their owners give away; nothing is printed of samples seen."""
    return [
        StudyCell(
            row(name, labelled), method, (candidate(method, _AWAITED[name], labelled, seen=seen),),
            None if seen else Published(number), _AWAITED[name],
        )
        for name, by_labels in _PRINTED.items()
        for labelled, numbers in by_labels.items()
        for method, number in zip(METHODS, numbers, strict=True)
    ]  # fmt: skip


def stand_ins(*, seen: bool) -> list[StudyCell]:
    """Return the cells of all that stands in: digits for USPS, faces or not for CBCL."""
    return [
        StudyCell(
            row(name, labelled), method, (candidate(method, dataset, labelled, seen=seen),), stand_in=True
        )
        for name, (dataset, many) in STAND_INS.items()
        for labelled in many
        for method in METHODS
    ]


def pairs(name: str, method: str, others: tuple[str, ...]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the comparisons of a method with others at every number of labels of a data set."""
    rows = [row(name, labelled) for labelled in STAND_INS[name][1]]
    return [((label, method), (label, other)) for label in rows for other in others]


PROTOCOL = (
    Deviation(
        "data",
        "CBCL, ITS, USPS, Extended Yale B",
        "wait for their files; scikit-learn's digits (8 × 8) and faces or not (25 × 25) stand "
        "in, named as such",
        "only their owners give them away",
    ),
    Deviation(
        "split",
        "15 % of each class held out, m labelled in each class, drawn once",
        "the same, five draws",
        "one draw has no spread",
    ),
    Deviation("parameters", "C_A = 0.005, C_I = 0.01, σ = 0.5, seven neighbours", "the same"),
    Deviation(
        "SRC",
        "ε = 0.05",
        "ε = 0.05, raised where no solution is that near",
        "with few labels the printed ε is infeasible",
    ),
)

STUDY = Study(
    id="srlsc-outofsample",
    paper="s_rlsc",
    item="Tables 2–5",
    title="Samples never seen: five classifiers by labels a class",
    summary="A sparse graph, a graph of neighbours, sparse coding, the nearest sample, propagation.",
    datasets=("digits", "lfw_subset"),
    cells=lambda: waiting(seen=False) + stand_ins(seen=False),
    awaits=(CBCL, ITS, USPS, YALE_B),
    protocol=PROTOCOL,
    claims=(
        Claim(
            "S-RLSC is ahead of the four others on samples never seen (digits, standing in for USPS).",
            each_ahead(pairs("Digits", "S-RLSC", METHODS[1:])),
        ),
        Claim(
            "S-RLSC is ahead of the four others on samples never seen (faces or not, standing in for CBCL).",
            each_ahead(pairs("Faces or not", "S-RLSC", METHODS[1:])),
        ),
        Claim(
            "SRC is poor with few labels and catches up with many (digits, standing in).",
            each_ahead(
                [
                    ((row("Digits", 100), "SRC"), (row("Digits", 5), "SRC")),
                    ((row("Digits", 5), "1-NN"), (row("Digits", 5), "SRC")),
                ]
            ),
        ),
        Claim(
            "On Extended Yale B with 50 labels SRC passes S-RLSC.",
            each_ahead([((row("Yale B", 50), "SRC"), (row("Yale B", 50), "S-RLSC"))]),
        ),
    ),
)
