"""The program of the app's workers: runs, and trials beside them (`python -m experiments.trials.worker`)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from experiments import fitted
from experiments.engine.job_task import Job
from experiments.engine.question_job import QuestionJob
from experiments.engine.worker import main
from experiments.fitted import fitted_job
from experiments.inspection import inspection_job
from experiments.trials.job_kinds import CHAIN

# What jobs load when they need it.
_MODULES = (f"{__package__}.carriers.carrier", f"{fitted.__name__}.standing", f"{fitted.__name__}.verdicts")
_QUESTIONS = (fitted_job, inspection_job)


def _chain(text: str, folder: Path) -> Job:
    from experiments.trials.carriers.carrier import ChainJob  # Nobody waits for it before the first trial.

    return ChainJob(text)


if __name__ == "__main__":
    answered = {kind.KIND: partial(QuestionJob, kind.answer) for kind in _QUESTIONS}
    main({CHAIN: _chain, **answered}, _MODULES)
