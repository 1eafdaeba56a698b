"""Figures 3 and 4 of NDTF: accuracy by the size of an object that covers part of each test face."""

from __future__ import annotations

from typing import Any

from experiments.studies.awaited import FERET
from experiments.studies.claim import Claim, Finding, Means, counted, each_ahead, mean_of
from experiments.studies.settings import FACES, PUBLISHED, faces
from experiments.studies.study import Candidate, Deviation, Study, StudyCell
from experiments.trials import MeasureRequest

_OBJECTS, _SIZES = ("piggy bank", "strawberry", "can"), (0, 16, 20, 24, 28)
_HALF = {"labelled_per_class": 5, "held_out_per_class": 5}
_PARTS = {"n_components": 190}
_RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "PCA": ("pca", {"n_components": 60}),
    "NMF": ("nmf", _PARTS | PUBLISHED),
    "LNMF": ("lnmf", _PARTS | {"max_iter": 500, "features": "pinv"}),
    "NTF": ("ntf", _PARTS | PUBLISHED),
    "LDA": ("lda", {"n_components": 39}),
    "MFA": ("mfa", {"n_components": 60, "intrinsic_neighbors": 3}),
    "2D-NDTF": ("ndtf_2d", _PARTS | PUBLISHED | {"alpha": 100.0}),
    "3D-NDTF": ("ndtf_3d", _PARTS | PUBLISHED | {"alpha": 100.0}),
}
_UNSUPERVISED, _SUPERVISED, _TENSORS = ("PCA", "NMF", "LNMF", "NTF"), ("LDA", "MFA"), ("2D-NDTF", "3D-NDTF")


def _row(thing: str, size: int) -> str:
    return f"{thing}, {size}"


_FEATURES = {"pseudo-inverse": "pinv", "small ridge": "ridge"}
# What follows from there being 70 people with six images each.
_ON_FERET = {190: 194, 39: 69}


def _cell(thing: str, size: int, method: str, awaits: str = "") -> StudyCell:
    id, params = _RUNS[method]
    request = faces(id, params, _HALF)
    if awaits:
        number = params["n_components"]
        params = params | {"n_components": _ON_FERET.get(number, number)}
        half = {"labelled_per_class": 3, "held_out_per_class": 3}
        request = faces(id, params, half, {"size": "56x46"}, awaits)
    behind = {"kind": thing, "amount": size}
    tried = tuple(
        Candidate(request, MeasureRequest("spoiled_accuracy", behind | {"how": how}), title)
        for title, how in (_FEATURES if "features" in params else {"": "pinv"}).items()
    )
    return StudyCell(f"{awaits and 'FERET, '}{_row(thing, size)}", method, tried, awaits=awaits)


def _everywhere(first: tuple[str, ...], others: tuple[str, ...], sizes: tuple[int, ...] = _SIZES) -> Any:
    return [((_row(thing, size), one), (_row(thing, size), other))
            for thing in _OBJECTS for size in sizes for one in first for other in others]  # fmt: skip


def _changes(
    means: Means, first: tuple[str, ...], others: tuple[str, ...], grows: bool, where: str = ""
) -> Finding:
    """Return whether the lead of methods over others is larger (or smaller) behind 28 pixels than without."""
    leads: dict[str, tuple[float, float]] = {}
    for thing in _OBJECTS:
        before, after = (
            sum(mean_of(means, (where + _row(thing, size), one)) for one in first) / len(first)
            - sum(mean_of(means, (where + _row(thing, size), one)) for one in others) / len(others)
            for size in (_SIZES[0], _SIZES[-1])
        )
        leads[thing] = before, after
    right = [thing for thing, (before, after) in leads.items() if (after > before) == grows]
    return counted(
        right, list(leads), lambda thing: f"{thing}: lead {leads[thing][0]:+.1f}, then {leads[thing][1]:+.1f}"
    )


STUDY = Study(
    id="ndtf-occlusion",
    paper="ndtf",
    item="Figures 3, 4",
    title="Faces behind an object: eight methods by its size",
    summary="A piggy bank, a strawberry or a can, 16 to 28 of 64 pixels, somewhere on every test face.",
    datasets=("orl",),
    cells=lambda: [
        _cell(thing, size, method, awaits)
        for awaits in ("", FERET.id)
        for thing in _OBJECTS
        for size in _SIZES
        for method in _RUNS
    ],
    axis="side of the object in pixels",
    awaits=(FERET,),
    draws="samples",
    protocol=(
        FACES,
        Deviation(
            "objects",
            "photographs of a piggy bank, a strawberry, a can",
            "painted ones of the same kind",
            "the photographs are not published",
        ),
        Deviation("places", "random on each test image", "the same; a larger object covers the smaller one"),
        Deviation("parameters", "not said", "as they come out in Table 2, the same at every size: α = 100"),
        Deviation(
            "features",
            "plain pseudo-inverse, as Li et al. 2001",
            "the same, or with a small ridge, whichever is better",
            "as many parts as faces are nearly alike: the plain one blows up what tells them apart",
        ),
    ),
    claims=(
        Claim(
            "Without labels far fewer faces are recognised than with them, as long as the object is small.",
            each_ahead(_everywhere((*_SUPERVISED, *_TENSORS), _UNSUPERVISED, (0, 16))),
        ),
        Claim(
            "The gap between methods with and without labels becomes smaller as the object grows.",
            lambda means: _changes(means, (*_SUPERVISED, *_TENSORS), _UNSUPERVISED, grows=False),
        ),
        Claim(
            "The lead of NDTF over LDA and MFA grows with the object.",
            lambda means: _changes(means, _TENSORS, _SUPERVISED, grows=True),
        ),
        Claim(
            "3D-NDTF is ahead of 2D-NDTF behind an object.",
            each_ahead(_everywhere(("3D-NDTF",), ("2D-NDTF",), _SIZES[1:])),
        ),
        Claim(
            "On FERET, too, the lead of NDTF over LDA and MFA grows with the object.",
            lambda means: _changes(means, _TENSORS, _SUPERVISED, grows=True, where="FERET, "),
        ),
    ),
    notes="The curves are printed without numbers. 1-NN by Euclidean distance.",
)
