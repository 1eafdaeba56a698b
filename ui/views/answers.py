"""Answers for the page of several views: the course of a run by view, its topics, and the contest."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments import RunRequest
from experiments.comparisons.comparison import Contestant
from experiments.comparisons.features import Source, source, unlike_sources
from experiments.comparisons.fusion import HEADINGS, MEASURES, SPLITS, Contender, contenders, fused, with_own
from experiments.engine.handle import Handle
from experiments.requests.library import (
    Dataset,
    load_dataset,
    method_spec,
    parts_by_view,
    rows_of,
    squared_length,
    view_names,
)
from experiments.table_files import TableFile
from experiments.trials import Result, Table, Trial
from experiments.trials.table import Spread
from ui.contestants import title
from ui.figures import FigureRow, rows_svg
from ui.live.frames import thinned
from ui.palette import colour
from ui.run_state import state_of
from ui.service import tables
from ui.word_sheet import word_parts

_MOST_CONTESTS = 24
_TOPICS, _WORDS = 12, 7
# Cached results are there at once.
_PATIENCE = 0.3
_TABLE = "contest"


def course(handle: Handle, word_views: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return weights and errors of every view over the iterations, and the words of topics in some views."""
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    names = view_names(ds, request)
    if len(names) < 2:
        raise ValueError("This run is about one view of the data: there is nothing to compare.")
    # The status comes first: what is read after it is at least as new.
    answer: dict[str, Any] = {
        "id": handle.id, "status": handle.status, "ended": handle.ended,
        "state": state_of(handle),
        "message": handle.message, "flags": handle.flags[:1], "views": names, "iterations": [],
        "weights": [], "errors": [], "words": {}, "turning": None,
        "limit": None if handle.preview_of else request.params.get("max_iter"),
        "score": handle.scores.get("accuracy_euclidean"),
    }  # fmt: skip
    reader = handle.reader
    if reader is None:
        return answer
    weights, errors = reader.tracked("view_weights"), reader.tracked("view_errors")
    rows = thinned(min(len(weights), len(errors)))
    answer["iterations"] = rows.tolist()
    answer["weights"] = _plain(weights[rows])
    answer["errors"] = _plain(errors[rows] / _lengths(request.as_given()))
    if len(rows) and np.isfinite(errors[rows[-1]]).all():
        answer["turning"] = _turning_point(errors[rows[-1]])
    if word_views:
        _, arrays = reader.latest()
        answer["words"] = _words(ds, request, arrays, word_views)
    return answer


def _turning_point(errors: NDArray[np.float64]) -> float:
    """Return the λ below which the view explained worst has no weight, as the errors are now.

    Its weight is 1/P − (its error − the mean error)/2λ as long as that is above zero.
    """
    return float(errors.size * (errors.max() - errors.mean()) / 2)


def _words(
    ds: Dataset, request: RunRequest, arrays: dict[str, NDArray[Any]], word_views: tuple[str, ...]
) -> dict[str, Any]:
    parts_of_views = parts_by_view(arrays, ds, request)
    return {
        view: word_parts(parts_of_views[view], ds.view_features[view], _WORDS, _TOPICS)
        for view in word_views
        if view in parts_of_views and view in ds.view_features
    }


@lru_cache(maxsize=128)
def _lengths(request_json: str) -> NDArray[np.float64]:
    """Return the squared length of all samples in each view, as the method of a request is shown them.

    The request comes as text: the cache must not hold on to the data.
    """
    request = RunRequest.from_json(request_json)
    ds = load_dataset(request.dataset, **request.dataset_options)
    train, unit = rows_of(ds, request).train, request.every_param().get("unit_samples", False)
    squares = [squared_length(ds.views[name][train]) for name in view_names(ds, request)]
    lengths = np.array([(each > 0).sum() if unit else each.sum() for each in squares], dtype=np.float64)
    return np.where(lengths > 0, lengths, 1)


def _plain(values: NDArray[np.float64]) -> list[list[float | None]]:
    # JSON has no infinity: where a run diverged there is nothing to draw.
    return [[round(float(v), 5) if np.isfinite(v) else None for v in row] for row in values]


_contests: OrderedDict[str, ViewContest] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class ViewContest:
    """Who is compared on which data, and the trials that takes."""

    everybody: tuple[Contender, ...]
    table: Table

    def results(self, visitor: str, *, begins: bool = True, patience: float = 0.0) -> Mapping[str, Result]:
        """Return the results so far; missing trials are started unless `begins` is false."""
        trials = self.table.in_turn()
        return tables().ask(visitor, _TABLE, trials, begins=begins, patience=patience)


