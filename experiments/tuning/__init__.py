"""Tuning: which parameters serve best, and how sure that is.

A `Sweep` says what is tried, as plain data; `trials_of` which trials that takes, and a `SweepTable` what has
come of them: the best, what cannot be told apart from it, and what choosing it by the test would flatter.
"""

from experiments.tuning.axis import Axis, axis
from experiments.tuning.choice import Optimism, Ties, edge_sentence, optimism, ties
from experiments.tuning.importance import importances, pareto_front
from experiments.tuning.parts import PartsAdvice, advice, how_many_parts, parts_sweep
from experiments.tuning.shelf import NamedSweep, SweepShelf
from experiments.tuning.sweep import Sweep
from experiments.tuning.sweep_table import Cell, SweepTable
from experiments.tuning.work import all_work_of, carry_sweep, expected, table_of, trials_of, work_of

__all__ = [
    "Axis",
    "Cell",
    "NamedSweep",
    "Optimism",
    "PartsAdvice",
    "Sweep",
    "SweepShelf",
    "SweepTable",
    "Ties",
    "advice",
    "all_work_of",
    "axis",
    "carry_sweep",
    "edge_sentence",
    "expected",
    "how_many_parts",
    "importances",
    "optimism",
    "pareto_front",
    "parts_sweep",
    "table_of",
    "ties",
    "trials_of",
    "work_of",
]
