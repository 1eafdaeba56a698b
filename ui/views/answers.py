"""What the page of several views is told: the course of a run by view, its topics, and the contest."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments import RunRequest
from experiments.comparisons.fusion import MEASURES, SPLITS, Contender, contenders, fused
from experiments.engine.handle import Handle
from experiments.requests.library import (
    Dataset,
    load_dataset,
    parts_by_view,
    rows_of,
    squared_length,
    view_names,
)
from experiments.trials import Result, Table
from ui.live.frames import thinned
from ui.run_state import state_of
from ui.service import tables
from ui.word_sheet import word_parts

_MOST_CONTESTS = 24
_TOPICS, _WORDS = 12, 7
# What was found before is there at once.
_PATIENCE = 0.3
_TABLE = "contest"


def course(handle: Handle, shown: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return weights and errors of every view over the iterations, and the words of topics in some views."""
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    names = view_names(ds, request)
    if len(names) < 2:
        raise ValueError("This run is about one view of the data: there is nothing to compare.")
    # The status comes first: what is read after it is at least as new.
    told: dict[str, Any] = {
        "id": handle.id, "status": handle.status, "ended": handle.ended,
        "state": state_of(handle),
        "message": handle.message, "flags": handle.flags[:1], "views": names, "iterations": [],
        "weights": [], "errors": [], "words": {}, "limit": request.params.get("max_iter"),
        "score": handle.scores.get("accuracy_euclidean"), "turning": None,
    }  # fmt: skip
    reader = handle.reader
    if reader is None:
        return told
    weights, errors = reader.tracked("view_weights"), reader.tracked("view_errors")
    rows = thinned(min(len(weights), len(errors)))
    told["iterations"] = rows.tolist()
    told["weights"] = _plain(weights[rows])
    told["errors"] = _plain(errors[rows] / _lengths(request.as_given()))
    if len(rows) and np.isfinite(errors[rows[-1]]).all():
        told["turning"] = _turning_point(errors[rows[-1]])
    if shown:
        _, arrays = reader.latest()
        told["words"] = _words(ds, request, arrays, shown)
    return told


def _turning_point(errors: NDArray[np.float64]) -> float:
    """Return the λ below which the view explained worst has no weight, as the errors are now.

    Its weight is 1/P − (its error − the mean error)/2λ as long as that is above zero.
    """
    return float(errors.size * (errors.max() - errors.mean()) / 2)


def _words(
    ds: Dataset, request: RunRequest, arrays: dict[str, NDArray[Any]], shown: tuple[str, ...]
) -> dict[str, Any]:
    found = parts_by_view(arrays, ds, request)
    return {
        view: word_parts(found[view], ds.view_features[view], _WORDS, _TOPICS)
        for view in shown
        if view in found and view in ds.view_features
    }


@lru_cache(maxsize=128)
def _lengths(given: str) -> NDArray[np.float64]:
    """Return the squared length of all samples in each view, as the method of a request is shown them.

    The request comes as text: what is kept must not hold on to the data.
    """
    request = RunRequest.from_json(given)
    ds = load_dataset(request.dataset, **request.dataset_options)
    train, unit = rows_of(ds, request).train, request.every_param().get("unit_samples", False)
    squares = [squared_length(ds.views[name][train]) for name in view_names(ds, request)]
    lengths = np.array([(each > 0).sum() if unit else each.sum() for each in squares], dtype=np.float64)
    return np.where(lengths > 0, lengths, 1)


def _plain(values: NDArray[np.float64]) -> list[list[float | None]]:
    # JSON has no infinity: where a run diverged there is nothing to draw.
    return [[round(float(v), 5) if np.isfinite(v) else None for v in row] for row in values]


_contests: OrderedDict[str, Contest] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class Contest:
    """Who is compared on which data, and the trials that takes."""

    everybody: tuple[Contender, ...]
    table: Table

    def results(self, visitor: str, *, begins: bool = True, patience: float = 0.0) -> Mapping[str, Result]:
        """Return what is known by now; whoever looks has it filled in, unless nothing is to begin."""
        trials = self.table.in_turn()
        return tables().ask(visitor, _TABLE, trials, begins=begins, patience=patience)


def contest_of(like: RunRequest, k: int, iterations: int) -> str:
    """Return the key of the contest on these data; nothing is begun yet."""
    text = f"{like.canonical()} {k} {iterations}"
    key = hashlib.sha256(text.encode()).hexdigest()[:20]
    with _lock:
        if key not in _contests:
            ds = load_dataset(like.dataset, **like.dataset_options)
            everybody = contenders(ds, k, iterations)
            _contests[key] = Contest(everybody, fused(like, everybody))
            while len(_contests) > _MOST_CONTESTS:
                _contests.popitem(last=False)
        _contests.move_to_end(key)
    return key


def contest(key: str, visitor: str) -> dict[str, Any] | None:
    """Return how far a contest is; looking has it filled in. None if it is not kept."""
    with _lock:
        found = _contests.get(key)
    if found is None:
        return None
    table, results = found.table, found.results(visitor)
    rows = [
        {
            "title": one.title,
            "way": one.way,
            "method": one.method,
            "problem": next((said for said in _problems(table, results, place)), ""),
            "values": {
                measure: _numbers(table.values(results, (place,), wanted.name))
                for measure, wanted in MEASURES.items()
            },
        }
        for place, one in enumerate(found.everybody)
    ]
    return {"rows": rows, "known": len(results), "whole": len(table.in_turn()), "splits": SPLITS}


def is_complete(key: str, visitor: str) -> bool:
    """Say whether a contest has nothing left to find out; nothing is begun for it."""
    with _lock:
        found = _contests.get(key)
    return found is not None and found.table.whole(found.results(visitor, begins=False, patience=_PATIENCE))


def as_csv(key: str, visitor: str) -> str:
    """Return every number of a contest there is, a row a contender and split."""
    with _lock:
        found = _contests[key]
    titles = {(place,): (one.title,) for place, one in enumerate(found.everybody)}
    headings = {wanted.name: measure for measure, wanted in MEASURES.items()}
    return found.table.as_csv(found.results(visitor, begins=False), headings, titles.__getitem__)


def _problems(table: Table, results: Mapping[str, Result], place: int) -> Iterator[str]:
    for wanted in MEASURES.values():
        if said := table.problem(results, (place,), wanted.name):
            yield said


def _numbers(values: NDArray[np.float64]) -> list[float]:
    return [float(value) for value in values[~np.isnan(values)]]
