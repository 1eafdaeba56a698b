"""Fitted methods applied to new pixels: their features, the face rebuilt from them, the nearest labelled row.

A `Recogniser` is made from a finished run. Everything that does not depend on the pixels (the
pseudo-inverse of the parts, the features of the labelled rows) is worked out then, so that an answer
costs products with small matrices. The answers are those of the method's own `transform` or `predict`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from datasets import Dataset
from experiments.engine.handle import Handle
from experiments.engine.worker_jobs import WorkerJobs
from experiments.fitted.fitted_job import estimator_of
from experiments.fitted.fitted_run import FittedRun, Identified, nearest_labelled, ranked_classes
from experiments.measures.recognition import Codes, FloatArray, Metric
from experiments.requests.prepare import seen_rows
from experiments.requests.request import RunRequest
from experiments.requests.splits import Split
from methods import Spec
from methods.coefficients import coefficients, feature_map
from methods.incomplete import codes_of_incomplete

# A recogniser of 64×64 faces holds some 5 MB, so these stay below 150 MB.
MAX_CACHED = 24
# How coefficients of new pixels are computed: least squares of any sign (regularised or plain), non-negative
# least squares, or the latter with a smaller weight on pixels that fit badly; or the first of these from the
# pixels alone that are known to be left as they were.
How = Literal["ridge", "pinv", "nnls", "robust", "masked"]
HOWS: tuple[How, ...] = get_args(How)
Mask = NDArray[np.bool_]


def can_recognise(spec: Spec) -> bool:
    """Return whether a method can transform or classify new pixels."""
    return bool({"transform", "predict"} & spec.gives)


def effective(how: How, spec: Spec) -> How:
    """Return how a method computes its coefficients if this is asked for: some have one way only."""
    return how if spec.weighs_parts else "ridge"


class Recogniser(FittedRun):
    """A finished run that recognises new pixels.

    `left` says which pixels are known to be as they were: with `how="masked"` all others are left out.
    """

    def __init__(
        self, request: RunRequest, arrays: Mapping[str, NDArray[Any]], *, estimator: Any = None
    ) -> None:
        """Restore the method that `request` fitted, from the arrays the run ended with.

        An `estimator` that has been restored elsewhere is taken as it is.
        """
        super().__init__(request, arrays, estimator=estimator)
        prepared = self.prepared
        self.spec: Spec = prepared.spec
        self.request, self.data, self.split = request, prepared.ds, prepared.rows
        self.names = prepared.target_names
        self._maps: dict[str, NDArray[Any] | None] = {}
        self._back, self._mean = _way_back(self.spec, self.estimator, prepared.X.dtype)
        self._pixels = seen_rows(prepared.ds, request, self.split)[self.split.labelled]
        self._codes: Codes = self.split.y_partial[self.split.labelled]
        self._labelled_features: dict[str, FloatArray] = {}

    @property
    def test_rows(self) -> Codes:
        """The rows to test on."""
        return rows_to_test(self.data, self.split)

    def features(self, X: Any, how: How = "ridge", left: Mask | None = None) -> FloatArray:
        """Return the method's features of rows of pixels.

        `how` is for methods whose parts add up; others have one way.
        """
        if not self.spec.weighs_parts:
            return np.asarray(self.estimator.transform(X))
        if how == "masked" and left is not None:
            return self._features_of_uncovered(X, left)
        parts, how = self.estimator.components_, "ridge" if how == "masked" else how
        if how not in self._maps:
            self._maps[how] = feature_map(parts, how)
        linear = self._maps[how]
        return np.asarray(coefficients(parts, X, how) if linear is None else X @ linear)

    def rebuilt(self, X: Any, how: How = "ridge", left: Mask | None = None) -> FloatArray | None:
        """Return the pixels reconstructed from their features, None if features are not made of pixels.

        Where parts add up it is their sum; for directions it is the face closest to the mean that has
        the same features.
        """
        if self._back is None:
            return None
        return np.asarray(self.features(X, how, left) @ self._back + self._mean)

    def summands(
        self, X: Any, how: How = "ridge", left: Mask | None = None
    ) -> tuple[FloatArray, Any, Any] | None:
        """Return weights, parts and mean that add up to what is rebuilt; None if nothing is."""
        return None if self._back is None else (self.features(X, how, left), self._back, self._mean)

    def recognise(
        self, X: Any, metric: Metric = "euclidean", how: How = "ridge", left: Mask | None = None
    ) -> Identified:
        """Return the nearest labelled row and the recognised class of each row of pixels."""
        if "transform" not in self.spec.gives:
            return self._by_class(X)
        if how not in self._labelled_features:
            self._labelled_features[how] = self.features(self._pixels, how)
        labelled, queries = self._labelled_features[how], self.features(X, how, left)
        return nearest_labelled(labelled, self.split.labelled, self._codes, queries, metric)

    def _features_of_uncovered(self, X: Any, left: Mask) -> FloatArray:
        parts, some = self.estimator.components_, left.any(axis=1)
        # Of a picture that is covered all over nothing is known, and no part is in it.
        codes = np.zeros((len(X), len(parts)), parts.dtype)
        code = partial(coefficients, how="ridge")
        codes[some] = codes_of_incomplete(parts, X[some], left[some], partial(code, parts), code)
        return codes

    def _check(self) -> None:
        spec, ds = self.prepared.spec, self.prepared.ds
        if not can_recognise(spec) or ds.y is None:
            raise ValueError(
                f"{spec.title} on {ds.title} cannot say who a new picture is nearest to: "
                "choose a method that works on new samples, and data with classes."
            )

    def _by_class(self, X: Any) -> Identified:
        codes, best, second = ranked_classes(self.estimator.decision_function(X), self.estimator.classes_)
        apart = (
            np.square(X).sum(axis=1)[:, None] - 2 * (X @ self._pixels.T) + np.square(self._pixels).sum(axis=1)
        )
        apart[codes[:, None] != self._codes] = np.inf
        return Identified(self.split.labelled[apart.argmin(axis=1)], codes, np.abs(best), best - second)


def rows_to_test(ds: Dataset, split: Split) -> Codes:
    """Return the rows of known class to test on: the held-out ones, or else those seen without a label."""
    rows = split.held_out if split.held_out.size else split.unlabelled
    return rows if ds.y is None else rows[ds.y[rows] >= 0]


def _way_back(spec: Spec, estimator: Any, dtype: Any) -> tuple[Any, Any]:
    """Return the matrix from features to pixels and the mean; None where features are not made of pixels."""
    if not spec.linear or not hasattr(estimator, "inverse_transform"):
        return None, None
    k = len(estimator.components_)
    mean = estimator.inverse_transform(np.zeros((1, k)))
    return (estimator.inverse_transform(np.eye(k)) - mean).astype(dtype), mean[0].astype(dtype)


_recognisers: OrderedDict[str, Recogniser] = OrderedDict()
_making: dict[str, Future[Recogniser]] = {}
_lock = threading.Lock()
# They wait for workers, few at a time: each takes a moment of the machine.
_maker = ThreadPoolExecutor(2, "recogniser")


def at_hand(handle: Handle) -> Recogniser | None:
    """Return the cached recogniser of a run, None if there is none."""
    with _lock:
        cached = _recognisers.get(handle.request.key)
        if cached is not None:
            _recognisers.move_to_end(handle.request.key)
        return cached


def soon_at_hand(handle: Handle, jobs: WorkerJobs | None = None) -> Recogniser | None:
    """Return the recogniser of a finished run, or None while it is being made; does not block.

    With `jobs` a worker computes what takes a while. A run without anything to recognise by raises a
    ValueError that says why.
    """
    cached = at_hand(handle)
    if cached is not None:
        return cached
    key = handle.request.key
    with _lock:
        making = _making.get(key)
        if making is None:
            making = _making[key] = _maker.submit(recogniser, handle, jobs)
            # A recogniser that was made is in the bounded cache; only failures stay here.
            making.add_done_callback(lambda done: done.exception() or _making.pop(key, None))
    if not making.done():
        return None
    _making.pop(key, None)
    return making.result()


def recogniser(handle: Handle, jobs: WorkerJobs | None = None) -> Recogniser:
    """Return the recogniser of a finished run, from the cache or made now; the cache is bounded.

    With `jobs` a worker computes what takes a while. A run without anything to recognise by raises a
    ValueError that says why.
    """
    made = at_hand(handle)
    if made is None:
        estimator = None if jobs is None else estimator_of(handle, jobs)
        arrays = handle.final() if estimator is None else {}
        made = Recogniser(handle.request, arrays, estimator=estimator)
        with _lock:
            _recognisers[handle.request.key] = made
            while len(_recognisers) > MAX_CACHED:
                _recognisers.popitem(last=False)
    return made
