"""What is wrong in print in the paper on SULF, each with a small experiment that shows it."""

from __future__ import annotations

from typing import Any

from experiments.requests.request import RunRequest
from experiments.studies import small_experiments
from experiments.studies.claim import Claim, Finding, Means, ShownBy, each_ahead, mean_of
from experiments.studies.study import Candidate, Deviation, Study, StudyCell
from experiments.trials import MeasureRequest

_PRINTED, _RUN = "as printed", "as run here"
_RISE, _CLUSTERS = "SULF, largest rise of its objective", "SGNMF, clusters in the right class"
_DATA, _SPLIT = "multifeature", {"labelled_fraction": 0.2}


def _cell(row: str, column: str, method: str, measure: MeasureRequest, **params: Any) -> StudyCell:
    view = "pixels" if method == "sgnmf" else None
    request = RunRequest(_DATA, method, {"n_components": 50, **params}, view=view, split=_SPLIT)
    return StudyCell(row, column, (Candidate(request, measure),))


def _rises(means: Means) -> Finding:
    printed, run = (mean_of(means, (_RISE, column)) for column in (_PRINTED, _RUN))
    figures = f"By {printed:.4g} % in one step, against {run:.4g} % with the rule run here."
    return Finding("holds" if printed > 0.01 > run else "does not hold here", figures)


STUDY = Study(
    id="sulf-misprints",
    paper="sulf",
    item="Misprints",
    title="What is wrong in print: a rule that rises, penalties that fade",
    summary="The printed rule for labelled rows, and what becomes of penalties on factors of free length.",
    datasets=(_DATA,),
    cells=lambda: [
        _cell(_RISE, _PRINTED, "sulf", MeasureRequest("rise"), beta=1.0, rule="printed", max_iter=20),
        _cell(_RISE, _RUN, "sulf", MeasureRequest("rise"), beta=1.0, max_iter=20),
        *(
            _cell(_CLUSTERS, column, "sgnmf", MeasureRequest("clustering"), rule=rule, max_iter=300)
            for column, rule in ((_PRINTED, "printed"), (_RUN, "scale-free"))
        ),
    ],
    splits=2,
    protocol=(
        Deviation(
            "equation 26",
            "leaves WWᵀ out",
            "the rule that splits WWᵀ by sign, and the printed one for 20 iterations",
            "the printed rule is not one of descent and has no fixed point with W ≠ 0",
        ),
        Deviation("β", "10⁸", "1", "with the printed rule 10⁸ overflows: there would be no curve to show"),
        Deviation(
            "γ‖W‖₂,₁",
            "V may grow and W shrink",
            "rows of V have length 1",
            "the penalty can be made as small as one likes at no cost",
        ),
        Deviation(
            "data", "three sets that wait for their files", "digits in six views", "no package holds them"
        ),
        Deviation("splits", "none: there is no such table", "two splits", "the difference is one of kind"),
    ),
    claims=(
        Claim("The printed rule for labelled rows lets the objective rise.", _rises),
        Claim(
            "SGNMF's printed penalty fades as the run goes on: in units of each part it clusters better.",
            each_ahead([((_CLUSTERS, _RUN), (_CLUSTERS, _PRINTED))]),
        ),
        Claim(
            "With the printed rule the paper's β = 10⁸ ends in numbers too large to hold.",
            ShownBy(small_experiments.large_beta_overflows),
        ),
        Claim(
            "γ means nothing while V may grow and W shrink.",
            ShownBy(small_experiments.scale_escapes_the_penalty),
        ),
    ),
    notes="Rows differ in kind: the largest rise in percent of the objective, percent in the right class.",
)
