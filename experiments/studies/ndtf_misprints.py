"""What is wrong or unsaid in print in the paper on NDTF, each with a small experiment that shows it."""

from __future__ import annotations

from experiments.requests.request import RunRequest
from experiments.studies import small_experiments
from experiments.studies.claim import Claim, ShownBy, each_ahead
from experiments.studies.settings import UNSEEN
from experiments.studies.study import Candidate, Deviation, Study, StudyCell

_PRINTED, _RUN = "plain pseudo-inverse", "with a small ridge"
_HOW = {_PRINTED: "pinv", _RUN: "ridge"}
_METHODS = {"NMF": "nmf", "2D-NDTF": "ndtf_2d"}
_PARTS = 167


def _cell(method: str, column: str) -> StudyCell:
    params = {"n_components": _PARTS, "solver": "accelerated", "max_iter": 300, "features": _HOW[column]}
    request = RunRequest(
        "orl", _METHODS[method], params, {"size": 32, "crop": "aligned"},
        split={"labelled_per_class": 5, "held_out_per_class": 5},
    )  # fmt: skip
    return StudyCell(f"{method}, recognised", column, (Candidate(request, UNSEEN),))


STUDY = Study(
    id="ndtf-misprints",
    paper="ndtf",
    item="Misprints",
    title="What is wrong or unsaid in print: factors, and features that explode",
    summary="The plain pseudo-inverse of parts that are nearly alike, once a run has settled.",
    datasets=("orl",),
    cells=lambda: [_cell(method, column) for method in _METHODS for column in _HOW],
    splits=3,
    protocol=(
        Deviation(
            "features",
            "the plain pseudo-inverse of the parts",
            "both; accelerated updates, so that the run settles",
            "close to the optimum parts become alike, and the pseudo-inverse blows up what tells them apart",
        ),
        Deviation(
            "faces",
            "64 × 64",
            "aligned by the eyes, 32 × 32",
            "it shows there as well, at a tenth of the time",
        ),
        Deviation(
            "equations 5 and 6", "sums over ordered pairs", "traces, as equation 7: α takes in the factor 2"
        ),
    ),
    claims=(
        Claim(
            "Once a run has settled, the plain pseudo-inverse recognises fewer faces than a small ridge.",
            each_ahead(
                [
                    ((f"{method}, recognised", _RUN), (f"{method}, recognised", _PRINTED))
                    for method in _METHODS
                ]
            ),
        ),
        Claim(
            "Two parts that are nearly alike make coefficients explode.",
            ShownBy(small_experiments.alike_parts_explode),
        ),
        Claim(
            "NGE's step of U falls behind if it splits the graph's energy in two halves.",
            ShownBy(small_experiments.energy_is_best_left_whole),
        ),
        Claim(
            "The sums of equations 5 and 6 are twice the traces of equation 7.",
            ShownBy(small_experiments.sums_are_twice_the_traces),
        ),
    ),
    notes="1-NN by Euclidean distance.",
)
