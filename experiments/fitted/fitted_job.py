"""Finished runs asked in a worker of the app: the server itself only takes in the answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from experiments.engine.array_file import UNREADABLE, arrays_in
from experiments.engine.question_job import ask
from experiments.measures.recognition import Metric
from experiments.requests.request import RunRequest

if TYPE_CHECKING:
    from experiments.engine.handle import Handle
    from experiments.engine.worker_jobs import WorkerJobs
    from experiments.fitted.standing import Standing
    from experiments.fitted.verdicts import Verdicts
    from experiments.inspection.layout import Points
    from experiments.measures.recognition import TestSamples
    from experiments.store import StoredRun

KIND = "fitted"


def answer(plain: dict[str, Any]) -> Any:
    """Return the answer to a question about a finished run, in a worker."""
    from experiments.fitted.predictions import as_csv
    from experiments.fitted.standing import standing  # Nobody waits for it before the first question.
    from experiments.fitted.verdicts import Examined
    from experiments.inspection.layout import moved

    arrays = _arrays(plain["arrays"])
    run = Examined(RunRequest.from_json(plain["request"]), arrays, plain["discriminative"])
    question = plain["question"]
    if question == "estimator":
        return run.estimator
    if question == "standing":
        return standing(run, plain["run"], plain["metric"])
    if question == "places":
        before = plain["before"]
        return moved(run.features(), None if before is None else np.array(before, np.float32))
    verdicts = run.verdicts(plain["asked"], plain["metric"])
    return as_csv(verdicts, run.prepared.ds) if question == "predictions" else verdicts


def _arrays(path: str) -> dict[str, NDArray[Any]]:
    try:
        return arrays_in(Path(path))
    except UNREADABLE:  # The run has been forgotten, or its file is damaged.
        raise ValueError("This run is no longer kept. Reload the page to start it again.") from None


def estimator_of(handle: Handle, jobs: WorkerJobs) -> Any:
    """Return the estimator of a finished run as it was at the end, for which some methods compute a while."""
    return _ask(_finished_run(handle), jobs, question="estimator")


def standing_of(handle: Handle, jobs: WorkerJobs, metric: Metric = "euclidean") -> Standing:
    """Return the classes, features and suggestions of a finished run; waits for them."""
    return cast("Standing", _ask(_finished_run(handle), jobs, question="standing", metric=metric))


def places_of(handle: Handle, jobs: WorkerJobs, before: Points | None = None) -> Points:
    """Return the samples on a plane by their features, as near as may be to where they were before; waits."""
    near = None if before is None else before.tolist()
    return cast("Points", _ask(_finished_run(handle), jobs, apart=True, question="places", before=near))


def verdicts_of(handle: Handle, jobs: WorkerJobs, test_samples: TestSamples, metric: Metric) -> Verdicts:
    """Return the verdicts of a finished run; waits for them."""
    return cast(
        "Verdicts", _ask(_finished_run(handle), jobs, question="verdicts", asked=test_samples, metric=metric)
    )


def predictions_of(
    handle: Handle, jobs: WorkerJobs, test_samples: TestSamples = "seen", metric: Metric = "euclidean"
) -> str:
    """Return the classes that a finished run predicts as CSV; waits for them."""
    return cast(
        "str", _ask(_finished_run(handle), jobs, question="predictions", asked=test_samples, metric=metric)
    )


def stored_predictions(run: StoredRun, arrays: Path, jobs: WorkerJobs) -> str:
    """Return the classes that a stored run predicts as CSV, from a file of its arrays; waits for them."""
    discriminative = run.details.get("ending", {}).get("discriminative")
    finished = FinishedRun(run.id, run.request, arrays, discriminative, run.id)
    return cast("str", _ask(finished, jobs, question="predictions", asked="seen", metric="euclidean"))


@dataclass(frozen=True)
class FinishedRun:
    """What a worker needs to know of a finished run; `owner` shares its turns."""

    id: str
    request: RunRequest
    arrays: Path
    discriminative: int | None
    owner: str


def _finished_run(handle: Handle) -> FinishedRun:
    owner = handle.owner or handle.id
    return FinishedRun(handle.id, handle.request, handle.final_file(), handle.discriminative, owner)


def _ask(run: FinishedRun, jobs: WorkerJobs, *, apart: bool = False, **question: Any) -> Any:
    about = {"arrays": str(run.arrays), "request": run.request.as_given(), "run": run.id}
    about_it = question | about | {"discriminative": run.discriminative}
    return ask(jobs, KIND, about_it, owner=run.owner, apart=apart)
