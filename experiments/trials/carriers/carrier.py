"""The interface of carriers: chains and results travel as text."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Literal, Protocol

from threadpoolctl import threadpool_limits

import datasets
from datasets.uploads import is_upload
from experiments.trials.evaluation import Fits, evaluate_chain
from experiments.trials.result import Result, lost
from experiments.trials.trial import Chain

# What became of a worker: this piece of work is to be given to another, or was given to several in vain;
# or all that was under way has to be begun again.
Loss = Literal["this one", "given up", "all under way"]


# Those of this process, if it is a worker.
_fits = Fits()


class CarrierError(RuntimeError):
    """Nobody can carry out anything; the message says why, and what to do."""


class Carrier(Protocol):
    """A place where trials are carried out."""

    name: str

    @property
    def width(self) -> int:
        """How many pieces of work it is given at a time."""

    def open(self) -> Executor:
        """Return who works there; again, if all workers were lost. A CarrierError says what to do."""

    def loss(self, error: BaseException) -> Loss:
        """Say what an exception means; one that means nothing of the kind becomes a CarrierError."""

    def close(self, executor: Executor) -> None:
        """End what was opened; what is under way is not waited for."""


def carry_out(text: str) -> str:
    """Carry out a chain, given and returned as text: what a worker is asked to do, on whatever machine."""
    chain, where = Chain.from_json(text), platform.node()
    try:
        for dataset in {trial.request.dataset for trial in chain.trials}:
            if not is_upload(dataset):
                datasets.fetch(dataset)
            elif not datasets.is_here(dataset):
                raise datasets.DataUnavailableError("these uploaded data are no longer here.")
        # Workers share the cores: threads of their own would only get into each other's way.
        with threadpool_limits(1):
            results = evaluate_chain(chain, _fits)
    except (datasets.DataUnavailableError, OSError) as error:
        results = [lost(f"The worker on {where} cannot have the data: {error}")] * len(chain.trials)
    except MemoryError:
        results = [
            lost(f"The worker on {where} ran out of memory: give it more, or choose less data.")
        ] * len(chain.trials)
    return json.dumps([replace(result, where=where).to_json() for result in results])


def understood(text: str) -> Sequence[Result]:
    """Return the results in the text that `carry_out` returned."""
    return [Result.from_json(plain) for plain in json.loads(text)]
