"""Carries out a trial: the fit step by step, then one measure after the other."""

from __future__ import annotations

import math
from time import perf_counter

from datasets import DataUnavailableError
from experiments.engine.continuing import Earlier
from experiments.engine.record import versions
from experiments.engine.run import Run
from experiments.trials.catalogue import measure
from experiments.trials.fit import Fit
from experiments.trials.result import Result
from experiments.trials.trial import Chain, Trial

_ENDED_WELL = ("done", "max_iter")


class Evaluation:
    """A trial under way: `advance` takes one small step, `result` is there when there is none left to take.

    The same trial gives the same scores wherever and whenever it is carried out, but for the seconds.
    """

    def __init__(self, trial: Trial, earlier: Earlier | None = None) -> None:
        self.trial = trial
        self.result: Result | None = None
        self._run = Run(trial.request, keep=lambda snapshot: None, earlier=earlier)
        self._fit: Fit | None = None
        self._left = list(trial.wanted)
        self._scores: dict[str, float] = {}
        self._problems: dict[str, str] = {}
        self._spent = 0.0

    def advance(self) -> bool:
        """Take a step of the fit, or work out one measure; return whether there is more to come."""
        begun = perf_counter()
        if self.result is None:
            self._advance()
        self._spent += perf_counter() - begun
        if self.result is None and self._run.status is not None and not self._left:
            self.result = self._ended()
        return self.result is None

    def left(self) -> Earlier | None:
        """Return what the next trial of a chain goes on from."""
        return self._run.left()

    def _advance(self) -> None:
        run = self._run
        if run.status is None:
            if not run.advance() and run.status not in _ENDED_WELL:
                self._left.clear()
        elif self._left:
            if self._fit is None:
                self._fit = Fit(run.prepared.ds, run.record())
            self._measure(self._fit)

    def _measure(self, fit: Fit) -> None:
        wanted = self._left.pop(0)
        described = measure(wanted.measure)
        try:
            value = float(described.of(fit, **described.resolved(wanted.settings)))
        except ValueError as refusal:
            self._problems[wanted.name] = str(refusal)
        else:
            if math.isfinite(value):
                self._scores[wanted.name] = value
            else:
                self._problems[wanted.name] = "The fit ended with numbers too large to measure."

    def _ended(self) -> Result:
        run, unexpected = self._run, False
        assert run.status is not None
        message = run.message
        if isinstance(run.error, MemoryError):
            message = "There was not enough memory for this: choose less data or fewer parts."
        if run.error is not None:
            unexpected = isinstance(run.error, DataUnavailableError) or not isinstance(run.error, ValueError)
        return Result(
            self._scores,
            self._problems,
            run.status,
            message if run.status not in _ENDED_WELL else "",
            max(0, len(run.objective) - 1),
            self._spent,
            versions(),
            lasting=not unexpected,
        )


def evaluate(trial: Trial) -> Result:
    """Carry out a trial.

    >>> from experiments.requests.request import RunRequest
    >>> from experiments.trials.trial import Wanted
    >>> evaluate(Trial(RunRequest("iris", "pca"), (Wanted("accuracy"),))).scores
    {'accuracy(asked=seen, metric=euclidean)': 0.888888888888888...}
    """
    return evaluate_chain(Chain((trial,)))[0]


def evaluate_chain(chain: Chain) -> list[Result]:
    """Carry out the trials of a chain, each fitted from the one before."""
    results: list[Result] = []
    earlier: Earlier | None = None
    for trial in chain.trials:
        under_way = Evaluation(trial, earlier)
        while under_way.advance():
            pass
        assert under_way.result is not None
        results.append(under_way.result)
        earlier = under_way.left()
    return results
