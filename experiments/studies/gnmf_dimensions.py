"""Figure 1 of GNMF: accuracy by the number of parts, on the smallest faces."""

from __future__ import annotations

from dataclasses import replace

from experiments.studies.awaited import AR, FERET_PAIRS, YALE
from experiments.studies.claim import Claim, Finding, Means, each_ahead, mean_of
from experiments.studies.gnmf_table1 import METHODS, PROTOCOL, awaited, candidates, orl
from experiments.studies.study import Deviation, Study, StudyCell

_NUMBERS = (10, 20, 40, 60, 80, 112)
_ORL = orl(16)
_FACES = (_ORL, "AR, 16 × 12", "FERET, 16 × 16", "Yale, 16 × 16")


def _row(number: int, faces: str = _ORL) -> str:
    name = faces.split(",")[0]
    return f"r = {number}" if faces == _ORL else f"{name}, r = {number}"


def _cell(method: str, number: int, faces: str) -> StudyCell:
    tried = (
        replace(one, request=replace(one.request, params={**one.request.params, "n_components": number}))
        for one in candidates(method, faces)
    )
    return StudyCell(_row(number, faces), method, tuple(tried), awaits=awaited(faces))


def _lead(faces: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    rows = [_row(number, faces) for number in _NUMBERS]
    return [((row, "GNMF"), (row, other)) for row in rows for other in METHODS[:3]]


def _steadiest(means: Means) -> Finding:
    moved = {}
    for method in METHODS:
        values = [mean_of(means, (_row(number), method)) for number in _NUMBERS[1:]]
        moved[method] = max(values) - min(values)
    figures = ", ".join(f"{method} {points:.1f}" for method, points in moved.items())
    holds = min(moved, key=moved.__getitem__) == "GNMF"
    return Finding(
        "holds" if holds else "does not hold here", f"Points from best to worst, r from 20 on: {figures}."
    )


STUDY = Study(
    id="gnmf-dimensions",
    paper="gnmf_dpca",
    item="Figure 1 (GNMF)",
    title="Faces by the number of parts: four non-negative factorizations",
    summary="16 × 16 pixels, the first half of each person's images for training.",
    datasets=("orl",),
    cells=lambda: [
        _cell(method, number, faces) for faces in _FACES for number in _NUMBERS for method in METHODS
    ],
    axis="number of parts",
    splits=5,
    repeated="start",
    awaits=(AR, FERET_PAIRS, YALE),
    protocol=(
        *PROTOCOL[:2],
        Deviation("parts", "the axis is all that is printed", "10 to 112, the number of Table 1"),
        *PROTOCOL[3:6],
        Deviation("starts", "not said", "five random starts, one split", "the spread is that of starts"),
        *PROTOCOL[7:],
    ),
    claims=(
        Claim("GNMF is ahead of the others at most numbers of parts.", each_ahead(_lead(_ORL))),
        Claim("GNMF minds the number of parts least.", _steadiest),
        Claim(
            "So it is on AR, FERET and Yale.",
            each_ahead([pair for faces in _FACES[1:] for pair in _lead(faces)]),
        ),
    ),
    notes="The curves are printed without numbers. 1-NN.",
)
