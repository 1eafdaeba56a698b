"""Parameters of graphs made of labels, for the methods that have them."""

from __future__ import annotations

from methods.spec import Param

INTRINSIC_NEIGHBORS = Param(
    "intrinsic_neighbors",
    "int",
    None,
    "How many nearest labelled samples of its own class a sample is tied to; empty: all.",
    symbol="k₁",
    least=1,
    low=1,
    high=20,
    paper="n_c − 1, all of them",
    unset="all",
    advanced=True,
)
PENALTY_PAIRS = Param(
    "penalty_pairs",
    "int",
    20,
    "How many closest pairs across classes are taken for each class.",
    least=0,
    low=0,
    high=200,
    paper="20",
    advanced=True,
)
