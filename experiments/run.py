"""The run engine: one request carried out step by step, only the steps timed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from datasets import DataUnavailableError
from experiments.prepare import Prepared, prepare
from experiments.record import RunRecord, RunStatus, Snapshot, flat, versions
from experiments.request import RunRequest
from experiments.scores import recognised, summary
from methods import Step

log = logging.getLogger(__name__)
_ENDINGS: dict[str, tuple[RunStatus, str]] = {
    "done": ("done", ""),
    "max_iter": ("max_iter", "The most iterations allowed were made; the objective was still falling."),
    "diverged": ("diverged", "The objective stopped being a number: this update does not converge here."),
}


def is_snapshot(iteration: int) -> bool:
    """Return whether an iteration is kept: 0, 1, 2, 3, 4, 6, 8, 11, 16, … two for each doubling.

    >>> [i for i in range(100) if is_snapshot(i)]
    [0, 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91]
    """
    if iteration < 4:
        return True
    power = 1 << (iteration.bit_length() - 1)
    return iteration in (power, int(power * 2**0.5 + 0.5))


class Run:
    """A run under way: `advance` takes one step, `record` says what has come of it so far.

    The number of snapshots grows with the logarithm of the number of iterations. What becomes
    of them is decided by `keep` (by default they stay in memory).
    """

    def __init__(self, request: RunRequest, keep: Callable[[Snapshot], None] | None = None) -> None:
        self.request = request
        self.snapshots: list[Snapshot] = []
        self.status: RunStatus | None = None
        self.message = ""
        self.error: Exception | None = None
        self.scores: dict[str, float] = {}
        self.step: Step | None = None
        self.seconds: list[float] = []
        self.objective: list[float] = []
        self.terms: dict[str, list[float]] = {}
        self._keep = keep or self.snapshots.append
        self._kept = -1
        self._prepared: Prepared | None = None

    @property
    def prepared(self) -> Prepared:
        """The data and the estimator, made when first asked for."""
        if self._prepared is None:
            self._prepared = prepare(self.request)
            now = self._prepared
            self._steps = now.estimator.iterate(now.X, now.y_partial, **now.known)
        return self._prepared

    @property
    def estimator(self) -> Any:
        """The estimator, None if the run never came so far as to have one."""
        return self._prepared.estimator if self._prepared else None

    def advance(self) -> bool:
        """Take one step (the first one is the start) and return whether there is more to come.

        A run that cannot go on has failed, with a sentence as its message; nothing is raised.
        """
        if self.status is None:
            self._safely(self._advance)
        return self.status is None

    def stop(self) -> None:
        """End the run where it is."""
        if self.status is None:
            self._safely(self._break_off)

    def record(self) -> RunRecord:
        """Return what the run has found so far."""
        arrays = {} if self.step is None else flat(self.step.state)
        return RunRecord(
            request=self.request,
            status=self.status or "stopped",
            message=self.message,
            objective=np.array(self.objective),
            terms={name: np.array(values) for name, values in self.terms.items()},
            seconds=np.array(self.seconds),
            scores=self.scores if self.status else self._summary(),
            arrays=arrays,
            snapshots=tuple(self.snapshots),
            versions=versions(),
        )

    def _safely(self, act: Callable[[], None]) -> None:
        try:
            act()
        except (ValueError, DataUnavailableError) as refusal:
            self._fail(refusal, str(refusal))
        except Exception as error:
            log.exception("A run of %s failed", self.request.method)
            self._fail(error, f"The run stopped unexpectedly ({type(error).__name__}: {error}).")

    def _advance(self) -> None:
        estimator = self.prepared.estimator
        begun = perf_counter()
        step = next(self._steps, None)
        spent = perf_counter() - begun
        if step is None:
            self._end(*_ENDINGS[estimator.status_])
        else:
            self._note(step, spent)

    def _break_off(self) -> None:
        if self._prepared is not None:
            self._steps.close()
        self._end("stopped", "")

    def _note(self, step: Step, spent: float) -> None:
        self.step = step
        # The start includes what is done once (checks, graphs); the clock begins after it.
        self.seconds.append(self.seconds[-1] + spent if self.seconds else 0.0)
        self.objective.append(step.objective)
        for name, value in step.terms.items():
            self.terms.setdefault(name, []).append(value)
        if is_snapshot(step.iteration):
            self._keep_snapshot(step)

    def _keep_snapshot(self, step: Step) -> None:
        if step.iteration == self._kept:
            return
        self._kept = step.iteration
        self._keep(Snapshot(step.iteration, flat(step.state), self._scores_now()))

    def _scores_now(self) -> dict[str, float]:
        now = self.prepared
        if now.ds.y is None:
            return {}
        share = recognised(now.spec, now.estimator, now.X, now.rows, now.ds.y)
        return {} if share is None else {"accuracy_euclidean": share}

    def _end(self, status: RunStatus, message: str) -> None:
        if self.step is not None and status != "diverged":
            self._keep_snapshot(self.step)
            self.scores = self._summary()
        self.status, self.message = status, message

    def _fail(self, error: Exception, message: str) -> None:
        self.error = error
        self.status, self.message = "failed", message

    def _summary(self) -> dict[str, float]:
        if self.step is None:
            return {}
        now = self.prepared
        return summary(now.spec, now.estimator, now.X, now.unseen, now.rows, now.ds.y)


def run(request: RunRequest, *, snapshots: bool = False) -> RunRecord:
    """Carry out a request to its end and return what it found.

    A request that cannot be carried out raises a ValueError that says why.
    """
    under_way = Run(request, keep=None if snapshots else _forget)
    while under_way.advance():
        pass
    if under_way.status == "failed":
        raise ValueError(under_way.message)
    return under_way.record()


def _forget(snapshot: Snapshot) -> None:
    """Keep nothing."""
