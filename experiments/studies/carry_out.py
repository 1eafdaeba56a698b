"""Carries out a study: its cells in several processes, each on one thread, handed over as they come."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter

from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

import datasets
from experiments.studies.outcome import Cell, Outcome
from experiments.studies.study import Row, Study


def carry_out(
    study: Study,
    *,
    splits: int | None = None,
    jobs: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Return the table of a study; `watch` is told how many cells are done, and of how many.

    The same splits give the same numbers however many processes (`jobs`, by default one a core) share the
    work. A data set that is not here is fetched first.
    """
    datasets.fetch(study.dataset)
    rows = study.rows()
    count = study.splits if splits is None else splits
    if count < 1:
        raise ValueError(f"splits must be at least 1, not {count}.")
    outcome = Outcome(study, tuple((row.title, row.group) for row in rows), count)
    # Split by split, so that every row soon has a number.
    work = [delayed(_cell)(row, index, split) for split in range(count) for index, row in enumerate(rows)]
    with parallel_config(backend="loky", inner_max_num_threads=1):
        done = Parallel(n_jobs=jobs or os.cpu_count() or 1, return_as="generator_unordered")(work)
        for cell in done:
            outcome.add(cell)
            if watch is not None:
                watch(len(outcome.cells), len(work))
    return outcome


def _cell(row: Row, index: int, split: int) -> Cell:
    begun = perf_counter()
    try:
        # Processes share the cores: threads of their own would only get into each other's way.
        with threadpool_limits(1):
            values = row.measure(split)
    except ValueError as refusal:
        return Cell(index, split, problem=str(refusal))
    return Cell(index, split, values, perf_counter() - begun)
