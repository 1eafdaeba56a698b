"""How much memory a fit takes at its fullest, from the sizes of the problem alone.

Each SPEC names one of these. They count the large arrays that are there at the same time, in numbers of eight
bytes, from what `cost` says of each method. They are upper estimates for dense work, not measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class Sizes(Protocol):
    """What counts of the sizes of a problem; `methods.Facts` has it."""

    @property
    def n_samples(self) -> int:
        """How many rows are fitted."""

    @property
    def n_features(self) -> int:
        """How many columns they have."""

    @property
    def n_labelled(self) -> int:
        """How many of the rows have a label."""

    @property
    def n_classes(self) -> int:
        """How many classes there are."""

    @property
    def n_stored(self) -> int | None:
        """How many entries of sparse data are not zero, None for dense data."""


Memory = Callable[[Sizes, Mapping[str, Any]], float]
_NUMBER = 8
# A sparse entry is a number and the place of it.
_SPARSE_ENTRY = 12


def factors(facts: Sizes, params: Mapping[str, Any]) -> float:
    """Return the bytes of data beside factors: one copy, and the factors with gradients and what is tried."""
    return _data(facts) + 6 * _NUMBER * (facts.n_samples + facts.n_features) * _rank(facts, params)


def dense_factors(facts: Sizes, params: Mapping[str, Any]) -> float:
    """Return the same for updates that need matrices of the size of the data, even of sparse data."""
    return factors(facts, params) + 3 * _NUMBER * facts.n_samples * facts.n_features


def all_pairs(copies: float) -> Memory:
    """Return the bytes of so many matrices with an entry for every two samples."""

    def memory(facts: Sizes, params: Mapping[str, Any]) -> float:
        return factors(facts, params) + copies * _NUMBER * float(facts.n_samples) ** 2

    return memory


def full_graph(copies: float) -> Memory:
    """Return the same where the choice "full" joins all samples; neighbours alone take a share of it."""

    def memory(facts: Sizes, params: Mapping[str, Any]) -> float:
        share = copies if params.get("graph", "full") == "full" else 0.5 * copies
        return all_pairs(share)(facts, params)

    return memory


def labelled_pairs(copies: float) -> Memory:
    """Return the bytes of so many matrices with an entry for every two labelled samples."""

    def memory(facts: Sizes, params: Mapping[str, Any]) -> float:
        return factors(facts, params) + copies * _NUMBER * float(facts.n_labelled) ** 2

    return memory


def span(copies: float) -> Memory:
    """Return the bytes of so many matrices over the directions that the samples span, and of dense data."""

    def memory(facts: Sizes, params: Mapping[str, Any]) -> float:
        directions = min(facts.n_samples, facts.n_features)
        dense = 2 * _NUMBER * facts.n_samples * facts.n_features
        return dense + factors(facts, params) + copies * _NUMBER * float(directions) ** 2

    return memory


def _data(facts: Sizes) -> float:
    if facts.n_stored is not None:
        return _SPARSE_ENTRY * facts.n_stored
    return _NUMBER * float(facts.n_samples) * facts.n_features


def _rank(facts: Sizes, params: Mapping[str, Any]) -> float:
    count = params.get("n_components") or params.get("n_clusters") or max(1, facts.n_classes)
    return float(count)
