"""What is wrong in print in the papers on GNMF and DPCA, each with a small experiment that shows it."""

from __future__ import annotations

from experiments.studies import small_experiments
from experiments.studies.claim import Claim, ShownBy, each_ahead
from experiments.studies.gnmf_table1 import on_faces, orl, parts
from experiments.studies.settings import UNSEEN
from experiments.studies.study import Candidate, Deviation, Study, StudyCell

_PRINTED, _RUN = "as printed", "as run here"
_FEATURES, _POLYNOMIAL = "GNMF, recognised", "Polynomial NMF, recognised"
_FACES = orl(16)


def _cells() -> list[StudyCell]:
    k = {"n_components": parts(_FACES)}
    runs = {
        (_FEATURES, _PRINTED): (on_faces("gaussian_nmf", _FACES, **k, features="printed"), UNSEEN),
        (_FEATURES, _RUN): (on_faces("gaussian_nmf", _FACES, **k), UNSEEN),
        (_POLYNOMIAL, _PRINTED): (
            on_faces("poly_nmf", _FACES, **k, variant="printed", features="pinv"),
            UNSEEN,
        ),
        (_POLYNOMIAL, _RUN): (on_faces("poly_nmf", _FACES, **k, features="pinv"), UNSEEN),
    }
    return [StudyCell(*place, (Candidate(*run),)) for place, run in runs.items()]


STUDY = Study(
    id="gnmf-misprints",
    paper="gnmf_dpca",
    item="Misprints",
    title="What is wrong in print: products that do not conform, a lost H, pairs with oneself",
    summary="Equations 4, 7 and 20, the root of the kernel and the features, as printed and as run.",
    datasets=("orl",),
    cells=_cells,
    splits=3,
    repeated="start",
    protocol=(
        Deviation("equation 20", "BᵀHHᵀ in the denominator", "BHHᵀ", "the printed product cannot be formed"),
        Deviation(
            "root of K", "by singular values", "by eigenvalues, negative ones cut", "singular values root |K|"
        ),
        Deviation(
            "features",
            "A⁺K⁻¹k",
            "least squares (AᵀKA)⁺Aᵀk",
            "the printed map is not the least-squares solution",
        ),
        Deviation(
            "equation 4", "H is missing in the numerator", "with H", "as printed it follows no gradient"
        ),
        Deviation(
            "equation 7 of DPCA", "counts (x_i, x_i)", "pairs of two different samples", "η would be halved"
        ),
        Deviation("faces", "three sizes", "ORL, 16 × 16", "it shows at the smallest"),
    ),
    claims=(
        Claim(
            "Equation 20 cannot be formed: BᵀHHᵀ does not conform.",
            ShownBy(small_experiments.equation_20_does_not_conform),
        ),
        Claim(
            "The printed rule of polynomial NMF (equation 4) stays far above what the gradient reaches.",
            ShownBy(small_experiments.equation_4_follows_no_gradient),
        ),
        Claim(
            "Least-squares features recognise more faces than the printed map, by more than a point.",
            each_ahead([((_FEATURES, _RUN), (_FEATURES, _PRINTED))], by=1),
        ),
        Claim(
            "The root by singular values, as printed, is the root of |K|.",
            ShownBy(small_experiments.singular_values_root_the_modulus),
        ),
        Claim(
            "DPCA's equation 7 as printed halves η at two labels a class.",
            ShownBy(small_experiments.pairs_with_oneself_halve_eta),
        ),
    ),
    notes="1-NN by Euclidean distance.",
)
