"""Tuning: warm maps against cold ones, honest choice against the best on the map, how many parts.

    python -m benchmarks.tuning [--part map,ways,honest,parts] [--count 9] [--seeds 5]

`map`: the seconds of work for a provisional map of N²S²L on ORL (α × β, one split) against independent cold
fits, and how many cells come within 1 % of the cold objective. `ways`: which cells of a refined map depend on
the way, compared with what its audits have marked. `honest`: what is lost, in points of accuracy on the
unlabelled rows, by choosing on the labelled rows alone, seed by seed. `parts`: how many of five criteria find
4, 9 and 16 planted parts, seed by seed, and whether a wider range moves the advice.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from benchmarks.report import Row, save, show
from experiments.requests.request import RunRequest
from experiments.trials.carriers import Processes
from experiments.trials.carry import carry
from experiments.trials.result_cache import ResultCache
from experiments.trials.table import Results
from experiments.trials.trial import Chain
from experiments.tuning import (
    Sweep,
    all_work_of,
    axis,
    carry_sweep,
    optimism,
    table_of,
    trials_of,
)
from experiments.tuning.continuation import APART, objective, ways
from experiments.tuning.parts import advice, parts_sweep
from experiments.tuning.sweep import HONEST, SEEN

_PARTS = (4, 9, 16)
# Data, its options, labels a class, parameters that stay: the text is classified by NMF's parts of words.
_HONEST: dict[str, RunRequest] = {
    "orl": RunRequest("orl", "n2s2l", {"solver": "accelerated", "max_iter": 60}, {"size": 16}),
    "digits": RunRequest(
        "digits", "n2s2l", {"solver": "accelerated", "max_iter": 60}, split={"labelled_per_class": 5}
    ),
    "reuters_r8": RunRequest(
        "reuters_r8",
        "n2s2l",
        {"solver": "accelerated", "max_iter": 40, "n_components": 20},
        split={"labelled_per_class": 10},
    ),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure what is asked for, print and save it."""
    parser = argparse.ArgumentParser(description="Tuning: maps, honest choice, how many parts.")
    parser.add_argument("--part", default="map,ways,honest,parts")
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--parts", type=int, default=40)
    parser.add_argument("--count", type=int, default=9)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--sets", default=",".join(_HONEST))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=None)
    asked = parser.parse_args(argv)
    measuring = {"map": warm_map, "ways": dependent, "honest": honest_choice, "parts": planted}
    measured: dict[str, list[Row]] = {}
    for part in asked.part.split(","):
        rows = measuring[part](asked)
        show(part, rows)
        measured[part] = rows
    save("tuning", measured)


def warm_map(asked: argparse.Namespace) -> list[Row]:
    """Compare a provisional map with the cold one."""
    sweep, processes = _faces(asked), Processes(asked.jobs)
    forwards = [piece for piece in all_work_of(sweep, {}) if isinstance(piece, Chain)]
    warm = dict(carry(forwards, processes, ResultCache()))
    cold = dict(carry(trials_of(sweep).in_turn(), processes, ResultCache()))
    off = []
    for point in trials_of(sweep).trials:
        best = ways(sweep, point, 0, warm).best
        assert best is not None
        off.append(objective(best[1]) / objective(cold[sweep.trial(point, 0).key]) - 1)
    seconds = [sum(result.seconds for result in results.values()) for results in (warm, cold)]
    iterations = [sum(result.iterations for result in results.values()) for results in (warm, cold)]
    return [
        {
            "seconds of work": seconds[0],
            "cold": seconds[1],
            "share": seconds[0] / seconds[1],
            "of iterations": iterations[0] / iterations[1],
            "cells": len(off),
            "no more than 1 % worse": sum(value <= 0.01 for value in off),
            "median off": float(np.median(np.abs(off))),
            "worst": max(off),
        }
    ]


