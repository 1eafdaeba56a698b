"""The digits in six views, a fifth of them labelled: single views, all side by side, methods that fuse."""

from __future__ import annotations

import datasets
from experiments.comparisons.fusion import HEADINGS, MEASURES, Contender, contenders
from experiments.requests.request import RunRequest
from experiments.studies.study import Candidate, Study, StudyCell

_DATA = RunRequest("multifeature", "sulf", split={"labelled_fraction": 0.2})
_PARTS, _ITERATIONS = 50, 300
_PLAIN = {"n_components": _PARTS, "max_iter": _ITERATIONS, "solver": "accelerated"}


def _cells() -> list[StudyCell]:
    ds = datasets.load(_DATA.dataset)
    unsupervised = tuple(Contender(f"NMF · {name}", "one view", "nmf", _PLAIN, name) for name in ds.views)
    everybody = (*unsupervised, *contenders(ds, _PARTS, _ITERATIONS), *_explaining(tuple(ds.views)))
    return [
        StudyCell(f"{one.title} ({one.way})", HEADINGS[name], (Candidate(one.request(_DATA), measure),))
        for one in everybody
        for name, measure in MEASURES.items()
    ]


def _explaining(every: tuple[str, ...]) -> tuple[Contender, ...]:
    """Return what tells why SGNMF, on views side by side, comes out ahead of SULF."""
    more = {"n_components": 2 * _PARTS, "max_iter": _ITERATIONS}
    return (
        Contender("SGNMF · no neighbours", "side by side", "sgnmf", _PLAIN | {"n_neighbors": 0}, every),
        Contender("SULF · twice the parts", "several views", "sulf", more),
    )


STUDY = Study(
    id="multiview",
    title="Digits in six views, 20 % labelled: one view, all side by side, or fused",
    summary="Accuracy and clustering of single views, concatenation, CCA, PCSC, CoTra, SGNMF, CNMF and SULF.",
    datasets=(_DATA.dataset,),
    cells=_cells,
    notes=(
        f"Factorizations have {_PARTS} parts and take at most {_ITERATIONS} iterations; all else as each "
        "method has it by default, nothing tuned. Accuracy: own prediction of SULF₂, SULF₃, SULF and CoTra, "
        "regularised least squares on the features of all others. Clusters: k-means on unlabelled rows, "
        "each at length 1. "
        "The last two rows: what SGNMF owes to the neighbours in its graph, which no other factorization "
        "is told, and what SULF gains from more parts."
    ),
)
