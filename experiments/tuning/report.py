"""A sweep's table as text, CSV and JSON: the same numbers everywhere."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from experiments.engine.record import versions
from experiments.table_files import as_csv as written
from experiments.table_files import as_latex as latex_written
from experiments.trials import MeasureRequest
from experiments.trials.catalogue import measure
from experiments.trials.text_table import aligned
from experiments.tuning.audits import audit_sentence, notes
from experiments.tuning.choice import edge_sentence, optimism, ties
from experiments.tuning.parts import advice
from experiments.tuning.sweep_table import Cell, SweepTable

MOST_ROWS = 100


def sentences(table: SweepTable) -> list[str]:
    """Return what there is to say of the choice: how sure it is, where it lies, what the test flatters."""
    best = table.best()
    if best is None:
        return ["Nothing has a score yet."] if not table.whole else ["No point has a score."]
    chosen, gap = ties(table), optimism(table)
    provisional = sum(cell.provisional for cell in table.cells)
    failed = sum(cell.status == "failed" for cell in table.cells)
    lines = [
        f"Best: {_words(best)}, {score_text(best, table.sweep.chosen_by)}.",
        "" if chosen is None else chosen.sentence,
        edge_sentence(table, best),
        "" if gap is None else gap.sentence,
        audit_sentence(table),
        f"{provisional} of {len(table.cells)} points are provisional." if provisional else "",
        f"{failed} of {len(table.cells)} points have no score; each says why." if failed else "",
    ]
    parts = advice(table)
    return [sentence for sentence in (*lines, *(parts.sentences if parts else ())) if sentence]


def as_text(table: SweepTable) -> str:
    """Return the best points first, mean and standard deviation of each measure, and what there is to say."""
    chosen = ties(table)
    tied = set(chosen.points) if chosen else set()
    ranked = table.ranked()
    placed = {cell.point for cell in ranked}
    rest = [cell for cell in table.cells if cell.point not in placed]
    rows = [["", *(axis.param for axis in table.sweep.axes), *headings(table), ""]]
    for cell in [*ranked, *rest][:MOST_ROWS]:
        values = [_short(value) for value in cell.point]
        scores = [score_text(cell, item) for item in table.sweep.measures]
        rows.append(["*" if cell.point in tied else "", *values, *scores, cell.sentence])
    left_out = len(table.cells) - MOST_ROWS
    more = [f"... and {left_out} more points: --csv writes them all"] if left_out > 0 else []
    splits = table.sweep.splits
    foot = f"* not worse than the best. Mean (standard deviation) over {splits} splits, shares in percent."
    return "\n".join([*aligned(rows), *more, "", foot, *sentences(table)])


def headings(table: SweepTable) -> list[str]:
    """Return a heading for each measure; its settings only where two of a kind need them."""
    kinds = [item.measure for item in table.sweep.measures]
    return [item.name if kinds.count(item.measure) > 1 else item.measure for item in table.sweep.measures]


def as_csv(table: SweepTable) -> str:
    """Return every split of every point, a row each."""
    params = [axis.param for axis in table.sweep.axes]
    heads = [*params, "split", "seed", *headings(table), "seconds", "status", "message"]
    return written([*heads, *(["notes"] if table.sweep.continuation else [])], _rows(table))


def _rows(table: SweepTable) -> Iterator[list[Any]]:
    sweep = table.sweep
    for cell in table.cells:
        names = [sweep.score_name(item, cell.point) for item in sweep.measures]
        for split, (seed, result) in enumerate(zip(sweep.seeds, cell.results, strict=True)):
            if result is not None:
                further = [notes(cell)] if sweep.continuation else []
                yield [*cell.point, split, seed, *result.cells(names), *further]


def as_latex(table: SweepTable) -> str:
    """Return the best points first as a LaTeX table, with mean and standard deviation of each measure."""
    sweep = table.sweep
    ranked = table.ranked()[:MOST_ROWS]
    rows = [
        [*map(_short, cell.point), *(score_text(cell, item) for item in sweep.measures)] for cell in ranked
    ]
    title = f"{sweep.request.method} on {sweep.request.dataset}"
    caption = f"{title}: mean (standard deviation) over {sweep.splits} splits"
    return latex_written(caption, [*(axis.param for axis in sweep.axes), *headings(table)], rows)


def as_json(table: SweepTable) -> str:
    """Return the sweep, every score of every point, and what there is to say."""
    sweep = table.sweep
    rows = [
        {
            **cell.params,
            "status": cell.status,
            "message": cell.sentence,
            **({"notes": notes(cell)} if table.sweep.continuation else {}),
            **{
                heading: [None if math.isnan(value) else float(value) for value in cell.values(item)]
                for heading, item in zip(headings(table), sweep.measures, strict=True)
            },
        }
        for cell in table.cells
    ]
    plain = {"sweep": sweep.plain(), "key": sweep.key, "rows": rows, "sentences": sentences(table)}
    return json.dumps(plain | {"versions": versions()}, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def best_params(table: SweepTable) -> dict[str, Any]:
    """Return data, method and the parameters of the best point, as `run --params` takes them.

    A ValueError says that no point has a score.
    """
    best = table.best()
    if best is None:
        raise ValueError("No point of this sweep has a score, so there is no best one.")
    request = table.sweep.request
    return {
        "dataset": request.dataset,
        "method": request.method,
        "params": {**request.params, **table.sweep.params(best.point)},
        "read": {axis.param: best.params[axis.param] for axis in table.sweep.axes if axis.read_only},
        "score": {table.sweep.chosen_by.name: best.mean(table.sweep.chosen_by)},
        "sentences": sentences(table),
    }


def score_text(cell: Cell, item: MeasureRequest) -> str:
    """Return the mean of a measure and its spread over splits, shares in percent."""
    mean, spread = cell.mean(item), cell.spread(item)
    if math.isnan(mean):
        return "–"
    if measure(item.measure).unit == "share":
        return f"{100 * mean:.1f} ({100 * spread:.1f})"
    return f"{mean:.4g} ({spread:.2g})"


def _words(cell: Cell) -> str:
    return ", ".join(f"{param} = {_short(value)}" for param, value in cell.params.items())


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