def contest_of(
    like: RunRequest, k: int, iterations: int, *, own: Sequence[Contestant] = (), alike: bool = False
) -> str:
    """Return the key of the contest on these data; nothing is begun yet.

    Methods with parameters of one's `own` take part as well. If all are to be `alike`, those take no part
    whose features are not learnt together with the samples.
    """
    text = f"{like.canonical()} {k} {iterations} {alike} {[one.id for one in own]}"
    key = hashlib.sha256(text.encode()).hexdigest()[:20]
    with _lock:
        if key not in _contests:
            ds = load_dataset(like.dataset, **like.dataset_options)
            usual = contenders(ds, k, iterations)
            more = (with_own(usual, one.spec.id, dict(one.params), title(one)) for one in own)
            everybody = (*usual, *(one for one in more if one is not None))
            if alike:
                everybody = tuple(one for one in everybody if _source(one) != "new")
            _contests[key] = ViewContest(everybody, fused(like, everybody))
            while len(_contests) > _MOST_CONTESTS:
                _contests.popitem(last=False)
        _contests.move_to_end(key)
    return key


def work_of(key: str) -> list[Trial]:
    """Return the trials of a contest in their order."""
    with _lock:
        return _contests[key].table.in_turn()


def are_unlike(key: str) -> bool:
    """Return whether some features in a contest are learnt with all samples and others are not."""
    with _lock:
        return unlike_sources(_source(one) for one in _contests[key].everybody)


def _source(one: Contender) -> Source:
    return source(method_spec(one.method), "seen")


def contest(key: str, visitor: str) -> dict[str, Any] | None:
    """Return the progress of a contest and start its missing trials; None if it is no longer stored."""
    with _lock:
        entry = _contests.get(key)
    if entry is None:
        return None
    table, results = entry.table, entry.results(visitor)
    rows = [
        {
            "title": contender.title,
            "way": contender.way,
            "method": contender.method,
            "problem": next((message for message in _problems(table, results, place)), ""),
            "values": {
                measure: _numbers(table.values(results, (place,), score.name))
                for measure, score in MEASURES.items()
            },
        }
        for place, contender in enumerate(entry.everybody)
    ]
    return {"rows": rows, "known": len(results), "whole": len(table.in_turn()), "splits": SPLITS}


def is_complete(key: str, visitor: str) -> bool:
    """Return whether all trials of a contest are done; none is started."""
    with _lock:
        entry = _contests.get(key)
    return entry is not None and entry.table.whole(entry.results(visitor, begins=False, patience=_PATIENCE))


def as_csv(key: str, visitor: str) -> str:
    """Return every number of a contest there is, a row a contender and split."""
    with _lock:
        entry = _contests[key]
    titles = {(place,): (contender.title,) for place, contender in enumerate(entry.everybody)}
    headings = {score.name: measure for measure, score in MEASURES.items()}
    return entry.table.as_csv(entry.results(visitor, begins=False), headings, titles.__getitem__)


def as_table(key: str, visitor: str) -> TableFile:
    """Return mean and standard deviation of every measure, a row a contender."""
    with _lock:
        entry = _contests[key]
    results = entry.results(visitor, begins=False)
    rows = []
    for place, one in enumerate(entry.everybody):
        spreads = (entry.table.spread(results, (place,), score.name) for score in MEASURES.values())
        rows.append([one.title, *map(_mean, spreads)])
    caption = f"Percent, mean and standard deviation over {SPLITS} splits"
    return TableFile(caption, ["", *HEADINGS.values()], rows)


def _mean(spread: Spread | None) -> str:
    return "–" if spread is None else f"{100 * spread.mean:.1f} ± {100 * spread.deviation:.1f}"


def figure(key: str, measure: str, visitor: str) -> str | None:
    """Return the figure of a contest by one measure as SVG, as far as it is; None if there is none."""
    with _lock:
        entry = _contests.get(key)
    if entry is None or measure not in MEASURES:
        return None
    score, results = MEASURES[measure], entry.results(visitor, begins=False)
    rows = [
        FigureRow(
            one.title, colour(one.method, "light"),
            _numbers(entry.table.values(results, (place,), score.name)),
        )
        for place, one in enumerate(entry.everybody)
    ]  # fmt: skip
    return rows_svg(rows, HEADINGS[measure])


def _problems(table: Table, results: Mapping[str, Result], place: int) -> Iterator[str]:
    for score in MEASURES.values():
        if message := table.problem(results, (place,), score.name):
            yield message


def _numbers(values: NDArray[np.float64]) -> list[float]:
    return [float(value) for value in values[~np.isnan(values)]]
