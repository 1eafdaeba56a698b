"""The interface of carriers: chains and results travel as text."""

from __future__ import annotations

import json
import platform
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from typing import Literal

from threadpoolctl import threadpool_limits

import datasets
from datasets.uploads import is_from_file, is_upload
from experiments.trials.evaluation import ChainEvaluation, Fits
from experiments.trials.result import Result, lost
from experiments.trials.trial import Chain

# What became of a piece of work whose worker ended: it was not begun; it may have been to blame; it was given
# to several in vain; or all that was under way has to be begun again.
Loss = Literal["not begun", "this one", "given up", "all under way"]


# Those of this process, if it is a worker.
_fits = Fits()


class CarrierError(RuntimeError):
    """Nobody can carry out anything; the message says why, and what to do."""


class Carrier(ABC):
    """A place where trials are carried out. `width` is how many pieces of work it is given at a time."""

    name: str
    width: int

    @property
    def most_by_owner(self) -> int:
        """How many pieces of work it is given at a time for one owner while others wait."""
        return self.width

    @abstractmethod
    def open(self) -> Executor:
        """Return who works there; again, if all workers were lost. A CarrierError says what to do."""

    def submit(self, executor: Executor, text: str, owner: str, unattended: bool) -> Future[str]:
        """Give a chain, as text, to who works there; `unattended` if nobody waits for it."""
        return executor.submit(carry_out, text)

    @abstractmethod
    def loss(self, error: BaseException) -> Loss:
        """Say what an exception means; one that means nothing of the kind becomes a CarrierError."""

    @abstractmethod
    def close(self, executor: Executor) -> None:
        """End what was opened; what is under way is not waited for."""


class ChainJob:
    """A chain carried out step by step, given and answered as text, on whatever machine."""

    def __init__(self, text: str) -> None:
        self._chain = Chain.from_json(text)
        self._evaluation: ChainEvaluation | None = None
        self._problem = ""

    def advance(self) -> bool:
        """Take a step and return whether there is more to come."""
        where = platform.node()
        try:
            if self._evaluation is None:
                self._fetch()
                self._evaluation = ChainEvaluation(self._chain, _fits)
                return True
            return self._evaluation.advance()
        except (datasets.DataUnavailableError, OSError) as error:
            self._problem = f"The worker on {where} cannot have the data: {error}"
        except MemoryError:
            self._problem = f"The worker on {where} ran out of memory: give it more, or choose less data."
        return False

    def answer(self) -> str:
        """Return the results as text."""
        results: Sequence[Result] = [lost(self._problem)] * len(self._chain.trials)
        if not self._problem and self._evaluation is not None:
            results = self._evaluation.results
        return json.dumps([result.at(platform.node()).to_json() for result in results])

    def _fetch(self) -> None:
        for dataset in {trial.request.dataset for trial in self._chain.trials}:
            if not is_from_file(dataset):
                datasets.fetch(dataset)
            elif not datasets.is_here(dataset):
                gone = "these uploaded data are no longer here."
                elsewhere = "the file that they are read from is not on that machine."
                raise datasets.DataUnavailableError(gone if is_upload(dataset) else elsewhere)


def carry_out(text: str) -> str:
    """Carry out a chain, given and returned as text: what a worker process is asked to do."""
    job = ChainJob(text)
    # Workers share the cores: threads of their own would only get into each other's way.
    with threadpool_limits(1):
        while job.advance():
            pass
    return job.answer()


def understood(text: str) -> Sequence[Result]:
    """Return the results in the text that `carry_out` returned."""
    return [Result.from_json(plain) for plain in json.loads(text)]
