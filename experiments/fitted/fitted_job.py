"""Finished runs asked in a worker of the app: the server itself only takes in the answers."""

from __future__ import annotations

import json
import pickle
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import NDArray

from experiments.engine.array_file import UNREADABLE, arrays_in
from experiments.engine.turns import WATCHED
from experiments.engine.worker_jobs import WorkerLostError
from experiments.measures.recognition import Metric
from experiments.requests.request import RunRequest

if TYPE_CHECKING:
    from experiments.engine.handle import Handle
    from experiments.engine.worker_jobs import WorkerJobs
    from experiments.fitted.standing import Standing
    from experiments.fitted.verdicts import Verdicts
    from experiments.measures.recognition import TestSamples
    from experiments.store import StoredRun

KIND = "fitted"


class FittedJob:
    """One question to a finished run. What is found goes into a file that only this app's workers write."""

    def __init__(self, text: str, folder: Path) -> None:
        self._plain: dict[str, Any] = json.loads(text)
        self._file = folder / f"answer-{secrets.token_hex(8)}"
        self._refusal = ""

    def advance(self) -> bool:
        """Answer the question; there is one step."""
        try:
            self._file.write_bytes(pickle.dumps(self._result(), pickle.HIGHEST_PROTOCOL))
        except ValueError as refusal:
            self._refusal = str(refusal)
        return False

    def answer(self) -> str:
        """Return where the answer is, or why there is none."""
        return json.dumps({"file": str(self._file), "refusal": self._refusal})

    def _result(self) -> Any:
        from experiments.fitted.predictions import as_csv
        from experiments.fitted.standing import standing  # Nobody waits for it before the first question.
        from experiments.fitted.verdicts import Examined

        plain = self._plain
        arrays = _arrays(plain["arrays"])
        run = Examined(RunRequest.from_json(plain["request"]), arrays, plain["discriminative"])
        if plain["question"] == "estimator":
            return run.estimator
        if plain["question"] == "standing":
            return standing(run, plain["run"], plain["metric"])
        verdicts = run.verdicts(plain["asked"], plain["metric"])
        return as_csv(verdicts, run.prepared.ds) if plain["question"] == "predictions" else verdicts


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


def _ask(run: FinishedRun, jobs: WorkerJobs, **question: Any) -> Any:
    text = json.dumps(
        question
        | {"arrays": str(run.arrays), "request": run.request.as_given(), "run": run.id}
        | {"discriminative": run.discriminative}
    )
    try:
        answer = jobs.submit(KIND, text, owner=run.owner, priority=WATCHED).result()
    except WorkerLostError:
        answer = jobs.submit(KIND, text, owner=run.owner, priority=WATCHED).result()
    reply = json.loads(answer)
    if reply["refusal"]:
        raise ValueError(reply["refusal"])
    file = Path(reply["file"])
    try:
        return pickle.loads(file.read_bytes())
    finally:
        file.unlink(missing_ok=True)
