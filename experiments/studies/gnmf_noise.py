"""Figure 3 of GNMF: accuracy by the level of noise on the faces to be recognised."""

from __future__ import annotations

from experiments.studies.awaited import AR
from experiments.studies.claim import Claim, each_ahead
from experiments.studies.gnmf_table1 import METHODS, PROTOCOL, awaited, orl, runs
from experiments.studies.study import Candidate, Deviation, Study, StudyCell
from experiments.trials import MeasureRequest

_ORL, _AR = orl(16), "AR, 16 × 12"
_LEVELS = (0, 5, 10, 20, 30)
_KINDS = {"salt and pepper": "salt and pepper", "Gaussian": "gaussian"}


def _candidates(faces: str, method: str, kind: str, level: int) -> tuple[Candidate, ...]:
    tried = runs(method, faces)
    return tuple(
        Candidate(
            run,
            MeasureRequest("spoiled_accuracy", {"kind": kind, "amount": level, "how": how, "metric": metric}),
            ", ".join([*([setting] if len(tried) > 1 else []), *([] if method == "GNMF" else [how]), metric]),
        )
        for setting, run in tried.items()
        for how in (("pinv",) if method == "GNMF" else ("pinv", "ridge"))
        for metric in ("euclidean", "cosine")
    )


def _row(kind: str, level: int, faces: str = _ORL) -> str:
    return f"{kind}, {level} %" if faces == _ORL else f"AR, {kind}, {level} %"


def _cell(faces: str, name: str, level: int, method: str) -> StudyCell:
    tried = _candidates(faces, method, _KINDS[name], level)
    here = faces == _ORL
    return StudyCell(_row(name, level, faces), method, tried, awaits=awaited(faces), stand_in=here)


def _pairs(
    first: str, others: tuple[str, ...], faces: str = _ORL
) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    rows = [_row(kind, level, faces) for kind in _KINDS for level in _LEVELS[1:]]
    return [((row, first), (row, other)) for row in rows for other in others]


STUDY = Study(
    id="gnmf-noise",
    paper="gnmf_dpca",
    item="Figure 3 (GNMF)",
    title="Noisy faces: four non-negative factorizations",
    summary="Salt and pepper, and Gaussian noise on the faces to be recognised; training faces are clean.",
    datasets=("orl",),
    cells=lambda: [
        _cell(faces, name, level, method)
        for faces in (_ORL, _AR)
        for name in _KINDS
        for level in _LEVELS
        for method in METHODS
    ],
    axis="noise in percent",
    splits=5,
    repeated="start",
    awaits=(AR,),
    draws="samples",
    protocol=(
        Deviation("faces", "AR, 16 × 12", "ORL, 16 × 16, standing in", "AR waits for its file"),
        Deviation("levels", "several; the axis is all that is printed", "0, 5, 10, 20 and 30 percent"),
        *PROTOCOL[1:],
    ),
    claims=(
        Claim(
            "GNMF and PNMF lose less to noise than NMF and LNMF (ORL, standing in): GNMF is ahead of both.",
            each_ahead(_pairs("GNMF", ("NMF", "LNMF"))),
        ),
        Claim(
            "GNMF is ahead of PNMF at every level (ORL, standing in).", each_ahead(_pairs("GNMF", ("PNMF",)))
        ),
        Claim(
            "PNMF is ahead of NMF and LNMF behind noise (ORL, standing in).",
            each_ahead(_pairs("PNMF", ("NMF", "LNMF"))),
        ),
        Claim("So it is on AR.", each_ahead(_pairs("GNMF", ("NMF", "LNMF", "PNMF"), _AR))),
    ),
)
