"""The program of the app's workers: runs, and trials beside them (`python -m experiments.trials.worker`)."""

from __future__ import annotations

from pathlib import Path

from experiments import fitted
from experiments.engine.job_task import Job
from experiments.engine.worker import main
from experiments.fitted.fitted_job import KIND, FittedJob
from experiments.trials.job_kinds import CHAIN

# What jobs load when they need it.
_MODULES = (f"{__package__}.carriers.carrier", f"{fitted.__name__}.standing", f"{fitted.__name__}.verdicts")


def _chain(text: str, folder: Path) -> Job:
    from experiments.trials.carriers.carrier import ChainJob  # Nobody waits for it before the first trial.

    return ChainJob(text)


if __name__ == "__main__":
    main({CHAIN: _chain, KIND: FittedJob}, _MODULES)
