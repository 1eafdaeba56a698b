"""What is wrong in print in the paper on S-RLSC, each with a small experiment that shows it."""

from __future__ import annotations

from experiments.requests.request import RunRequest
from experiments.studies import small_experiments
from experiments.studies.claim import Claim, Finding, Means, ShownBy, mean_of
from experiments.studies.settings import SEEN
from experiments.studies.study import Candidate, Deviation, Study, StudyCell

_PRINTED, _RUN = "C without l, as equation 17", "C with l, as the text"
_LABELLED = (1, 5)
_CLASSES, _POINT = 2, 1.0


def _row(labelled: int) -> str:
    return f"S-RLSC, recognised, {labelled} a class"


def _cell(labelled: int, column: str) -> StudyCell:
    divisor = labelled * _CLASSES if column == _PRINTED else 1
    params = {"c_ambient": 0.005 / divisor, "c_intrinsic": 0.01 / divisor}
    request = RunRequest("lfw_subset", "s_rlsc", params, split={"labelled_per_class": labelled})
    return StudyCell(_row(labelled), column, (Candidate(request, SEEN),))


def _moves(means: Means) -> Finding:
    both = [
        [mean_of(means, (_row(labelled), column)) for column in (_PRINTED, _RUN)] for labelled in _LABELLED
    ]
    figures = "; ".join(f"{printed:.1f} % without, {run:.1f} % with" for printed, run in both)
    moved = any(abs(printed - run) > _POINT for printed, run in both)
    return Finding("holds" if moved else "does not hold here", f"{figures}.")


STUDY = Study(
    id="srlsc-misprints",
    paper="s_rlsc",
    item="Misprints",
    title="What is wrong in print: a graph of loops, a lost l, codes turned round",
    summary="Equations 8 and 17 and the hinge loss as printed and as they must read; SRC's ε out of reach.",
    datasets=("lfw_subset",),
    cells=lambda: [_cell(labelled, column) for labelled in _LABELLED for column in (_PRINTED, _RUN)],
    protocol=(
        Deviation(
            "equation 8",
            "a sample may stand in its own code",
            "a_i = 0",
            "otherwise a_i = 1 and there is no graph",
        ),
        Deviation(
            "equation 17", "γ_A and γ_I without l", "C_A = γ_A·l and C_I = γ_I·l/(l + u)², as its text uses"
        ),
        Deviation(
            "codes", "A is not said to hold them as rows or columns", "as rows", "transposed it is no minimum"
        ),
        Deviation("ε of SRC", "0.05", "raised where no code is that near", "with few labels none is"),
        Deviation(
            "hinge loss",
            "1 − zf where zf > 0",
            "1 − zf where zf < 1",
            "as printed a wrong answer costs nothing",
        ),
        Deviation("data", "four sets that wait for their files", "faces or not", "no package holds them"),
    ),
    claims=(
        Claim(
            "Without a_i = 0 a sample explains itself (equation 8).",
            ShownBy(small_experiments.samples_explain_themselves),
        ),
        Claim("The l that equation 17 drops moves the answers by more than a point.", _moves),
        Claim(
            "With the codes transposed the penalty is another one.",
            ShownBy(small_experiments.transposed_codes_are_another_penalty),
        ),
        Claim(
            "With few labels SRC's ε = 0.05 is out of reach for most samples.",
            ShownBy(small_experiments.few_labels_reach_nobody),
        ),
        Claim(
            "The hinge loss as printed charges nothing for a wrong answer.",
            ShownBy(small_experiments.printed_hinge_is_none),
        ),
    ),
)
