"""Figure 2 of GNMF: what an iteration costs, by the size of the images."""

from __future__ import annotations

from dataclasses import replace

from experiments.studies.claim import Claim, ClaimStanding, Finding, Means, each_ahead, mean_of
from experiments.studies.gnmf_table1 import METHODS, orl, runs
from experiments.studies.study import Candidate, Deviation, Study, StudyCell
from experiments.trials import MeasureRequest

_SIDES, _PARTS, _ITERATIONS = (16, 24, 32, 48, 64), 100, 20
_FLAT, _GROWS = 1.6, 3.0


def _row(side: int) -> str:
    return f"{side}"


def _cell(method: str, side: int) -> StudyCell:
    # The first of its settings: another width costs the same.
    run = next(iter(runs(method, orl(side)).values()))
    params = {**run.params, "n_components": _PARTS, "max_iter": _ITERATIONS}
    return StudyCell(
        _row(side), method, (Candidate(replace(run, params=params), MeasureRequest("iteration_seconds")),)
    )


def _grown(means: Means, method: str) -> float:
    return mean_of(means, (_row(_SIDES[-1]), method)) / mean_of(means, (_row(_SIDES[0]), method))


def _flat(means: Means) -> Finding:
    times = _grown(means, "GNMF")
    figures = f"{times:.2f} times as long at 64 × 64 as at 16 × 16."
    return Finding("holds" if times < _FLAT else "does not hold here", figures)


def _others_grow(means: Means) -> Finding:
    times = {method: _grown(means, method) for method in METHODS if method != "GNMF"}
    figures = ", ".join(f"{method} {factor:.1f} times" for method, factor in times.items())
    grown = [factor > _GROWS for factor in times.values()]
    standing: ClaimStanding = (
        "holds" if all(grown) else "holds in part" if any(grown) else "does not hold here"
    )
    return Finding(standing, f"At 64 × 64 beside 16 × 16: {figures}.")


STUDY = Study(
    id="gnmf-time",
    paper="gnmf_dpca",
    item="Figure 2 (GNMF)",
    title="Seconds an iteration by the size of the images: four non-negative factorizations",
    summary="200 faces, 100 parts, images of 16 to 64 pixels a side.",
    datasets=("orl",),
    cells=lambda: [_cell(method, side) for side in _SIDES for method in METHODS],
    unit="s",
    better="low",
    judged=False,
    axis="side of the image in pixels",
    splits=3,
    repeated="run",
    protocol=(
        Deviation(
            "what is timed", "the whole run", "the median iteration of 20", "runs end at different iterations"
        ),
        Deviation(
            "parts",
            "not said, perhaps m·n/(m + n), which grows with the image",
            "100 at every size",
            "otherwise GNMF grows with its parts",
        ),
        Deviation("machine", "2.7 GHz, 1 GB", "this one, one thread; see the date"),
        Deviation("faces", "AR, FERET, ORL, Yale", "ORL; the numbers do not matter to the time"),
    ),
    claims=(
        Claim("The time of GNMF does not depend on the size of the image.", _flat),
        Claim("That of NMF, LNMF and PNMF grows with it.", _others_grow),
        Claim(
            "At 64 × 64 GNMF is the fastest.",
            each_ahead([((_row(64), other), (_row(64), "GNMF")) for other in METHODS if other != "GNMF"]),
        ),
    ),
    notes="The curves are printed without numbers. Shared machine: seconds vary by a third.",
)
