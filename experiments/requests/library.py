"""Data sets, methods and their facts, for code that builds on experiments."""

from __future__ import annotations

from datasets import Card, Dataset, DataUnavailableError, Option, card, cards, is_here
from datasets import fetch as fetch_dataset
from datasets import load as load_dataset
from datasets.image_views import ALL_VIEWS
from experiments.requests.memory import outlook
from experiments.requests.prepare import facts, rows_of, seen_rows
from experiments.requests.suitability import possible, why_not
from experiments.requests.views import parts_by_view, sample_scale, squared_length, view_names, wants_views
from methods import Facts, Param, Spec
from methods import spec as method_spec
from methods import specs as method_specs

__all__ = [
    "ALL_VIEWS",
    "Card",
    "DataUnavailableError",
    "Dataset",
    "Facts",
    "Option",
    "Param",
    "Spec",
    "card",
    "cards",
    "facts",
    "fetch_dataset",
    "is_here",
    "load_dataset",
    "method_spec",
    "method_specs",
    "outlook",
    "parts_by_view",
    "possible",
    "rows_of",
    "runnable",
    "sample_scale",
    "seen_rows",
    "squared_length",
    "view_names",
    "wants_views",
    "why_not",
]


def runnable() -> dict[str, Spec]:
    """Return the methods that run on one matrix of samples and class labels, by id."""
    return {name: spec for name, spec in method_specs().items() if not spec.needs & {"views", "pairs"}}
