"""Figures 1 and 2 of N²S²L: the bases of PCA, NMF and N²S²L, and how sparse they are."""

from __future__ import annotations

from typing import Any

from experiments.studies.awaited import FERET
from experiments.studies.claim import Claim, each_ahead
from experiments.studies.settings import ALIGNED, FACES, PUBLISHED, faces
from experiments.studies.study import Candidate, Deviation, Study, StudyCell
from experiments.trials import MeasureRequest

HOYER, ZEROS = "ORL, sparsity (Hoyer)", "ORL, entries next to nothing"
INDICES = {HOYER: "hoyer", ZEROS: "zeros"}
_ELSEWHERE = {column.replace("ORL", "FERET"): index for column, index in INDICES.items()}
_METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "PCA": ("pca", {}),
    "NMF": ("nmf", PUBLISHED),
    "N²S²L": ("n2s2l", {"alpha": 10.0, "beta": 1.0, **PUBLISHED}),
}


def _cell(method: str, column: str, index: str) -> StudyCell:
    on_orl = column in INDICES
    id, params = _METHODS[method]
    split = {"labelled_per_class": 2}
    if id != "n2s2l":
        split["held_out_per_class"] = 8 if on_orl else 4
    parts = {"n_components": 78 if on_orl else 132}
    where = (ALIGNED, "orl") if on_orl else ({"size": "56x46"}, FERET.id)
    request = faces(id, {**params, **parts}, split, *where)
    measured = (Candidate(request, MeasureRequest("sparsity", {"index": index})),)
    return StudyCell(method, column, measured, awaits="" if on_orl else FERET.id)


def sparser(than: str, others: tuple[str, ...]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the comparisons of the sparsity of some bases with that of another, in both measures."""
    return [((other, column), (than, column)) for other in others for column in INDICES]


STUDY = Study(
    id="n2s2l-bases",
    paper="n2s2l",
    item="Figures 1, 2",
    title="Bases of faces: PCA, NMF and N²S²L",
    summary="How sparse the parts are that the methods of Table 1 recognise faces by.",
    datasets=("orl",),
    cells=lambda: [
        _cell(method, column, index)
        for method in _METHODS
        for column, index in (INDICES | _ELSEWHERE).items()
    ],
    splits=3,
    awaits=(FERET,),
    draws="parts",
    protocol=(
        FACES,
        Deviation(
            "what is shown", "parts as pictures", "their sparsity in figures", "a picture cannot be judged"
        ),
        Deviation("parts", "k = N·m/(N + m) of the labelled images: 78", "the same; 78 directions of PCA"),
        Deviation(
            "settings", "as in Table 1", "the same: 500 iterations of the published updates, α = 10, β = 1"
        ),
        Deviation("splits", "one run is shown", "three splits, for the spread"),
    ),
    claims=(
        Claim(
            "The bases of N²S²L and NMF are much sparser than those of PCA.",
            each_ahead(sparser("PCA", ("NMF", "N²S²L")), by=10),
        ),
        Claim(
            "N²S²L, which is told some labels, keeps bases as sparse as those of NMF.",
            each_ahead(sparser("NMF", ("N²S²L",)), by=-2),
        ),
        Claim(
            "So it is on FERET.",
            each_ahead(
                [((one, column), ("PCA", column)) for one in ("NMF", "N²S²L") for column in _ELSEWHERE], by=10
            ),
        ),
    ),
    notes=(
        "Hoyer's sparsity in percent: 0 if a part covers everything evenly, 100 if it is one pixel; and the "
        "share of pixels that are next to nothing."
    ),
)
