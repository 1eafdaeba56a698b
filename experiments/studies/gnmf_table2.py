"""Table 2 of GNMF: kernel factorizations against kernel PCA, with the same kernels."""

from __future__ import annotations

from experiments.studies import gnmf_table1
from experiments.studies.awaited import AR, FERET_PAIRS, YALE
from experiments.studies.claim import Claim, ClaimStanding, Finding, Means, UntestedError, each_ahead
from experiments.studies.gnmf_table1 import (
    ORL,
    PRINTED,
    PROTOCOL,
    WIDTHS,
    awaited,
    by_both_distances,
    on_faces,
    parts,
)
from experiments.studies.study import Candidate, Deviation, Published, Study, StudyCell

_METHODS = ("pKPCA", "gKPCA", "pKNMF", "GNMF")
_PRINTED = {
    "AR, 16 × 12": (68.57, 68.14, 79.77),
    "AR, 33 × 24": (74.29, 74.14, 86.26),
    "AR, 66 × 48": (78.0, 77.86, 83.57),
    "FERET, 16 × 16": (85.5, 85.5, 82.9),
    "FERET, 32 × 32": (85.0, 84.0, 77.8),
    "FERET, 60 × 60": (84.5, 84.0, 77.1),
    "ORL, 16 × 16": (87.5, 87.0, 91.4),
    "ORL, 32 × 32": (88.5, 88.5, 87.8),
    "ORL, 64 × 64": (87.5, 87.5, 84.7),
    "Yale, 16 × 16": (81.11, 85.56, 82.67),
    "Yale, 32 × 32": (81.11, 84.44, 83.11),
    "Yale, 64 × 64": (81.11, 84.44, 82.22),
}
_DEGREES = (2.0, 3.0)


def _candidates(method: str, faces: str) -> tuple[Candidate, ...]:
    k = parts(faces)
    if method == "GNMF":
        return gnmf_table1.candidates(method, faces)
    if method == "gKPCA":
        return by_both_distances(
            {
                f"σ = {sigma:g} medians": on_faces("kernel_pca", faces, n_components=k, sigma=sigma)
                for sigma in WIDTHS
            }
        )
    kernel = {"n_components": k} | ({"kernel": "polynomial"} if method == "pKPCA" else {"max_iter": 500})
    id = "kernel_pca" if method == "pKPCA" else "poly_kernel_nmf"
    return by_both_distances(
        {f"degree {degree:g}": on_faces(id, faces, degree=degree, **kernel) for degree in _DEGREES}
    )


def _cells() -> list[StudyCell]:
    cells = []
    for row, numbers in _PRINTED.items():
        for method, printed in zip(_METHODS, (*numbers, PRINTED[row][3]), strict=True):
            cells.append(StudyCell(row, method, _candidates(method, row), Published(printed), awaited(row)))
    return cells


def _ahead_on_average(first: str, second: str) -> Claim:
    def test(means: Means) -> Finding:
        rows = [row for row in ORL if (row, first) in means and (row, second) in means]
        if not rows:
            raise UntestedError(f"{first} and {second} are not computed on ORL yet.")
        ours = [sum(means[row, method] for row in rows) / len(rows) for method in (first, second)]
        standing: ClaimStanding = "holds" if ours[0] > ours[1] else "does not hold here"
        sizes = f"{len(rows)} of 3 sizes of ORL"
        return Finding(standing, f"{first} {ours[0]:.1f} against {second} {ours[1]:.1f}, mean of {sizes}.")

    return Claim(f"{first} has the better average than {second}.", test)


_DISTANCE = "the distance, which is not said: by difference it is {}"
# Kernel PCA has no spread: whatever is not equal is above or below.
_REASONS = {
    (row, method): _DISTANCE.format(euclidean)
    for row, numbers in {
        "ORL, 16 × 16": ("90.0", "91.0", "90.4 (0.6)"),
        "ORL, 32 × 32": ("89.5", "91.5", "88.3 (1.1)"),
        "ORL, 64 × 64": ("88.0", "89.5", "87.1 (1.1)"),
    }.items()
    for method, euclidean in zip(("pKPCA", "gKPCA", "GNMF"), numbers, strict=True)
}

STUDY = Study(
    id="gnmf-table2",
    paper="gnmf_dpca",
    item="Table 2 (GNMF)",
    title="Faces of three sizes: kernel factorizations and kernel PCA",
    summary="The same two kernels, with parts that add up and with directions of either sign.",
    datasets=("orl",),
    cells=_cells,
    splits=10,
    repeated="start",
    awaits=(AR, FERET_PAIRS, YALE),
    protocol=(
        *PROTOCOL[:3],
        Deviation(
            "kernels",
            "degree and width by cross-validation",
            "best of degrees 2 and 3 and of three widths on the test images",
            "folds and grid are not printed",
        ),
        *PROTOCOL[4:],
    ),
    claims=(
        _ahead_on_average("GNMF", "gKPCA"),
        _ahead_on_average("pKNMF", "pKPCA"),
        Claim(
            "On small images (16 × 16) both kernel factorizations are ahead of both kernel PCAs.",
            each_ahead(
                [
                    ((ORL[0], ahead), (ORL[0], behind))
                    for ahead in ("pKNMF", "GNMF")
                    for behind in ("pKPCA", "gKPCA")
                ]
            ),
        ),
    ),
    reasons=_REASONS,
    notes="1-NN. Kernel PCA has no random start: its spread is zero.",
)
