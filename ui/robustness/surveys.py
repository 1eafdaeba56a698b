"""Answers for the occlusion and noise pages about all faces: accuracy by amount and by place of the patch."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from experiments.comparisons.surveys import Survey, as_csv, curve, positions
from experiments.engine.handle import Handle
from experiments.engine.record import ENDED_WELL
from experiments.fitted.recognisers import How
from experiments.measures.recognition import Metric
from experiments.requests.corruption import KINDS, Kind, Patch
from experiments.table_files import TableFile
from experiments.trials import Result, Trial
from ui.figures import FigureLine, lines_svg
from ui.palette import colour
from ui.robustness import CURVES, MAPS
from ui.robustness.answers import check_setting
from ui.run_words import titles
from ui.service import tables
from ui.words import amount_title

# They are requested several times a second, and take some milliseconds to lay out.
_MOST = 192
_surveys: OrderedDict[tuple[object, ...], Survey] = OrderedDict()
_lock = threading.Lock()


def accuracy(handles: Sequence[Handle], kind: Kind, metric: Metric, how: How, visitor: str) -> dict[str, Any]:
    """Return the results so far of each method's accuracy, by amount of the corruption."""
    surveys = _curves(handles, kind, metric, how)
    results = _looked_at(visitor, CURVES, surveys.values())
    entries: list[dict[str, Any]] = []
    for handle in handles:
        if (survey := surveys.get(handle.id)) is None:
            entries.append({"id": handle.id, "points": [], "complete": handle.ended})
            continue
        means = zip(survey.columns, survey.means(results), strict=True)
        points = [(amount, *mean) for (amount,), mean in means if mean is not None]
        splits, draws, amounts = survey.shape
        entries.append(
            _summary(handle, survey, results)
            | {"points": points, "largest": survey.columns[-1][0], "whole": splits * draws}
            | {"amounts": amounts}
        )
    return {"curves": entries, "complete": all(entry["complete"] for entry in entries)}


def places(
    handles: Sequence[Handle], kind: Patch, size: int, metric: Metric, how: How, visitor: str
) -> dict[str, Any]:
    """Return the results so far of each method's accuracy, by place of a patch of one size."""
    surveys = _maps(handles, kind, size, metric, how)
    results = _looked_at(visitor, MAPS, surveys.values())
    entries: list[dict[str, Any]] = []
    for handle in handles:
        if (survey := surveys.get(handle.id)) is None:
            entries.append({"id": handle.id, "shares": [], "complete": handle.ended})
            continue
        tops, lefts = (sorted(set(along)) for along in zip(*survey.columns, strict=True))
        shares = [None if mean is None else mean[0] for mean in survey.means(results)]
        entries.append(_summary(handle, survey, results) | {"shares": shares, "tops": tops, "lefts": lefts})
    return {"maps": entries, "size": size, "complete": all(entry["complete"] for entry in entries)}


def places_csv(
    handles: Sequence[Handle], kind: Kind, size: int, metric: Metric, how: How, visitor: str
) -> str:
    """Return every finished share by place of a patch as CSV; no trial is started."""
    surveys, named = _maps(handles, kind, size, metric, how), titles(handles)
    results = _looked_at(visitor, "download", surveys.values(), begins=False)
    return as_csv({named[id]: survey for id, survey in surveys.items()}, results)


def curves_csv(handles: Sequence[Handle], kind: Kind, metric: Metric, how: How, visitor: str) -> str:
    """Return every finished share of the curves as CSV, by title of the method; no trial is started."""
    surveys, named = _curves(handles, kind, metric, how), titles(handles)
    results = _looked_at(visitor, "download", surveys.values(), begins=False)
    return as_csv({named[id]: survey for id, survey in surveys.items()}, results)


