"""Figure 4 of N²S²L: accuracy by the size of a patch that covers part of each face."""

from __future__ import annotations

from typing import Any

from experiments.requests.request import RunRequest
from experiments.studies.awaited import FERET
from experiments.studies.claim import Claim, Finding, Means, counted, each_ahead, mean_of
from experiments.studies.settings import PLAIN, PUBLISHED, SEEN, UNSEEN
from experiments.studies.study import Candidate, Deviation, Study, StudyCell

_SIZES = (0, 16, 20, 24, 28)
_LABELS_ALONE = {"labelled_per_class": 2, "held_out_per_class": 8}
_ALL_SEEN = {"labelled_per_class": 2}
_METHODS = ("NMF", "LNMF", "PCA", "LDA", "MFA", "sMFA", "N²S²L")
_SETTINGS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "NMF": ("nmf", {"n_components": 78, **PUBLISHED}, _LABELS_ALONE),
    "LNMF": ("lnmf", {"n_components": 78, "max_iter": 500, "features": "pinv"}, _LABELS_ALONE),
    "PCA": ("pca", {"n_components": 60}, _LABELS_ALONE),
    "LDA": ("lda", {"n_components": 39}, _LABELS_ALONE),
    "MFA": ("mfa", {"n_components": 39}, _LABELS_ALONE),
    "sMFA": ("smfa", {"n_components": 60, "beta": 0.1}, _ALL_SEEN),
    "N²S²L": ("n2s2l", {"n_components": 78, "alpha": 10.0, "beta": 1.0, **PUBLISHED}, _ALL_SEEN),
}


# What follows from there being 70 people with six images each.
_ON_FERET = {78: 132, 39: 69}


def _cell(method: str, size: int, awaits: str = "") -> StudyCell:
    id, params, split = _SETTINGS[method]
    measure = SEEN if split is _ALL_SEEN else UNSEEN
    options: dict[str, Any] = PLAIN
    if awaits:
        number = params["n_components"]
        params, options = params | {"n_components": _ON_FERET.get(number, number)}, {"size": "56x46"}
        split = split if split is _ALL_SEEN else split | {"held_out_per_class": 4}
    patch = {"kind": "grey", "size": size} if size else None
    request = RunRequest(awaits or "orl", id, params, dataset_options=options, split=split, corruption=patch)
    row = f"FERET, {size}" if awaits else str(size)
    return StudyCell(row, method, (Candidate(request, measure),), awaits=awaits)


def _lead_grows(means: Means) -> Finding:
    leads = {}
    for other in ("LDA", "MFA", "sMFA"):
        first, last = ((mean_of(means, (str(size), "N²S²L")), mean_of(means, (str(size), other)))
                       for size in (_SIZES[0], _SIZES[-1]))  # fmt: skip
        leads[other] = first[0] - first[1], last[0] - last[1]
    right = [other for other, (before, after) in leads.items() if after > before]

    def in_words(other: str) -> str:
        before, after = leads[other]
        return f"lead over {other} {before:+.1f} without a patch, {after:+.1f} behind 28 pixels"

    return counted(right, list(leads), in_words)


def _everywhere(
    first: tuple[str, ...], others: tuple[str, ...]
) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return [((str(size), one), (str(size), other)) for size in _SIZES for one in first for other in others]


STUDY = Study(
    id="n2s2l-occlusion",
    paper="n2s2l",
    item="Figure 4",
    title="Faces behind a grey patch: seven methods by its size",
    summary="A square of 16 to 28 of 64 pixels at a random place on every face without a label.",
    datasets=("orl",),
    cells=lambda: [
        _cell(method, size, awaits) for awaits in ("", FERET.id) for size in _SIZES for method in _METHODS
    ],
    axis="side of the patch in pixels",
    awaits=(FERET,),
    draws="samples",
    protocol=(
        Deviation(
            "faces",
            "ORL and FERET, aligned by the eyes",
            "ORL in plain crop; FERET waits for data",
            "where the paper has the eyes is not published",
        ),
        Deviation(
            "patch",
            "random place on testing images (unlabelled ones for semi-supervised methods)",
            "the same",
        ),
        Deviation(
            "parameters", "not said", "as they come out in Table 1; the same at every size of the patch"
        ),
        Deviation("features", "pseudo-inverse", "pseudo-inverse; V¹ of the run itself for N²S²L"),
    ),
    claims=(
        Claim(
            "N²S²L and sMFA stay ahead of the other methods behind a patch.",
            each_ahead(_everywhere(("sMFA", "N²S²L"), ("NMF", "LNMF", "PCA", "LDA", "MFA"))),
        ),
        Claim("The lead of N²S²L grows with the patch.", _lead_grows),
        Claim(
            "N²S²L is first at every size of the patch.",
            each_ahead(_everywhere(("N²S²L",), ("NMF", "LNMF", "PCA", "LDA", "MFA", "sMFA"))),
        ),
    ),
    notes="The curves are printed without numbers. 1-NN by Euclidean distance.",
)
