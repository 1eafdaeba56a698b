"""The run engine: one request carried out step by step, only what the method computes timed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from time import perf_counter
from typing import Any

import numpy as np

from datasets import DataUnavailableError
from experiments.engine.edited_start import edited_start
from experiments.engine.record import RunRecord, RunStatus, Snapshot, flat, versions
from experiments.engine.warm_start import MISFIT, WarmStart
from experiments.measures.scores import recognised, summary
from experiments.requests.prepare import Prepared, prepare
from experiments.requests.request import RunRequest
from methods import Step

log = logging.getLogger(__name__)
_SETTLING = "The most iterations allowed were made; the objective was still falling."
_DIVERGED = "The objective stopped being a number at iteration {}: this update does not converge here."
_TOO_LARGE = (
    "This run took more memory than a worker may have. Fewer samples or components would fit, or a method "
    "that does not compare every two samples."
)
_RISEN = (
    "The objective rose at {} of {} iterations, first at iteration {}: "
    "nothing guarantees that this update always lowers it."
)
# Sums in float32 differ in the sixth digit from one step to the next without meaning anything.
_ROUNDING = 1e-5
# A run that takes longer than this to score is stopped without being scored once more.
_SCORED_BEFORE_STOPPING = 0.2


def rose(before: float, after: float) -> bool:
    """Return whether an objective has become higher by more than rounding explains.

    >>> rose(100.0, 100.0001), rose(100.0, 101.0), rose(-2.0, -1.0), rose(1.0, float("nan"))
    (False, True, True, False)
    """
    return after - before > _ROUNDING * max(abs(before), abs(after))


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
    """A run under way: `advance` takes one step, `record` returns its results so far.

    The number of snapshots grows with the logarithm of the number of iterations. The
    function `keep` receives them (by default they stay in memory); without `snapshots` there are none, and
    nothing is scored on the way. With `earlier` the run goes on from there instead of making a new start;
    `note` says if it could not, and it is `warm` if the request alone does not say where it began. `rises`
    are the iterations after which the objective was higher than before.
    """

    def __init__(
        self,
        request: RunRequest,
        keep: Callable[[Snapshot], None] | None = None,
        earlier: WarmStart | None = None,
        *,
        snapshots: bool = True,
    ) -> None:
        self.request = request
        self.snapshots: list[Snapshot] = []
        self.status: RunStatus | None = None
        self.message = ""
        self.note = ""
        self.warm = False
        self.rises: list[int] = []
        self.error: Exception | None = None
        self.scores: dict[str, float] = {}
        self.step: Step | None = None
        self.seconds: list[float] = []
        self.objective: list[float] = []
        self.terms: dict[str, list[float]] = {}
        self._store = keep or self.snapshots.append
        self._takes_snapshots = snapshots
        self._snapshot_at = -1
        self._spent = 0.0
        self._scoring = 0.0
        self._earlier = earlier
        self._prepared: Prepared | None = None
        self._steps: Generator[Step, None, None] | None = None

    @property
    def prepared(self) -> Prepared:
        """The data and the estimator, made at first use."""
        if self._prepared is None:
            self._prepared = prepare(self.request)
        return self._prepared

    @property
    def estimator(self) -> Any:
        """The estimator, None if the run ended before it had one."""
        return self._prepared.estimator if self._prepared else None

    @property
    def closed(self) -> bool:
        """Whether it is solved at once, and its steps only show what has been found."""
        return bool(self.prepared.spec.is_closed(self.prepared.estimator.get_params(deep=False)))

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

    def left(self) -> WarmStart | None:
        """Return a copy of the current step for another run to go on from.

        Before the first step it is a copy of the start this run was given, if any.
        """
        if self.step is not None:
            return WarmStart(self.step.copy(), self.request, reproducible=not self.warm)
        return None if self._earlier is None else self._earlier.copy()

    def record(self) -> RunRecord:
        """Return the results of the run so far."""
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
            **self._provenance(),
        )

    def _provenance(self) -> dict[str, Any]:
        if self._prepared is None:
            return {}
        ds, rows = self._prepared.ds, self._prepared.rows
        numbers = {"labelled": rows.labelled, "unlabelled": rows.unlabelled, "held_out": rows.held_out}
        return {
            "discriminative": getattr(self._prepared.estimator, "n_discriminative_", None),
            "reading": dict(ds.reading),
            "files": ds.files,
            "rows": {f"rows_{name}": index for name, index in numbers.items()},
        }

    def _safely(self, act: Callable[[], None]) -> None:
        try:
            act()
        except (ValueError, DataUnavailableError) as refusal:
            self._fail(refusal, str(refusal))
        except MemoryError as error:
            self._fail(error, _TOO_LARGE)
        except Exception as error:
            log.exception("A run of %s failed", self.request.method)
            self._fail(error, f"The run stopped unexpectedly ({type(error).__name__}: {error}).")

    def _advance(self) -> None:
        estimator = self.prepared.estimator
        step = self._first() if self._steps is None else self._next()
        if step is None:
            self._end(estimator.status_, self._in_words(estimator.status_, estimator.remark_))
        else:
            self._note(step)

    def _first(self) -> Step | None:
        """Return the first step, from the arrays of the earlier run if they fit."""
        if self.request.edits:
            return self._first_edited()
        if self._earlier is not None:
            self.note = self._earlier.refusal(self.prepared, self.request)
            if not self.note:
                try:
                    self.warm = True
                    return self._begin(warm_start=self._earlier.step)
                except (ValueError, KeyError):
                    self.warm = False
                    # Other sizes, another sign, another method. If the request itself is at fault, the start
                    # without it says so.
                    self.note = MISFIT
        return self._begin()

    def _first_edited(self) -> Step | None:
        """Return the first step after the last edit."""
        start = edited_start(self.prepared, self.request, self._earlier)
        self.warm = not start.reproducible
        self.prepared.estimator.set_params(n_components=start.n_components)
        return self._begin(**start.how)

    def _begin(self, **how: Any) -> Step | None:
        prepared = self.prepared
        self._steps = prepared.estimator.iterate(prepared.X, prepared.y_partial, **prepared.fit_params, **how)
        return self._next()

    def _next(self) -> Step | None:
        assert self._steps is not None
        begun = perf_counter()
        step = next(self._steps, None)
        self._spent = perf_counter() - begun
        return step

    def _in_words(self, status: RunStatus, remark: str) -> str:
        if status == "diverged":
            return _DIVERGED.format(len(self.objective) - 1)
        ending = _SETTLING if status == "max_iter" else ""
        if self.rises:
            ending = _RISEN.format(len(self.rises), len(self.objective) - 1, self.rises[0])
        return f"{ending} {remark}".strip()

    def _break_off(self) -> None:
        if self._steps is not None:
            self._steps.close()
        if self._scoring < _SCORED_BEFORE_STOPPING:
            self._end("stopped", "")
        else:
            self.status = "stopped"  # Scoring again would delay the stop; the last scores stand.

    def _note(self, step: Step) -> None:
        self.step = step
        self.seconds.append(self.seconds[-1] + self._spent if self.seconds else self._at_the_start())
        if self.objective and rose(self.objective[-1], step.objective):
            self.rises.append(step.iteration)
        self.objective.append(step.objective)
        for name, value in step.terms.items():
            self.terms.setdefault(name, []).append(value)
        if is_snapshot(step.iteration):
            self._keep_snapshot(step)

    def _at_the_start(self) -> float:
        """Return the seconds that count before the first iteration.

        Methods that near a solution are compared from where they start: what they do once before (checks,
        graphs) is left out. What is solved at once is solved there, and its steps only show it.
        """
        return self._spent if self.closed else 0.0

    def _keep_snapshot(self, step: Step) -> None:
        if not self._takes_snapshots or step.iteration == self._snapshot_at:
            return
        self._snapshot_at = step.iteration
        begun = perf_counter()
        scores = self._current_scores()
        self._scoring = perf_counter() - begun
        self._store(Snapshot(step.iteration, flat(step.state), scores))

    def _current_scores(self) -> dict[str, float]:
        prepared = self.prepared
        if prepared.ds.y is None:
            return {}
        share = recognised(prepared.spec, prepared.estimator, prepared.X, prepared.rows, prepared.ds.y)
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
        prepared = self.prepared
        return summary(
            prepared.spec, prepared.estimator, prepared.X, prepared.unseen, prepared.rows, prepared.ds.y
        )


def run(request: RunRequest, *, snapshots: bool = False, iterations: int | None = None) -> RunRecord:
    """Carry out a request to its end, or stop after so many iterations, and return its results.

    A request that cannot be carried out raises a ValueError that says why.
    """
    under_way = Run(request, snapshots=snapshots)
    while under_way.advance():
        if iterations is not None and len(under_way.objective) > iterations:
            under_way.stop()
    if under_way.status == "failed":
        raise ValueError(under_way.message)
    return under_way.record()
