"""How much memory a fit takes at its fullest, from the sizes of the problem alone.

Each SPEC says with `copies` what is there at the same time: the data and what is made of them, matrices over
samples or directions, and the temporary results of the libraries below, which are as large. The numbers were
counted in the code and measured (`python -m benchmarks.memory`): no peak was above its estimate.
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
# Of factors there are those themselves, gradients, and what is tried next.
_FACTORS = 6
# Matrices over what is left when all but a dense core of samples has been eliminated, were that all of them.
_DENSE_CORE = 3.0
# What scikit-learn may hold of the distances between all samples; at its own 1 000 it is no faster.
MEGABYTES_OF_DISTANCES = 64
# How many parts a method takes at most where nobody says how many.
_MOST_AUTOMATIC = 100


def copies(
    data: float = 1.0, *, dense: float = 0.0, pairs: float = 0.0, labelled: float = 0.0, span: float = 0.0
) -> Memory:
    """Return the bytes of factors beside so many arrays, in numbers of eight bytes.

    `data` counts arrays like the data, sparse where these are; `dense` such with every entry; `pairs` and
    `labelled` matrices over every two samples, all or the labelled ones; and `span` over every two of the
    directions that the samples span.
    """

    def memory(facts: Sizes, params: Mapping[str, Any]) -> float:
        n, m = facts.n_samples, facts.n_features
        numbers = (
            dense * n * m
            + pairs * float(n) ** 2
            + labelled * float(facts.n_labelled) ** 2
            + span * float(min(n, m)) ** 2
            + _FACTORS * (n + m) * _rank(facts, params)
        )
        return data * _data(facts) + _NUMBER * numbers

    return memory


def spread(data: float, pairs: float) -> Memory:
    """Return the bytes where labels spread along a graph that joins all samples ("full"), or neighbours.

    Solved exactly, what eliminating samples leaves of a graph of neighbours is a dense core in the end.
    """
    full, core, sparse = copies(data, pairs=pairs), copies(data, pairs=_DENSE_CORE), copies(data)

    def memory(facts: Sizes, params: Mapping[str, Any]) -> float:
        if params.get("graph", "full") == "full":
            return full(facts, params)
        return (core if params.get("solver", "exact") == "exact" else sparse)(facts, params)

    return memory


def by_storage(dense: Memory, sparse: Memory) -> Memory:
    """Return the bytes where sparse data go another way than dense ones."""
    return lambda facts, params: (dense if facts.n_stored is None else sparse)(facts, params)


def sparse_span(span: float) -> Memory:
    """Return the bytes of `span` matrices over what sparse samples span, or of the search for neighbours."""
    spanned, data = copies(8, span=span), copies(8)

    def memory(facts: Sizes, params: Mapping[str, Any]) -> float:
        # Distances, and their order.
        search = 2.2 * min(MEGABYTES_OF_DISTANCES * 2**20, _NUMBER * float(facts.n_samples) ** 2)
        return max(spanned(facts, params), data(facts, params) + search)

    return memory


factors = copies()


def _data(facts: Sizes) -> float:
    if facts.n_stored is not None:
        return _SPARSE_ENTRY * facts.n_stored
    return _NUMBER * float(facts.n_samples) * facts.n_features


def _rank(facts: Sizes, params: Mapping[str, Any]) -> float:
    if "n_components" in params and params["n_components"] is None:
        return min(_MOST_AUTOMATIC, facts.n_samples, facts.n_features)
    return float(params.get("n_components") or params.get("n_clusters") or max(1, facts.n_classes))
