"""Figure 3 of GNMF: accuracy by the level of noise on the faces to be recognised."""

from __future__ import annotations

from experiments.studies.awaited import AR
from experiments.studies.claim import Claim, each_ahead, untestable
from experiments.studies.gnmf_table1 import METHODS, PROTOCOL, runs
from experiments.studies.study import Candidate, Deviation, Study, StudyCell
from experiments.trials import MeasureRequest

_SIZE = 16
_LEVELS = (0, 5, 10, 20, 30)
_KINDS = {"salt and pepper": "salt and pepper", "Gaussian": "gaussian"}


def _candidates(method: str, kind: str, level: int) -> tuple[Candidate, ...]:
    noisy = MeasureRequest("spoiled_accuracy", {"kind": kind, "amount": level, "how": "pinv"})
    # One width for every level: the one chosen on the clean faces in Table 1 is among them.
    tried = runs(method, _SIZE)
    return tuple(Candidate(run, noisy, setting if len(tried) > 1 else "") for setting, run in tried.items())


def _row(kind: str, level: int) -> str:
    return f"{kind}, {level} %"


def _pairs(first: str, others: tuple[str, ...]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return [((_row(kind, level), first), (_row(kind, level), other))
            for kind in _KINDS for level in _LEVELS[1:] for other in others]  # fmt: skip


STUDY = Study(
    id="gnmf-noise",
    paper="gnmf_dpca",
    item="Figure 3 (GNMF)",
    title="Noisy faces: four non-negative factorizations",
    summary="Salt and pepper, and Gaussian noise on the faces to be recognised; training faces are clean.",
    datasets=("orl",),
    cells=lambda: [
        StudyCell(_row(name, level), method, _candidates(method, kind, level), stand_in=True)
        for name, kind in _KINDS.items()
        for level in _LEVELS
        for method in METHODS
    ],
    splits=5,
    repeated="start",
    awaits=(AR,),
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
        Claim("So it is on AR.", untestable("AR waits for data.")),
    ),
)
