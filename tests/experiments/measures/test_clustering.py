"""ACC by trying every renaming, NMI by its definition in the paper."""

from __future__ import annotations

from itertools import permutations
from math import log2

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from experiments.measures.clustering import clustering_accuracy, mutual_information


def tried(truth: list[int], found: list[int]) -> float:
    """Accuracy of the best one-to-one renaming, by brute force."""
    clusters, classes = sorted(set(found)), sorted(set(truth))
    classes += [-9] * (len(clusters) - len(classes))
    best = 0
    for names in permutations(classes, len(clusters)):
        rename = dict(zip(clusters, names, strict=True))
        best = max(best, sum(rename[c] == t for c, t in zip(found, truth, strict=True)))
    return best / len(truth)


def printed(truth: list[int], found: list[int]) -> float:
    """Equations 30 and 31."""
    n = len(truth)

    def share(*wanted: tuple[list[int], int]) -> float:
        return sum(all(names[i] == name for names, name in wanted) for i in range(n)) / n

    def entropy(names: list[int]) -> float:
        return -sum(share((names, name)) * log2(share((names, name))) for name in set(names))

    shared = 0.0
    for c in set(truth):
        for d in set(found):
            both = share((truth, c), (found, d))
            if both:
                shared += both * log2(both / (share((truth, c)) * share((found, d))))
    return shared / max(entropy(truth), entropy(found))


@pytest.mark.parametrize("seed", range(20))
def test_equal_their_definitions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, classes, clusters = int(rng.integers(5, 30)), int(rng.integers(2, 5)), int(rng.integers(2, 6))
    truth = rng.integers(0, classes, n)
    found = np.where(rng.random(n) < 0.6, truth, rng.integers(0, clusters, n))
    truth[:2], found[:2] = [0, 1], [0, 1]
    assert clustering_accuracy(truth, found) == pytest.approx(tried(truth.tolist(), found.tolist()))
    wanted = printed(truth.tolist(), found.tolist())
    assert mutual_information(truth, found) == pytest.approx(wanted, abs=1e-12)
    library = normalized_mutual_info_score(truth, found, average_method="max")
    assert mutual_information(truth, found) == pytest.approx(library, abs=1e-12)


def test_names_of_clusters_do_not_matter_and_perfect_is_one() -> None:
    truth = np.array([0, 0, 1, 1, 2, 2])
    assert clustering_accuracy(truth, truth[::-1] * 10 + 3) == 1
    assert mutual_information(truth, 7 - truth) == pytest.approx(1)


def test_a_greedy_renaming_is_not_enough() -> None:
    truth = [0] * 4 + [0] * 3 + [1] * 3
    found = [0] * 4 + [1] * 3 + [0] * 3
    # Cluster 0 is mostly class 0, but the best whole gives it class 1.
    assert clustering_accuracy(truth, found) == pytest.approx(0.6)


def test_single_groups_and_independence() -> None:
    assert mutual_information([1, 1, 1], [0, 0, 0]) == 1
    assert mutual_information([0, 0, 1, 1], [3, 3, 3, 3]) == 0
    assert mutual_information([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(0, abs=1e-15)
    assert clustering_accuracy([0, 0, 1, 1], [3, 3, 3, 3]) == 0.5


def test_rows_of_unknown_class_do_not_count() -> None:
    assert clustering_accuracy([0, 1, -1, -1], [1, 0, 1, 1]) == 1
    assert mutual_information([0, 1, -1, -1], [1, 0, 5, 6]) == pytest.approx(1)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="equal lengths"):
        clustering_accuracy([0, 1], [0])
    with pytest.raises(ValueError, match="no known label"):
        mutual_information([-1, -1], [0, 1])
