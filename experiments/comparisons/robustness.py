"""Surveys worked out behind the page: filled in by one thread, only while somebody looks.

The one that has had the least time goes first; what its fits take counts. A survey nobody looks at any more
stands still until somebody does; asking again for the same survey finds what there is of it. Fits that other
splits need are asked for one at a time, so that they do not crowd out what a person waits for.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

import datasets
from experiments.comparisons.surveys import Curve, Positions, Survey
from experiments.engine.handle import Handle
from experiments.fitted.recognisers import How
from experiments.measures.recognition import Metric
from experiments.requests.corruption import Kind, Patch
from experiments.requests.request import RunRequest

log = logging.getLogger(__name__)
# How long the end waits for the step under way.
_LAST_STEP = 5.0
_Kind = TypeVar("_Kind", bound=Survey)


@dataclass(frozen=True)
class _Fit:
    """A run that has been asked for, for which survey, and since when."""

    handle: Handle
    survey: Survey
    begun: float


class Surveys:
    """The surveys of a process: at most `most` of them, filled in by one thread while they are looked at.

    `fit` starts the run of a request, or finds it if it has been started before; `known` only finds it.
    """

    def __init__(
        self,
        fit: Callable[[RunRequest], Handle],
        known: Callable[[RunRequest], Handle | None],
        *,
        most: int = 192,
        forgotten_after: float = 5.0,
        pause: float = 0.002,
        patience: float = 0.05,
    ) -> None:
        self._fit, self._known = fit, known
        self._most, self._forgotten_after = most, forgotten_after
        self._pause, self._patience = pause, patience
        self._surveys: OrderedDict[tuple[object, ...], Survey] = OrderedDict()
        self._waiting: dict[Survey, float] = {}
        self._under_way: _Fit | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def curve(
        self, request: RunRequest, kind: Kind, metric: Metric = "euclidean", how: How = "ridge"
    ) -> Curve:
        """Return the shares recognised by amount of a corruption; asking for it is looking at it."""
        shape = _shape_of(request)
        return self._begun((request.key, kind, metric, how), lambda: Curve(request, shape, kind, metric, how))

    def positions(
        self, request: RunRequest, kind: Patch, size: int, metric: Metric = "euclidean", how: How = "ridge"
    ) -> Positions:
        """Return the shares recognised by place of a patch; asking for it is looking at it."""
        shape = _shape_of(request)
        if not 0 <= size <= min(shape):
            raise ValueError(f"size must be from 0 to {min(shape)} here, not {size}")
        key = (request.key, kind, size, metric, how)
        return self._begun(key, lambda: Positions(request, shape, kind, size, metric, how))

    def close(self) -> None:
        """Stop working; what has been found can still be had."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_LAST_STEP)

    def _begun(self, key: tuple[object, ...], make: Callable[[], _Kind]) -> _Kind:
        with self._changed:
            found = self._surveys.get(key)
            if found is None:
                found = self._surveys[key] = make()
                while len(self._surveys) > self._most:
                    self._surveys.popitem(last=False)
            found.seen_at = monotonic()
            self._surveys.move_to_end(key)
            if not found.complete:
                self._wake()
            return found  # type: ignore[return-value]

    def _wake(self) -> None:
        if self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._work, daemon=True, name="surveys")
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                # The pause lets those through who wait for an answer about the face in their hands.
                self._changed.wait_for(lambda: self._closed, self._pause)
                self._settle()
                while not self._closed and self._next() is None:
                    # Somebody asks again, or a run that is waited for may have ended.
                    self._changed.wait(self._patience if self._waiting else None)
                    self._settle()
                survey = self._next()
            if self._closed:
                return
            if survey is not None:
                self._advance(survey)

    def _advance(self, survey: Survey) -> None:
        self._waiting.pop(survey, None)
        begun = monotonic()
        try:
            if not survey.advance(lambda request: self._fitted(survey, request)):
                self._waiting[survey] = monotonic() + self._patience
        except Exception as error:
            if self._closed:
                return
            # One method that cannot cope with spoiled faces must not keep the others from theirs.
            log.exception("No survey of %s", survey.request.method)
            survey.message = f"The faces could not be recognised ({type(error).__name__}: {error})."
        survey.spent += monotonic() - begun

    def _fitted(self, survey: Survey, request: RunRequest) -> Handle | None:
        """Return the run of a request if it has ended; start it for a survey if no other is under way."""
        handle = self._known(request)
        if handle is None and self._under_way is None:
            handle = self._fit(request)
            if not handle.ended:
                self._under_way = _Fit(handle, survey, monotonic())
        return handle if handle is not None and handle.ended else None

    def _settle(self) -> None:
        """Notice that the fit under way has ended, or that nobody looks any more at what it is for."""
        now, fit = monotonic(), self._under_way
        if fit is None or not (fit.handle.ended or now - fit.survey.seen_at > self._forgotten_after):
            return
        # Who needs long fits waits while the others have theirs: all may ask again, the least served first.
        fit.survey.spent += now - fit.begun
        self._under_way = None
        self._waiting.clear()

    def _next(self) -> Survey | None:
        """Return the survey that has had the least time of those looked at and not waiting for a run."""
        now = monotonic()
        ready = [
            survey
            for survey in self._surveys.values()
            if not survey.complete
            and now - survey.seen_at <= self._forgotten_after
            and self._waiting.get(survey, 0) <= now
        ]
        # By time, not by how far they have come: a slow method must not keep quick ones from their curves.
        return min(ready, key=lambda survey: survey.spent, default=None)


def _shape_of(request: RunRequest) -> tuple[int, int]:
    ds = datasets.load(request.dataset, **request.dataset_options)
    if ds.image_shape is None:
        raise ValueError(f"{ds.title} does not hold images: nothing can be covered.")
    return ds.image_shape
