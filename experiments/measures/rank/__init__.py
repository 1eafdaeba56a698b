"""How many parts? Five criteria that answer without labels, each a pure function of the data.

>>> import numpy as np
>>> from experiments.measures import rank
>>> X = np.random.default_rng(0).random((60, 4)) ** 3 @ np.random.default_rng(1).random((4, 30)) ** 3
>>> rank.bi_cross_validation(X, range(2, 8), seeds=3).advice
4

What is advised for a number of parts depends on it and its neighbours alone: a wider range changes nothing.
"""

from experiments.measures.rank.consensus import Consensus, consensus, consensus_matrix, scaled_embedding
from experiments.measures.rank.curve import Curve
from experiments.measures.rank.effective import effective_rank
from experiments.measures.rank.prediction import bi_cross_validation, hidden_entries
from experiments.measures.rank.stability import matched_cosines, recurrence, stability

__all__ = [
    "Consensus",
    "Curve",
    "bi_cross_validation",
    "consensus",
    "consensus_matrix",
    "effective_rank",
    "hidden_entries",
    "matched_cosines",
    "recurrence",
    "scaled_embedding",
    "stability",
]
