"""A criterion that rewards the same grouping of samples from every start (Brunet et al., 2004)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import average, cophenet
from scipy.spatial.distance import squareform

from experiments.measures.rank.curve import Curve, measured, restarts
from methods.typing import Array

RESTARTS = 8
# A pair of samples is undecided if together in more than a tenth and fewer than nine tenths of the runs.
_UNDECIDED = (0.1, 0.9)
_MEASURES = ("agreement", "dispersion", "cophenetic", "decided")
_LEVEL = 0.995


@dataclass(frozen=True)
class Consensus:
    """How often two samples use the same part most, and four numbers for how clear that is."""

    matrix: Array

    @property
    def cophenetic(self) -> float:
        """The correlation between how often two samples part and how late they are joined in a tree."""
        apart = squareform(1 - self.matrix, checks=False)
        if apart.max(initial=0) == apart.min(initial=1):
            return 1.0
        return float(cophenet(average(apart), apart)[0])

    @property
    def dispersion(self) -> float:
        """The mean of 4(c − ½)²: 1 where every pair is always or never together (Kim and Park, 2007)."""
        return float(np.mean(4 * np.square(self.matrix - 0.5)))

    @property
    def agreement(self) -> float:
        """How often two samples that are together in one run are together in another, Σc²/Σc.

        Unlike dispersion it is no nearer to 1 for many parts, where most pairs are apart by chance alone.
        """
        pairs = squareform(self.matrix, checks=False)
        return float(np.square(pairs).sum() / pairs.sum()) if pairs.any() else 1.0

    @property
    def undecided(self) -> float:
        """PAC, the share of pairs that are together in some runs and apart in others (Șenbabaoğlu, 2014)."""
        pairs = squareform(self.matrix, checks=False)
        return float(np.mean((pairs > _UNDECIDED[0]) & (pairs < _UNDECIDED[1]))) if pairs.size else 0.0


def consensus_matrix(embeddings: Sequence[Array]) -> Consensus:
    """Return in what share of embeddings two samples have the same largest entry."""
    n = len(embeddings[0])
    together = np.zeros((n, n))
    for W in embeddings:
        group = np.asarray(W).argmax(axis=1)
        together += group[:, None] == group[None, :]
    return Consensus(together / len(embeddings))


def consensus(
    X: Any,
    ks: Iterable[int],
    *,
    seeds: int = 1,
    runs: int = RESTARTS,
    measure: str = "agreement",
    **params: Any,
) -> Curve:
    """Fit from `runs` starts and measure how alike the groupings are.

    `measure` is "agreement", "dispersion", "cophenetic" or "decided" (1 − PAC). Parts of length 1 make the
    entries of an embedding comparable.
    """
    if measure not in _MEASURES:
        raise ValueError(f"measure={measure!r} is not known: choose {', '.join(_MEASURES)}.")

    def clearness(k: int, seed: int) -> float:
        fits = restarts(X, k, range(seed * runs, (seed + 1) * runs), **params)
        matrix = consensus_matrix([scaled_embedding(est) for est in fits])
        return 1 - matrix.undecided if measure == "decided" else float(getattr(matrix, measure))

    ordered, values = measured(ks, seeds, clearness)
    return Curve(
        "consensus",
        "Rewards groups of samples that every start finds again: the most parts at which nearly all pairs "
        "are always or never together.",
        ordered,
        values,
        "stable",
        _LEVEL,
    )


def scaled_embedding(est: Any) -> Array:
    """Return the embedding as it is with parts of length 1."""
    return np.asarray(est.embedding_ * np.linalg.norm(est.components_, axis=1))
