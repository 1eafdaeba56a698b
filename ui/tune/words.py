"""What is said of a sweep: how far it is, what will do as well as the best, and how far to trust it."""

from __future__ import annotations

import os
from typing import Any

from experiments.trials import MeasureRequest
from experiments.trials.catalogue import measure
from experiments.tuning import SweepTable, edge_sentence, optimism, ties
from experiments.tuning.audits import audit_sentence
from experiments.tuning.parts import asks_how_many
from ui.words import counted, number

# How many fits are carried out at a time.
AT_ONCE = min(4, os.cpu_count() or 1)
# Accuracy on rows whose truth is known to us, and would not be to whoever chooses, is called by its name.
_TITLES = {
    "inner_accuracy": "Labels held back",
    "accuracy": "Unlabelled, truth known",
}


def title(item: MeasureRequest) -> str:
    """Return what a measure is called on this page."""
    return _TITLES.get(item.measure, measure(item.measure).title)


def progress(table: SweepTable) -> str:
    """Return how far a sweep is."""
    sweep = table.sweep
    cells, splits = number(len(table.cells)), counted(sweep.splits, "split")
    if table.whole:
        return f"All {cells} cells are tried, in {splits} each."
    whole = [cell for cell in table.cells if not cell.provisional]
    done = sum(any(result is not None for result in cell.results) for cell in whole)
    spent = [result.seconds for cell in whole for result in cell.results if result is not None]
    left = (table.total - table.done) * sum(spent) / max(1, len(spent)) / AT_ONCE
    ahead = f"; {duration(left)} to go while it runs" if spent else ""
    glimpsed = len(table.cells) - len(whole)
    have = "has" if glimpsed == 1 else "have"
    look = f", {number(glimpsed)} more {have} had a first look" if glimpsed else ""
    fits = f"{number(table.done)} of {number(table.total)} fits done"
    return f"{fits}, {number(done)} of {cells} cells{look}{ahead}."


def duration(seconds: float) -> str:
    """Write a duration as people say it.

    >>> duration(40), duration(200), duration(9000)
    ('about 40 s', 'about 3 min', 'about 2.5 hours')
    """
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 5400:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} hours"


def verdicts(table: SweepTable) -> dict[str, Any]:
    """Return by measure the best cell, those that will do as well, and what is to be said of them."""
    places = {cell.point: at for at, cell in enumerate(table.cells)}
    best: dict[str, int | None] = {}
    tied: dict[str, list[int]] = {}
    sentences: dict[str, list[str]] = {}
    for item in table.sweep.measures:
        verdict = ties(table, item)
        best[item.name] = None if verdict is None else places[verdict.best]
        tied[item.name] = [] if verdict is None else [places[point] for point in verdict.points]
        sentences[item.name] = [] if verdict is None else _sentences(table, item, verdict.sentence)
    return {"best": best, "ties": tied, "sentences": sentences}


def _sentences(table: SweepTable, item: MeasureRequest, first: str) -> list[str]:
    if asks_how_many(table.sweep):
        return []  # The criteria are read together, and say more than any best value of one.
    leader = table.best(item)
    sentences = [first, "" if leader is None else edge_sentence(table, leader)]
    if item.name == table.sweep.chosen_by.name:
        flattery = optimism(table)
        sentences += ["" if flattery is None else flattery.sentence, audit_sentence(table)]
    return [sentence for sentence in sentences if sentence]
