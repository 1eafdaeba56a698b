"""Table 4 of SULF: clusters of the features, a fifth of the samples labelled."""

from __future__ import annotations

from experiments.studies.awaited import COREL, NUS_WIDE, REUTERS
from experiments.studies.claim import Claim, each_ahead
from experiments.studies.study import Deviation, Published, Study, StudyCell
from experiments.studies.sulf_table3 import AWAITED, DATA, LANGUAGES, RULE, SETTINGS, STAND_IN, candidates
from experiments.trials import MeasureRequest

_METHODS = ("NMF_a", "NMF_b", "PCSC", "CCA", "SULF₁", "CNMF_a", "CNMF_b", "SGNMF_a", "SGNMF_b", "SULF₂",
            "SULF₃", "SULF")  # fmt: skip
_PRINTED = {
    ("NUS-WIDE", "ACC"): (13.48, 13.17, 14.21, 11.19, 15.45, 13.18, 13.26, 14.59, 14.62, 14.69, 15.54, 16.60),
    ("Corel5K", "ACC"): (16.21, 18.85, 18.58, 15.11, 19.74, 17.20, 19.11, 17.29, 19.58, 22.41, 25.23, 25.48),
    ("Reuters", "ACC"): (39.73, 42.80, 44.76, 37.05, 44.08, 38.75, 40.70, 44.96, 43.87, 55.87, 56.44, 56.25),
    ("NUS-WIDE", "NMI"): (13.70, 14.32, 16.00, 10.51, 17.53, 14.89, 15.01, 14.96, 16.33, 17.32, 18.27, 19.22),
    ("Corel5K", "NMI"): (25.00, 27.67, 26.84, 20.95, 28.42, 26.24, 28.34, 27.04, 29.59, 30.69, 34.02, 34.56),
    ("Reuters", "NMI"): (21.06, 22.88, 32.12, 16.28, 21.90, 19.17, 19.24, 26.95, 24.50, 37.64, 37.07, 39.17),
}
_INDICES = ("ACC", "NMI")


def _row(name: str, index: str) -> str:
    return f"{name}, {index}"


def _cells() -> list[StudyCell]:
    measures = {index: MeasureRequest("clustering", {"index": index.lower()}) for index in _INDICES}
    printed = [
        StudyCell(
            _row(name, index), method, candidates(method, 0.2, measures[index], name), Published(number),
            AWAITED[name],
        )
        for (name, index), numbers in _PRINTED.items()
        for method, number in zip(_METHODS, numbers, strict=True)
    ]  # fmt: skip
    return printed + [
        StudyCell(_row(name, index), method, candidates(method, 0.2, measure, name), stand_in=True)
        for name in (STAND_IN, LANGUAGES)
        for index, measure in measures.items()
        for method in _METHODS
    ]


def _ahead(*others: str, name: str = STAND_IN) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    return [((_row(name, index), "SULF"), (_row(name, index), other))
            for index in _INDICES for other in others]  # fmt: skip


STUDY = Study(
    id="sulf-table4",
    paper="sulf",
    item="Table 4",
    title="Clusters of the features, 20 % labelled: twelve ways to use several views",
    summary="K-means on the features of the unlabelled samples: the share in the right class, and the NMI.",
    datasets=("multifeature", "multilingual"),
    cells=_cells,
    awaits=(NUS_WIDE, COREL, REUTERS),
    protocol=(
        DATA,
        SETTINGS,
        RULE,
        Deviation(
            "clusters",
            "k-means on the features of unlabelled samples",
            "the same, each row at length 1",
            "at their own length the length of a row decides, not its class",
        ),
        Deviation("NMI", "over the larger of the two entropies", "the same"),
    ),
    claims=(
        Claim("Labels help: SULF is ahead of SULF₁ (digits, standing in).", each_ahead(_ahead("SULF₁"))),
        Claim("Views help: SULF is ahead of SULF₂ (digits, standing in).", each_ahead(_ahead("SULF₂"))),
        Claim(
            "SULF is ahead of every method that is not its own variant (digits, standing in).",
            each_ahead(_ahead(*(name for name in _METHODS if "SULF" not in name))),
        ),
        Claim(
            "Labels help on text, too: SULF is ahead of SULF₁ (four languages, standing in).",
            each_ahead(_ahead("SULF₁", name=LANGUAGES)),
        ),
        Claim(
            "On Reuters SULF leads by more than ten points.",
            each_ahead(
                [
                    ((_row("Reuters", index), "SULF"), (_row("Reuters", index), other))
                    for index in _INDICES
                    for other in _METHODS
                    if not other.startswith("SULF")
                ],
                by=10,
            ),
        ),
    ),
)
