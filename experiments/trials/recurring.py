"""What comes back when a fit is begun anew: each part by itself, and which samples belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import average, leaves_list
from scipy.spatial.distance import squareform

from experiments.measures.rank import Consensus, consensus_matrix, recurrence, scaled_embedding
from experiments.trials.fit import Fit
from experiments.trials.restarts import already_restarted

# Of more samples an even choice stands for all, and a picture of pairs need not be larger than is seen.
MOST_SAMPLES, MOST_SIDE = 1000, 160


@dataclass(frozen=True)
class Recurring:
    """What fits from `starts` random starts have in common.

    `parts` holds for each part the share of the other starts in which it comes back; `pairs` how often two
    samples use the same part most, from 0 to 255, samples reordered so that groups are blocks. `clearness` is
    agreement, cophenetic correlation, dispersion and the share of undecided pairs (PAC) of these.
    """

    parts: NDArray[np.float32]
    pairs: NDArray[np.uint8]
    clearness: NDArray[np.float32]
    starts: int

    def arrays(self) -> dict[str, Any]:
        """Return it as named arrays, from which `from_arrays` makes it again."""
        return {
            "recurring_parts": self.parts,
            "recurring_pairs": self.pairs,
            "recurring_clearness": self.clearness,
            "recurring_starts": np.array(self.starts),
        }

    @classmethod
    def from_arrays(cls, arrays: Any) -> Recurring | None:
        """Return what `arrays` named; None if it is not among them."""
        if "recurring_parts" not in arrays:
            return None
        parts, pairs, clearness = (arrays[f"recurring_{name}"] for name in ("parts", "pairs", "clearness"))
        return cls(parts, pairs, clearness, int(arrays["recurring_starts"]))


def recurring_of(fit: Fit, most_parts: int) -> Recurring | None:
    """Return what a fit has in common with its restarts; None if no measure has asked for any."""
    estimators = already_restarted(fit)
    if len(estimators) < 2:
        return None
    first = recurrence([est.components_ for est in estimators])[0]
    consensus = grouping(estimators)
    clearness = [consensus.agreement, consensus.cophenetic, consensus.dispersion, consensus.undecided]
    return Recurring(
        first[:most_parts].astype(np.float32),
        ordered(consensus.matrix),
        np.array(clearness, dtype=np.float32),
        len(estimators),
    )


def grouping(estimators: Sequence[Any]) -> Consensus:
    """Return how often two samples belong together; of many samples an even choice is looked at."""
    embeddings = [scaled_embedding(est) for est in estimators]
    rows = np.unique(np.linspace(0, len(embeddings[0]) - 1, MOST_SAMPLES).round().astype(int))
    return consensus_matrix([embedding[rows] for embedding in embeddings])


def ordered(matrix: NDArray[Any]) -> NDArray[np.uint8]:
    """Return a consensus matrix, samples in the order of the leaves of a tree, small enough to see."""
    if len(matrix) > 2:
        leaves = leaves_list(average(squareform(1 - matrix, checks=False)))
        matrix = matrix[np.ix_(leaves, leaves)]
    selected = np.unique(np.linspace(0, len(matrix) - 1, MOST_SIDE).round().astype(int))
    return np.asarray(np.round(255 * matrix[np.ix_(selected, selected)]), dtype=np.uint8)
