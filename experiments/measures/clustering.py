"""How well clusters match classes: accuracy after the best renaming, and mutual information."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from methods.multiview.views import unit_rows

Counts = npt.NDArray[np.int64]
UNKNOWN = -1
_STARTS = 10


def k_means(points: npt.NDArray[Any], count: int, seed: int) -> npt.NDArray[Any]:
    """Return the cluster of each point by its direction, at most `count` of them, by k-means."""
    with warnings.catch_warnings():
        # Fewer distinct rows than clusters leaves some empty, which does no harm here.
        warnings.simplefilter("ignore", ConvergenceWarning)
        means = KMeans(min(count, len(points)), n_init=_STARTS, random_state=seed)
        return np.asarray(means.fit_predict(unit_rows(points.astype(np.float64))))


def clustering_accuracy(truth: npt.ArrayLike, clusters: npt.ArrayLike) -> float:
    """Return ACC: the share of rows in the right class, once clusters are given classes in the best way.

    Every cluster gets a class of its own (Kuhn and Munkres); clusters beyond the number of classes get none.
    Rows whose class is unknown (-1) do not count.

    >>> clustering_accuracy([0, 0, 1, 1, 2], [5, 5, 3, 3, 3])
    0.8
    """
    counts = _contingency(truth, clusters)
    rows, columns = linear_sum_assignment(counts, maximize=True)
    return float(counts[rows, columns].sum() / counts.sum())


def mutual_information(truth: npt.ArrayLike, clusters: npt.ArrayLike) -> float:
    """Return NMI: what clusters tell about classes, over the larger of the two entropies.

    1 when they are the same up to names, 0 when they are independent. Where both are a single group they
    are the same: 1.

    >>> mutual_information([0, 0, 1, 1], [7, 7, 4, 4])
    1.0
    """
    counts = _contingency(truth, clusters)
    joint = counts / counts.sum()
    by_class, by_cluster = joint.sum(axis=1), joint.sum(axis=0)
    largest = max(_entropy(by_class), _entropy(by_cluster))
    if largest == 0:
        return 1.0
    present = joint > 0
    expected = np.multiply.outer(by_class, by_cluster)
    shared = float((joint[present] * np.log(joint[present] / expected[present])).sum())
    return min(1.0, max(0.0, shared / largest))


def _entropy(shares: npt.NDArray[np.float64]) -> float:
    return float(-(shares * np.log(shares)).sum())


def _contingency(truth: npt.ArrayLike, clusters: npt.ArrayLike) -> Counts:
    """Return how many rows of each class (row) are in each cluster (column)."""
    classes, groups = np.asarray(truth), np.asarray(clusters)
    if classes.shape != groups.shape or classes.ndim != 1:
        raise ValueError(f"truth has shape {classes.shape} and clusters {groups.shape}; need equal lengths")
    labelled = classes != UNKNOWN
    if not labelled.any():
        raise ValueError("truth holds no known label, so there is nothing to compare clusters with")
    rows, columns = _codes(classes[labelled]), _codes(groups[labelled])
    counts: Counts = np.zeros((rows.max() + 1, columns.max() + 1), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    return counts


def _codes(names: npt.NDArray[Any]) -> Counts:
    return np.asarray(np.unique(names, return_inverse=True)[1], dtype=np.int64)