def dependent(asked: argparse.Namespace) -> list[Row]:
    """Compare the cells that audits have marked with those a full cold grid shows."""
    sweep, processes, cache = (
        replace(_faces(asked), continuation="refined"),
        Processes(asked.jobs),
        ResultCache(),
    )
    done = dict(carry_sweep(sweep, processes, cache))
    audits = [piece for piece in all_work_of(sweep, done) if not isinstance(piece, Chain)]
    marked = {cell.point for cell in table_of(sweep, done).cells if cell.path_dependent}
    everything = done | dict(carry(trials_of(sweep).in_turn(), processes, cache))
    truth = {point for point in trials_of(sweep).trials if ways(sweep, point, 0, everything).path_dependent}
    return [
        {
            "cells": len(trials_of(sweep).trials),
            f"apart by more than {APART:.1%}": len(truth),
            "marked": len(marked),
            "recall": len(marked & truth) / max(1, len(truth)),
            "audited": len(audits),
        }
    ]


def _faces(asked: argparse.Namespace) -> Sweep:
    params = {"n_components": asked.parts, "solver": "accelerated"}
    request = RunRequest("orl", "n2s2l", params, {"size": asked.size})
    ranges = (("alpha", 0.1, 1e3), ("beta", 1e-4, 1e2))
    axes = tuple(axis("n2s2l", name, low, high, count=asked.count) for name, low, high in ranges)
    return Sweep(request, axes, (SEEN,), splits=1, continuation="provisional")


def honest_choice(asked: argparse.Namespace) -> list[Row]:
    """Choose on the labelled rows of each seed alone, and see what the unlabelled say of the choice."""
    rows: list[Row] = []
    for name in asked.sets.split(","):
        axes = (
            axis("n2s2l", "alpha", 0.1, 1e3, count=asked.count),
            axis("n2s2l", "beta", 1e-3, 1e2, count=asked.count),
        )
        chooses = replace(HONEST, settings={"repeats": asked.repeats})
        sweep = Sweep(_HONEST[name], axes, (chooses, SEEN), splits=asked.seeds)
        begun = perf_counter()
        table = table_of(sweep, dict(carry_sweep(sweep, Processes(asked.jobs), ResultCache())))
        lost, gaps = [], []
        means = {cell.point: cell.mean(SEEN) for cell in table.cells}
        for split in range(asked.seeds):
            chosen = table.best_of_split(split)
            if chosen is not None:
                lost.append(max(means.values()) - means[chosen.point])
                here = [cell.values(SEEN)[split] for cell in table.cells]
                gaps.append(float(np.nanmax(here)) - chosen.values(SEEN)[split])
        together = optimism(table)
        rows.append(
            {
                "data": name,
                "best on the map": 100 * max(means.values()),
                "worst": 100 * min(means.values()),
                "lost by one split's choice": 100 * float(np.mean(lost)),
                "at most": 100 * max(lost),
                "against that split's own best": 100 * float(np.mean(gaps)),
                "lost by all splits together": 100 * together.gap if together else None,
                "seconds": perf_counter() - begun,
            }
        )
    return rows


def planted(asked: argparse.Namespace) -> list[Row]:
    """Count planted parts by every criterion, seed by seed, in a range and in a wider one."""
    rows: list[Row] = []
    for parts in _PARTS:
        request = RunRequest(
            "planted_parts",
            "nmf",
            {"solver": "accelerated", "max_iter": 100},
            {"parts": parts, "overlap": 0.2, "noise": 0.1, "samples": 150},
        )
        # What the narrow range has asked is known to the wide one.
        processes, cache = Processes(asked.jobs), ResultCache()
        for wide in (False, True):
            ks = range(max(1, parts - 3 - wide), parts + 5 + 2 * wide)
            sweep = parts_sweep(request, ks, asked.seeds)
            results = dict(carry_sweep(sweep, processes, cache))
            rows.append({"parts": parts, "range": f"{ks[0]}-{ks[-1]}"} | _counted(sweep, results, parts))
    return rows


def _counted(sweep: Sweep, results: Results, parts: int) -> Row:
    """Return what whoever has only one seed is told, by seed, and how many of the criteria come near."""
    near: list[int] = []
    advised: list[int | None] = []
    for seed in sweep.seeds:
        found = advice(table_of(replace(sweep, request=replace(sweep.request, seed=seed), splits=1), results))
        assert found is not None
        near.append(
            sum(number is not None and abs(number - parts) <= 1 for number in found.by_criterion.values())
        )
        advised.append(found.advice)
    return {
        "seeds": len(near), "with three criteria within 1": sum(count >= 3 for count in near),
        "criteria within 1": " ".join(map(str, near)), "advice": " ".join(map(str, advised)),
    }  # fmt: skip


if __name__ == "__main__":
    main()
