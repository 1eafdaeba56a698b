"""Whether one method is better than another over several splits, or only luckier.

Splits share most of their samples, so their differences are not independent and the plain paired t-test
finds too much. The corrected resampled t-test (Nadeau and Bengio, Machine Learning 52, 2003) allows for it:

    t = mean(d) / √((1/J + n_test/n_train) · var(d)),   J − 1 degrees of freedom.

Where a leader is compared with several others, Holm's correction keeps one lucky winner in twenty such
comparisons from being announced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

# With fewer splits than this no difference, however clear, can be told from chance.
LEAST_SPLITS = 4
LEVEL = 0.05


@dataclass(frozen=True)
class Difference:
    """How far one method is ahead of another, over the splits both have finished.

    `mean` and `spread` (standard deviation) are shares; `wins`, `ties` and `losses` count splits. `p` is the
    two-sided probability of so large a difference if there were none (None: too few splits to tell).
    """

    mean: float
    spread: float
    wins: int
    ties: int
    losses: int
    p: float | None

    @property
    def splits(self) -> int:
        """How many splits both have finished."""
        return self.wins + self.ties + self.losses


def difference(ours: npt.ArrayLike, theirs: npt.ArrayLike, test_to_train: float) -> Difference:
    """Compare two methods on the same splits; NaN where a split is not finished.

    `test_to_train` is how many samples are tested for each one that is learnt from, labelled or not.
    """
    d = np.asarray(ours, dtype=np.float64) - np.asarray(theirs, dtype=np.float64)
    d = d[~np.isnan(d)]
    if not d.size:
        return Difference(0.0, 0.0, 0, 0, 0, None)
    spread = float(d.std(ddof=1)) if d.size > 1 else 0.0
    # Accuracies are shares of whole samples: what differs by rounding is a tie.
    wins, losses = int((d > 1e-12).sum()), int((d < -1e-12).sum())
    p = _p_value(float(d.mean()), spread, d.size, test_to_train) if d.size >= LEAST_SPLITS else None
    return Difference(float(d.mean()), spread, wins, int(d.size) - wins - losses, losses, p)


def _p_value(mean: float, spread: float, splits: int, test_to_train: float) -> float:
    if abs(mean) <= 1e-12:
        return 1.0
    error = np.sqrt((1 / splits + test_to_train) * spread**2)
    return float(2 * stats.t.sf(abs(mean) / error, splits - 1)) if error > 0 else 0.0


def against_leader(
    shares: Mapping[str, Sequence[float]], test_to_train: float
) -> tuple[str, dict[str, Difference]]:
    """Return the method with the best mean, and how far it is ahead of each other one, p-values corrected.

    Only methods that have finished some split take part.
    """
    means = {name: float(np.nanmean(values)) for name, values in shares.items() if not np.isnan(values).all()}
    if not means:
        return "", {}
    leader = max(means, key=lambda name: means[name])
    differences = {
        name: difference(shares[leader], shares[name], test_to_train) for name in means if name != leader
    }
    return leader, _corrected(differences)


def _corrected(differences: dict[str, Difference]) -> dict[str, Difference]:
    """Return the differences with Holm's p-values: the smallest times their number, and so on."""
    tested = sorted(
        (name for name in differences if differences[name].p is not None),
        key=lambda name: differences[name].p or 0,
    )
    largest = 0.0
    corrected = dict(differences)
    for place, name in enumerate(tested):
        uncorrected = differences[name]
        largest = min(1.0, max(largest, (len(tested) - place) * (uncorrected.p or 0.0)))
        corrected[name] = Difference(
            uncorrected.mean,
            uncorrected.spread,
            uncorrected.wins,
            uncorrected.ties,
            uncorrected.losses,
            largest,
        )
    return corrected
