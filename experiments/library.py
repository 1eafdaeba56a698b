"""What there is to work with, for those who build on experiments: data sets, methods, and their facts."""

from __future__ import annotations

from datasets import Card, Dataset, Option, card, cards
from datasets import load as load_dataset
from experiments.prepare import facts, rows_of, seen_rows
from methods import Facts, Param, Spec
from methods import spec as method_spec
from methods import specs as method_specs

__all__ = [
    "Card",
    "Dataset",
    "Facts",
    "Option",
    "Param",
    "Spec",
    "card",
    "cards",
    "facts",
    "load_dataset",
    "method_spec",
    "method_specs",
    "rows_of",
    "runnable",
    "seen_rows",
]


def runnable() -> dict[str, Spec]:
    """Return the methods that run on one matrix of samples and class labels, by id."""
    return {name: spec for name, spec in method_specs().items() if not spec.needs & {"views", "pairs"}}
