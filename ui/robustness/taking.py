"""What can be taken along of the curves and maps of spoiled pictures, and the work that they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from experiments.engine.handle import Handle
from experiments.fitted.recognisers import How
from experiments.measures.recognition import Metric
from experiments.requests.corruption import Kind, is_noise
from experiments.table_files import TableFile
from experiments.trials import Trial
from ui.downloads import downloads
from ui.service import service


@dataclass(frozen=True)
class SurveyRequest:
    """How the pictures are spoiled and compared, the ids of the runs surveyed, and the visitor.

    Files are made in threads that know no visitor.
    """

    kind: Kind
    metric: Metric
    how: How
    runs: Sequence[str]
    visitor: str

    @property
    def handles(self) -> list[Handle]:
        """The runs that are still known."""
        return [handle for id in self.runs if (handle := service().get(id)) is not None]


def offer(survey: SurveyRequest, element_key: str, name: str, *, size: int) -> None:
    """Offer the curves, and the maps for patches of a size, that the element with this key shows."""
    setting = urlencode({"kind": survey.kind, "metric": survey.metric, "how": survey.how})
    downloads(
        element_key, name=name, address=f"accuracy/{','.join(survey.runs)}/figure?{setting}",
        label="Download the curves", table=partial(_table, survey), numbers=partial(_csv, survey),
    )  # fmt: skip
    if not is_noise(survey.kind):
        downloads(
            f"{element_key} places", name=f"{name}-places", place=element_key, part=".places",
            label="Download the maps", numbers=partial(_places_csv, survey, size),
        )  # fmt: skip


# What lays the surveys out takes a while to import: nobody waits for it before it is asked for.


def work(survey: SurveyRequest) -> list[Trial]:
    """Return the trials of the curves, also of runs that have not ended."""
    from ui.robustness.surveys import curves_work

    return curves_work(survey.handles, survey.kind, survey.metric, survey.how)


def _csv(survey: SurveyRequest) -> str:
    from ui.robustness.surveys import curves_csv

    return curves_csv(survey.handles, survey.kind, survey.metric, survey.how, survey.visitor)


def _table(survey: SurveyRequest) -> TableFile:
    from ui.robustness.surveys import curves_table

    return curves_table(survey.handles, survey.kind, survey.metric, survey.how, survey.visitor)


def _places_csv(survey: SurveyRequest, size: int) -> str:
    from ui.robustness.surveys import places_csv

    return places_csv(survey.handles, survey.kind, size, survey.metric, survey.how, survey.visitor)
