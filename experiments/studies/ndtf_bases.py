"""Figure 2 of NDTF: the bases of PCA, NMF, 2D- and 3D-NDTF, and how sparse they are."""

from __future__ import annotations

from typing import Any

from experiments.studies.claim import Claim, each_ahead
from experiments.studies.n2s2l_bases import INDICES, sparser
from experiments.studies.settings import FACES, PUBLISHED, faces
from experiments.studies.study import Candidate, Deviation, Study, StudyCell
from experiments.trials import MeasureRequest

_HALF = {"labelled_per_class": 5, "held_out_per_class": 5}
_PARTS = {"n_components": 190}
_RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "PCA": ("pca", _PARTS),
    "NMF": ("nmf", _PARTS | PUBLISHED),
    "2D-NDTF": ("ndtf_2d", _PARTS | PUBLISHED | {"alpha": 100.0}),
    "3D-NDTF": ("ndtf_3d", _PARTS | PUBLISHED | {"alpha": 100.0}),
}

STUDY = Study(
    id="ndtf-bases",
    paper="ndtf",
    item="Figure 2",
    title="Bases of faces: PCA, NMF, 2D- and 3D-NDTF",
    summary="How sparse the parts are, as vectors of pixels or as products of two sides of a picture.",
    datasets=("orl",),
    cells=lambda: [
        StudyCell(
            method,
            column,
            (Candidate(faces(id, params, _HALF), MeasureRequest("sparsity", {"index": index})),),
        )
        for method, (id, params) in _RUNS.items()
        for column, index in INDICES.items()
    ],
    splits=1,
    repeated="run",
    draws="parts",
    protocol=(
        FACES,
        Deviation(
            "what is shown", "parts as pictures", "their sparsity in figures", "a picture cannot be judged"
        ),
        Deviation("parts", "k = N·m/(N + m): 190", "the same; 190 directions of PCA"),
        Deviation("α", "best of 10, 100, 1000 in Table 2", "100"),
        Deviation(
            "runs", "one is shown", "one", "the differences are many times the spread of N²S²L's Figure 1"
        ),
    ),
    claims=(
        Claim(
            "The bases of 2D-NDTF, 3D-NDTF and NMF are much sparser than those of PCA.",
            each_ahead(sparser("PCA", ("NMF", "2D-NDTF", "3D-NDTF")), by=10),
        ),
        Claim("3D-NDTF is sparser than 2D-NDTF.", each_ahead(sparser("2D-NDTF", ("3D-NDTF",)))),
    ),
    notes="Hoyer's sparsity in percent, and the share of pixels that are next to nothing.",
)