def curves_table(handles: Sequence[Handle], kind: Kind, metric: Metric, how: How, visitor: str) -> TableFile:
    """Return mean and standard deviation by amount, a column a method; no trial is started."""
    surveys, named = _curves(handles, kind, metric, how), titles(handles)
    results = _looked_at(visitor, "download", surveys.values(), begins=False)
    columns = {
        id: dict(zip(survey.columns, survey.means(results), strict=True)) for id, survey in surveys.items()
    }
    amounts = sorted({amount for column in columns.values() for amount in column})
    rows = [[amount[0], *(_mean(column.get(amount)) for column in columns.values())] for amount in amounts]
    return TableFile(f"{kind}: percent recognised", ["amount", *(named[id] for id in columns)], rows)


def _mean(measured: tuple[float, float, int] | None) -> str:
    return "–" if measured is None else f"{100 * measured[0]:.1f} ± {100 * measured[1]:.1f}"


def figure(handles: Sequence[Handle], kind: Kind, metric: Metric, how: How, visitor: str) -> str:
    """Return the curves as SVG, as far as they are; no trial is started."""
    surveys = _curves(handles, kind, metric, how)
    results, named = _looked_at(visitor, "figure", surveys.values(), begins=False), titles(handles)
    lines = []
    for handle in handles:
        if (survey := surveys.get(handle.id)) is not None:
            means = zip(survey.columns, survey.means(results), strict=True)
            points = [(amount, mean[0], mean[1]) for (amount,), mean in means if mean is not None]
            lines.append(FigureLine(named[handle.id], colour(handle.request.method, "light"), points))
    return lines_svg(lines, f"{kind}: {amount_title(kind)}; share recognised")


def curves_work(handles: Sequence[Handle], kind: Kind, metric: Metric, how: How) -> list[Trial]:
    """Return the trials of the curves in their order, also of runs that have not ended."""
    check_setting(kind, metric, how)
    surveys = [_curve(handle, kind, metric, how) for handle in handles]
    turns = sorted((turn for survey in surveys for turn in survey.in_turn()), key=lambda turn: turn[0])
    return list({trial.key: trial for _, trial in turns}.values())


def _curves(handles: Sequence[Handle], kind: Kind, metric: Metric, how: How) -> dict[str, Survey]:
    check_setting(kind, metric, how)
    return {handle.id: _curve(handle, kind, metric, how) for handle in handles if _worth_asking(handle)}


def _maps(handles: Sequence[Handle], kind: Kind, size: int, metric: Metric, how: How) -> dict[str, Survey]:
    check_setting(kind, metric, how)
    if kind not in KINDS:
        raise ValueError("Noise has no place.")
    return {
        handle.id: _laid_out(
            (handle.request.key, kind, size, metric, how),
            partial(positions, handle.request, kind, size, metric, how),
        )
        for handle in handles
        if _worth_asking(handle)
    }


def _curve(handle: Handle, kind: Kind, metric: Metric, how: How) -> Survey:
    key = (handle.request.key, kind, metric, how)
    return _laid_out(key, partial(curve, handle.request, kind, metric, how))


def _looked_at(
    visitor: str, name: str, surveys: Iterable[Survey], *, begins: bool = True
) -> Mapping[str, Result]:
    """Return the results so far of several surveys: the first split of all of them comes first."""
    turns = sorted((turn for survey in surveys for turn in survey.in_turn()), key=lambda turn: turn[0])
    return tables().ask(visitor, name, [trial for _, trial in turns], begins=begins)


def _laid_out(key: tuple[object, ...], make: Callable[[], Survey]) -> Survey:
    with _lock:
        survey = _surveys.get(key)
    if survey is None:
        survey = make()
        with _lock:
            _surveys[key] = survey
            while len(_surveys) > _MOST:
                _surveys.popitem(last=False)
    return survey


def _worth_asking(handle: Handle) -> bool:
    """Return whether a run has ended with a model that can be evaluated."""
    return handle.status in ENDED_WELL


def _summary(handle: Handle, survey: Survey, results: Mapping[str, Result]) -> dict[str, Any]:
    return {"id": handle.id, "complete": survey.complete(results), "message": survey.message(results)}
