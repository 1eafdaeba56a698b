"""Carries out a trial: the fit step by step, then one measure after the other."""

from __future__ import annotations

import logging
import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from time import perf_counter
from typing import Any

from datasets import DataUnavailableError
from datasets.uploads import is_upload
from experiments.engine.record import ENDED_WELL, versions
from experiments.engine.run import Run
from experiments.engine.warm_start import WarmStart
from experiments.requests.request import RunRequest
from experiments.trials.catalogue import measure
from experiments.trials.fit import Fit
from experiments.trials.keepsake import as_text, keepsake_of
from experiments.trials.result import Result
from experiments.trials.trial import Chain, Trial

log = logging.getLogger(__name__)


class Fits:
    """The fits a worker made last, for other trials of the same request; a few, and no large ones.

    Nothing of an upload stays: what came of it goes when it goes.
    """

    def __init__(self, most: int = 8, most_bytes: int = 32_000_000) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._fits: OrderedDict[str, Fit] = OrderedDict()
        self._lock = Lock()

    def get(self, request: RunRequest) -> Fit | None:
        """Return a fit of this request, if there is one."""
        try:
            key = request.key
        except ValueError:
            return None  # It makes no sense, which the run will say.
        with self._lock:
            return self._fits.get(key)

    def keep(self, fit: Fit) -> None:
        """Keep a fit for the next trials."""
        size = sum(array.nbytes for array in fit.record.arrays.values())
        if size > self._most_bytes or is_upload(fit.request.dataset):
            return
        with self._lock:
            self._fits[fit.request.key] = fit
            while len(self._fits) > self._most:
                self._fits.popitem(last=False)


class Evaluation:
    """A trial under way: `advance` takes one small step, `result` is None until the last one.

    The same trial gives the same scores wherever and whenever it is carried out, but for the seconds.
    """

    def __init__(self, trial: Trial, earlier: WarmStart | None = None, *, fits: Fits | None = None) -> None:
        self.trial = trial
        self.result: Result | None = None
        self._fits = fits
        self._inner: Mapping[Any, WarmStart] = {} if earlier is None else earlier.inner
        self._run = Run(trial.request, earlier=earlier, snapshots=False)
        self._fit = None if fits is None else fits.get(trial.request)
        self._left = list(trial.wanted)
        self._scores: dict[str, float] = {}
        self._problems: dict[str, str] = {}
        self._spent = 0.0
        self._unexpected = False

    def advance(self) -> bool:
        """Take a step of the fit, or work out one measure; return whether there is more to come."""
        begun = perf_counter()
        if self.result is None:
            self._advance()
        self._spent += perf_counter() - begun
        if self.result is None and not self._left and (self._fit is not None or self._run.status is not None):
            self.result = self._ended()
        return self.result is None

    def left(self) -> WarmStart | None:
        """Return what the next trial of a chain goes on from."""
        left = self._run.left()
        return None if left is None else replace(left, inner=self._inner)

    def _advance(self) -> None:
        run = self._run
        if self._fit is None and run.status is None:
            if not run.advance() and run.status not in ENDED_WELL:
                self._left.clear()
        elif self._left:
            if self._fit is None:
                self._fit = Fit(run.prepared.ds, run.record(), self._inner)
                if self._fits is not None:
                    self._fits.keep(self._fit)
            self._measure(self._fit)

    def _measure(self, fit: Fit) -> None:
        request = self._left.pop(0)
        described = measure(request.measure)
        try:
            with fit.measuring:
                value = float(described.of(fit, **described.resolved(request.settings)))
        except ValueError as refusal:
            self._problems[request.name] = str(refusal)
        except Exception as error:
            # One measure that cannot cope must not keep the others from their numbers.
            log.exception("%s could not be measured of %s", request.name, fit.request.method)
            self._unexpected = True
            message = f"This could not be measured ({type(error).__name__}: {error})."
            self._problems[request.name] = message
        else:
            if math.isfinite(value):
                self._scores[request.name] = value
            else:
                self._problems[request.name] = "The fit ended with numbers too large to measure."

    def _ended(self) -> Result:
        run, unexpected = self._run, self._unexpected
        if self._fit is not None:
            if self._fits is None:
                ended = {labels: inner.left() for labels, inner in self._fit.inner.items()}
                self._inner = {labels: left for labels, left in ended.items() if left is not None}
            self._fit.inner.clear()  # They hold their data.
        message = run.message
        if isinstance(run.error, MemoryError):
            message = "There was not enough memory for this: choose less data or fewer parts."
        if run.error is not None:
            unexpected |= isinstance(run.error, DataUnavailableError) or not isinstance(run.error, ValueError)
        status = run.status if self._fit is None else self._fit.record.status
        assert status is not None
        return Result(
            self._scores,
            self._problems,
            status,
            message if status not in ENDED_WELL else "",
            max(0, len(run.objective) - 1) if self._fit is None else self._fit.record.iterations,
            self._spent,
            versions(),
            lasting=not unexpected,
            keepsake=self._keepsake(),
        )

    def _keepsake(self) -> str:
        """Return what is kept to be looked at, if the trial asks for it; numbers never fail because of it."""
        if not self.trial.pictured or self._fit is None:
            return ""
        try:
            return as_text(keepsake_of(self._fit))
        except Exception:
            log.exception("Nothing can be kept to look at of %s", self.trial.request.method)
            return ""


def evaluate(trial: Trial) -> Result:
    """Carry out a trial.

    >>> from experiments.requests.request import RunRequest
    >>> from experiments.trials.trial import MeasureRequest
    >>> evaluate(Trial(RunRequest("iris", "pca"), (MeasureRequest("accuracy"),))).scores
    {'accuracy(asked=seen, metric=euclidean, reading=own)': 0.9236...}
    """
    return evaluate_chain(Chain((trial,)))[0]


def evaluate_chain(chain: Chain, fits: Fits | None = None) -> list[Result]:
    """Carry out the trials of a chain, each fitted from the one before; a single one may share a fit."""
    under_way = ChainEvaluation(chain, fits)
    while under_way.advance():
        pass
    return under_way.results


class ChainEvaluation:
    """A chain under way: `advance` takes one small step, `results` grow until the last one."""

    def __init__(self, chain: Chain, fits: Fits | None = None) -> None:
        self.results: list[Result] = []
        self._trials = list(chain.trials)
        # What a trial goes on from decides its numbers: only one that stands alone may share a fit.
        self._fits = fits if len(chain.trials) == 1 else None
        self._evaluation: Evaluation | None = None
        self._earlier: WarmStart | None = None

    def advance(self) -> bool:
        """Take a step of the trial under way, and return whether there is more to come."""
        if self._evaluation is None:
            trial = self._trials[len(self.results)]
            self._evaluation = Evaluation(trial, self._earlier, fits=self._fits)
        if not self._evaluation.advance():
            assert self._evaluation.result is not None
            self.results.append(self._evaluation.result)
            self._earlier, self._evaluation = self._evaluation.left(), None
        return len(self.results) < len(self._trials)
