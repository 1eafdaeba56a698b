"""Figure 2 of SULF: clusters of the features by the share of labels."""

from __future__ import annotations

from experiments.studies.claim import Claim, Finding, Means, counted, each_ahead, mean_of, untestable
from experiments.studies.study import Deviation, Study, StudyCell
from experiments.studies.sulf_table3 import DATA, RULE, SETTINGS, STAND_IN, candidates
from experiments.trials import MeasureRequest

_METHODS = ("CNMF_a", "CNMF_b", "SGNMF_a", "SGNMF_b", "SULF₂", "SULF₃", "SULF")
_INDICES, _SHARES = ("ACC", "NMI"), (0.1, 0.2, 0.3, 0.4, 0.5)


def _row(index: str, share: float) -> str:
    return f"{STAND_IN}, {index}, τ = {share:g}"


def _cell(index: str, share: float, method: str) -> StudyCell:
    measure = MeasureRequest("clustering", {"index": index.lower()})
    return StudyCell(_row(index, share), method, candidates(method, share, measure), stand_in=True)


def _improves(means: Means) -> Finding:
    ends = {
        f"{method}, {index}": tuple(
            mean_of(means, (_row(index, share), method)) for share in _SHARES[:: len(_SHARES) - 1]
        )
        for method in _METHODS
        for index in _INDICES
        if (_row(index, _SHARES[0]), method) in means and (_row(index, _SHARES[-1]), method) in means
    }
    if not ends:
        mean_of(means, (_row("ACC", _SHARES[0]), "SULF"))
    right = [name for name, (few, many) in ends.items() if many > few]
    return counted(right, list(ends), lambda name: f"{name} {ends[name][0]:.1f}, then {ends[name][1]:.1f}")


def _ahead(*others: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return [((_row(index, share), "SULF"), (_row(index, share), other))
            for index in _INDICES for share in _SHARES for other in others]  # fmt: skip


STUDY = Study(
    id="sulf-ratio",
    paper="sulf",
    item="Figure 2",
    title="Clusters by the share of labels: seven methods that are told some",
    summary="K-means on the features of the unlabelled samples: the share in the right class, and the NMI.",
    datasets=("multifeature",),
    cells=lambda: [
        _cell(index, share, method) for index in _INDICES for share in _SHARES for method in _METHODS
    ],
    axis="share of labelled samples",
    protocol=(DATA, SETTINGS, RULE, Deviation("shares", "10 to 50 percent", "the same")),
    claims=(
        Claim("All methods cluster better with more labels (digits, standing in).", _improves),
        Claim(
            "SULF and SULF₃ are clearly ahead of SULF₂: views help (digits, standing in).",
            each_ahead(_ahead("SULF₂")),
        ),
        Claim(
            "SULF is ahead of CNMF and SGNMF at every share (digits, standing in).",
            each_ahead(_ahead("CNMF_a", "CNMF_b", "SGNMF_a", "SGNMF_b")),
        ),
        Claim("CNMF falls off on text (Reuters).", untestable("Reuters multilingual waits for data.")),
    ),
    notes="The curves are printed without numbers. _a: the best single view; _b: views side by side.",
)
