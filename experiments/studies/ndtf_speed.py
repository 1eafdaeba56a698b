"""Table 1 of NDTF: what an iteration costs with multiplicative updates and with M-matrices."""

from __future__ import annotations

from typing import Any

from experiments.studies.awaited import FERET, PIE
from experiments.studies.claim import Claim, ClaimStanding, Finding, Means, mean_of
from experiments.studies.settings import ALIGNED, faces
from experiments.studies.study import Candidate, Deviation, Study, StudyCell, by_column
from experiments.trials import MeasureRequest

_PRINTED = {
    "NGE": {"ORL": (16.90, None), "FERET": (15.71, None), "PIE": (62.97, None)},
    "2D-NDTF": {"ORL": (0.35, None), "FERET": (0.22, None), "PIE": (0.16, None)},
}
_IDS = {"NGE": "nge", "2D-NDTF": "ndtf_2d"}
_ITERATIONS = 10
# By column: the data, how they are loaded, the images of a person in each half, and the number of parts.
_ON: dict[str, tuple[str, dict[str, Any], int, int]] = {
    "ORL": ("orl", ALIGNED, 5, 190),
    "FERET": (FERET.id, {"size": "56x46"}, 3, 194),
    "PIE": (PIE.id, {"size": "32x32"}, 5, 255),
}
_SMALL = "NGE", "2D-NDTF"


def _cells() -> list[StudyCell]:
    cells = []
    for (method, column), number in by_column(_PRINTED).items():
        dataset, options, half, parts = _ON[column]
        params = {"n_components": parts, "alpha": 100.0, "max_iter": _ITERATIONS}
        split = {"labelled_per_class": half, "held_out_per_class": half}
        request = faces(_IDS[method], params, split, options, dataset)
        here = (Candidate(request, MeasureRequest("iteration_seconds")),)
        cells.append(StudyCell(method, column, here, number, "" if column == "ORL" else dataset))
    return cells


def _faster(factor: float) -> Claim:
    def test(means: Means) -> Finding:
        slow, fast = (mean_of(means, (method, "ORL")) for method in _SMALL)
        ratio = slow / fast
        standing: ClaimStanding = "holds" if ratio >= factor / 2 else "does not hold here"
        return Finding(
            standing, f"{ratio:.1f} times: {slow:.3f} s against {fast:.4f} s (printed: {factor:.0f})."
        )

    return Claim(f"2D-NDTF is some {factor:.0f} times faster an iteration than NGE on ORL.", test)


def _cheaper(means: Means) -> Finding:
    slow, fast = (mean_of(means, (method, "ORL")) for method in _SMALL)
    return Finding("holds" if fast < slow else "does not hold here", f"{fast:.4f} s against {slow:.3f} s.")


STUDY = Study(
    id="ndtf-speed",
    paper="ndtf",
    item="Table 1",
    title="Seconds an iteration: M-matrices against multiplicative updates",
    summary="The same objective minimised in two ways, from one start.",
    datasets=("orl",),
    cells=_cells,
    unit="s",
    better="low",
    judged=False,
    splits=1,
    repeated="run",
    awaits=(FERET, PIE),
    protocol=(
        Deviation(
            "M-matrices",
            "an inverse of N × N for each of the k parts, every iteration",
            "one sparse elimination of the graph, whose order serves all parts",
            "the solution is the same, and what the paper's factor rests on is gone",
        ),
        Deviation(
            "machine",
            "Core 2 Duo at 2.66 GHz, 4 GB, Matlab 2008a",
            "this one, one thread; see the date",
            "seconds are compared with nothing, their ratio is",
        ),
        Deviation("faces", "ORL 64 × 64, half of the images", "the same"),
        Deviation(
            "iterations",
            "not said",
            f"the median of {_ITERATIONS}, the first one left out",
            "the first pays for what is made once",
        ),
    ),
    claims=(
        Claim("An iteration of 2D-NDTF is cheaper than one of NGE.", _cheaper),
        _faster(47),
    ),
    notes="Shared machine: seconds vary by a third.",
)
