"""Methods tuned against each other: the work, the table, CSV and text, for page and command line alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

import methods
from experiments.table_files import TableFile
from experiments.table_files import as_csv as written
from experiments.trials import Result, Trial
from experiments.trials.text_table import aligned
from experiments.tuning.contest import Contest, Tuned
from experiments.tuning.sweep import Sweep
from experiments.tuning.sweep_table import SweepTable
from experiments.tuning.work import table_of, trials_of


def trials_of_all(sweeps: Mapping[str, Sweep]) -> list[Trial]:
    """Return the trials of every method in turn: the first split of all before the second of any."""
    by_split: dict[int, list[Trial]] = {}
    for sweep in sweeps.values():
        for trials in trials_of(sweep).trials.values():
            for split, trial in enumerate(trials):
                by_split.setdefault(split, []).append(trial)
    return list({trial.key: trial for split in sorted(by_split) for trial in by_split[split]}.values())


def tables_of_all(sweeps: Mapping[str, Sweep], results: Mapping[str, Result]) -> dict[str, SweepTable]:
    """Return the table of every method, by its id."""
    return {id: table_of(sweep, results) for id, sweep in sweeps.items()}


def as_table(compared: Contest) -> TableFile:
    """Return mean and standard deviation of each method."""
    rows = [[methods.spec(id).title, _mean(tuned)] for id, tuned in compared.tuned.items()]
    return TableFile("Percent recognised, tuned split by split", ["method", "accuracy"], rows)


def as_csv(by_method: Mapping[str, SweepTable], compared: Contest) -> str:
    """Return a row for each method and split: what it chose, and the scores by which and with which."""
    heads = ["method", "split", "seed", "chosen", "inner_accuracy", "accuracy"]
    return written(heads, _rows(by_method, compared))


def as_text(by_method: Mapping[str, SweepTable], compared: Contest) -> str:
    """Return each method with what it comes to and what it chose most often, and how sure a lead is."""
    rows = [["method", "accuracy", "chosen most often"]]
    for id, tuned in compared.tuned.items():
        sweep = by_method[id].sweep
        points = [in_words(sweep, point) for point in tuned.points if point is not None]
        often = max(points, key=points.count, default="")
        rows.append([id, _mean(tuned), f"{often} ({points.count(often)} of {sweep.splits})" if often else ""])
    return "\n".join([*aligned(rows, ruled=True), "", *compared.sentences])


def in_words(sweep: Sweep, point: tuple[object, ...]) -> str:
    """Return the values of a point by the names of the parameters."""
    pairs = zip(sweep.axes, point, strict=True)
    return ", ".join(
        f"{axis.param}={value:.4g}" if isinstance(value, float) else f"{axis.param}={value}"
        for axis, value in pairs
        if not axis.read_only
    )


def _mean(tuned: Tuned) -> str:
    scores = 100 * tuned.scores[~np.isnan(tuned.scores)]
    return f"{scores.mean():.1f} ± {scores.std(ddof=1):.1f}" if scores.size > 1 else "–"


def _rows(by_method: Mapping[str, SweepTable], compared: Contest) -> Iterator[tuple[object, ...]]:
    for id, tuned in compared.tuned.items():
        table = by_method[id]
        chooses = table.sweep.chosen_by
        for split, (seed, point) in enumerate(zip(table.sweep.seeds, tuned.points, strict=True)):
            if point is not None:
                inner = table.by_point[point].values(chooses)[split]
                yield id, split, seed, in_words(table.sweep, point), inner, tuned.scores[split]
