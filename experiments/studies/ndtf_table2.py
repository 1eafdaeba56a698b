"""Table 2 of NDTF: eight methods on three face databases, half of the images for training."""

from __future__ import annotations

from typing import Any

from experiments.studies.awaited import FERET, PIE
from experiments.studies.claim import Claim, ahead
from experiments.studies.settings import FACES, PUBLISHED, UNSEEN, dimensions, faces
from experiments.studies.study import Candidate, Deviation, Study, StudyCell, by_column

ORL = "ORL"
_PRINTED = {
    "PCA": {ORL: (87.10, 2.46), "FERET": (79.81, 3.73), "PIE": (80.89, 1.64)},
    "NMF": {ORL: (86.90, 3.78), "FERET": (69.43, 3.85), "PIE": (80.57, 2.99)},
    "LNMF": {ORL: (87.00, 1.50), "FERET": (84.19, 2.85), "PIE": (85.84, 3.02)},
    "NTF": {ORL: (88.10, 2.38), "FERET": (82.67, 2.51), "PIE": (80.44, 2.79)},
    "LDA": {ORL: (94.30, 1.15), "FERET": (89.91, 4.42), "PIE": (95.11, 1.20)},
    "MFA": {ORL: (95.30, 1.15), "FERET": (89.33, 4.36), "PIE": (95.30, 1.18)},
    "2D-NDTF": {ORL: (95.10, 1.34), "FERET": (89.81, 2.75), "PIE": (96.00, 0.66)},
    "3D-NDTF": {ORL: (95.30, 1.60), "FERET": (89.81, 3.46), "PIE": (96.57, 1.20)},
}
_AWAITED = {"FERET": FERET.id, "PIE": PIE.id}
_HALF = {"labelled_per_class": 5, "held_out_per_class": 5}
_PARTS = 190


def _candidates(method: str) -> tuple[Candidate, ...]:
    if method == "PCA":
        return dimensions(faces("pca", {"n_components": 199}, _HALF), (20, 40, 60, 80, 120, 160, 199))
    if method == "LDA":
        return dimensions(faces("lda", {"n_components": 39}, _HALF), (15, 20, 25, 30, 35, 39))
    if method == "MFA":
        few = {"n_components": 120, "intrinsic_neighbors": 3}
        return dimensions(faces("mfa", few, _HALF), (20, 30, 40, 60, 80, 120))
    id = {"NMF": "nmf", "LNMF": "lnmf", "NTF": "ntf", "2D-NDTF": "ndtf_2d", "3D-NDTF": "ndtf_3d"}[method]
    params: dict[str, Any] = {"n_components": _PARTS, **PUBLISHED}
    if method == "LNMF":
        del params["solver"]
    if "NDTF" not in method:
        return (Candidate(faces(id, params, _HALF), UNSEEN, f"{_PARTS} parts"),)
    return tuple(
        Candidate(faces(id, params | {"alpha": alpha}, _HALF), UNSEEN, f"α = {alpha:g}")
        for alpha in (10.0, 100.0, 1000.0)
    )


def _cells() -> list[StudyCell]:
    printed = by_column(_PRINTED)
    return [
        StudyCell(method, column, () if column in _AWAITED else _candidates(method), printed[method, column],
             _AWAITED.get(column, ""))
        for method, columns in _PRINTED.items()
        for column in columns
    ]  # fmt: skip


def _on(*rows: str) -> list[tuple[str, str]]:
    return [(row, ORL) for row in rows]


STUDY = Study(
    id="ndtf-table2",
    paper="ndtf",
    item="Table 2",
    title="Faces, half of each person's images for training: eight methods",
    summary="Unsupervised and supervised features of faces, as vectors and as matrices.",
    datasets=("orl",),
    cells=_cells,
    awaits=(FERET, PIE),
    protocol=(
        FACES,
        Deviation("splits", "five random halves", "the same; other draws", "the draws are not published"),
        Deviation(
            "before",
            "PCA to N − N_c dimensions for LDA and MFA, and “the same for all others”",
            "PCA for LDA and MFA only",
            "projections are of either sign: no non-negative method takes them",
        ),
        Deviation("parts", "k = N·m/(N + m): 190, 40 of them discriminative", "the same"),
        Deviation("α", "best of 10, 100, 1000 on the test images", "the same"),
        Deviation("features", "plain pseudo-inverse, as Li et al. 2001", "the same"),
        Deviation("stopping", "not said", "500 iterations of the published updates"),
    ),
    claims=(
        Claim(
            "NMF, LNMF and NTF are well behind LDA, MFA and both NDTF.",
            ahead(_on("LDA", "MFA", "2D-NDTF", "3D-NDTF"), _on("NMF", "LNMF", "NTF"), by=2.0),
        ),
        Claim(
            "Both NDTF are level with LDA and MFA or slightly ahead.",
            ahead(_on("2D-NDTF", "3D-NDTF"), _on("LDA", "MFA"), by=-1.0),
        ),
        Claim(
            "PCA is no better than the non-negative factorizations without labels, within two points.",
            ahead(_on("NMF", "LNMF", "NTF"), _on("PCA"), by=-2.0),
        ),
    ),
    notes="1-NN by Euclidean distance.",
)
