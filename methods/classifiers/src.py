"""Sparse representation-based classification, SRC (Wright, Yang, Ganesh, Sastry and Ma, 2009)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_data, check_labels
from methods.classifiers._ball_codes import ENTRIES_AT_ONCE, BallCodes, BallDictionary
from methods.classifiers._kernels import FAILED_CHECKS
from methods.memory import Sizes, by_storage, copies
from methods.rows import unit_rows
from methods.spec import Param, Spec
from methods.stepwise import Solver, StepwiseClassifier
from methods.typing import Array, Codes


class SRC(StepwiseClassifier):
    """The class whose labelled samples explain most of a sample's sparse mixture.

    Every sample, scaled to length 1, is coded over the labelled ones, min ‖a‖₁ with ‖x − Da‖₂ ≤ ε; the
    score of a class is minus the error that is left when only its part of the code is kept. With few
    labelled samples no code may reach ε: it is then raised to 1 % above the smallest error possible.
    `epsilon_` is the ε each training row was coded with and `raised_` says whether it had to be raised;
    `code` tells the same of other rows. Unlabelled rows (-1 in y) are coded but teach nothing.
    """

    atoms_: Any
    atom_codes_: Codes
    epsilon_: Array
    raised_: Array
    gap_: Array

    def __init__(self, *, epsilon: float = 0.05, gap: float = 1e-3) -> None:
        self.epsilon = epsilon
        self.gap = gap

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> Solver:
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        labelled = np.flatnonzero(codes >= 0)
        rows = unit_rows(X)
        self.atoms_, self.atom_codes_ = rows[labelled], codes[labelled]
        return _CodingSolver(rows, self.atoms_, self.atom_codes_, float(self.epsilon), float(self.gap))

    def code(self, X: Any) -> BallCodes:
        """Return the sparse codes of rows over the labelled ones, with the ε of each."""
        return self._coded(X)[2]

    def _class_scores(self, X: Any) -> Array:
        rows, dictionary, coding = self._coded(X)
        return class_scores(dictionary, rows, coding.codes, self.atom_codes_).astype(rows.dtype)

    def _coded(self, X: Any) -> tuple[Any, BallDictionary, BallCodes]:
        check_is_fitted(self, "atoms_")
        rows = unit_rows(
            check_data(self, X, nonnegative=False, reset=False, accept_sparse=True, entries=True)
        )
        dictionary = BallDictionary(self.atoms_)
        return rows, dictionary, dictionary.sparse(rows, float(self.epsilon), float(self.gap))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


class _CodingSolver(Solver):
    """Two stages, both within ε: the shortest codes, which use every atom a little, then the sparse ones."""

    def __init__(self, rows: Any, atoms: Any, atom_codes: Codes, epsilon: float, gap: float) -> None:
        self.rows, self.atom_codes = rows, atom_codes
        self.epsilon, self.gap = epsilon, gap
        self.dictionary = BallDictionary(atoms)
        self._take(self.dictionary.least_squares(rows, epsilon))

    def _take(self, coding: BallCodes) -> None:
        self.coding = coding
        scores = class_scores(self.dictionary, self.rows, coding.codes, self.atom_codes)
        numbers = {
            "codes": coding.codes,
            "embedding": scores,
            "epsilon": coding.epsilon,
            "gap": coding.gap,
        }
        self._output = {name: array.astype(self.rows.dtype, copy=False) for name, array in numbers.items()}
        self._output["raised"] = coding.raised

    def step(self) -> None:
        """Exchange the codes of shortest length for those of smallest ℓ1 norm."""
        coding, previous = self.dictionary.sparse(self.rows, self.epsilon, self.gap), self.coding.codes
        lengths, previous_lengths = np.abs(coding.codes).sum(axis=1), np.abs(previous).sum(axis=1)
        # Within its gap a sparse code may be longer than the previous one, which then stays.
        longer = previous_lengths < lengths
        coding.gap[longer] = (1 + coding.gap[longer]) * previous_lengths[longer] / lengths[longer] - 1
        coding.codes[longer] = previous[longer]
        self._take(coding)
        self.done = True

    def terms(self) -> dict[str, float]:
        """Return the mean ℓ1 norm of the codes of all training rows."""
        return {"sparsity": float(np.abs(self.coding.codes).sum(axis=1).mean())}

    def arrays(self) -> dict[str, Array]:
        """Return codes, class scores as embedding, and what ε and gap each row was coded with."""
        return self._output


def class_scores(dictionary: BallDictionary, rows: Any, codes: Array, atom_codes: Codes) -> Array:
    """Return minus the error of each row when only one class's part of its code is kept."""
    Z, distance = dictionary.inside(rows)
    scores = np.empty((rows.shape[0], int(atom_codes.max()) + 1))
    for c in range(scores.shape[1]):
        members = atom_codes == c
        missed = Z - codes[:, members] @ dictionary.atoms[members]
        scores[:, c] = -np.sqrt(np.square(missed).sum(axis=1) + distance**2)
    return scores


def _sparse_memory(facts: Sizes, params: Mapping[str, Any]) -> float:
    """Return the bytes: codes over the labelled samples are dense, and rows are held a few at a time."""
    codes = float(facts.n_samples) * facts.n_labelled
    return copies(6.3, labelled=10.5)(facts, params) + 8 * (11 * codes + 3 * ENTRIES_AT_ONCE)


SPEC = SRC.spec = Spec(
    id="src",
    title="SRC",
    family="classifiers",
    summary="Writes a sample as a sparse mixture of labelled ones and sees which class the mixture is from.",
    objective=r"\min_a\ \lVert a\rVert_1\quad\text{subject to}\quad\lVert x-Da\rVert_2\le\varepsilon",
    update=r"\hat y(x)=\arg\min_c\ \lVert x-D\,\delta_c(a)\rVert_2",
    references=(
        "J. Wright, A. Yang, A. Ganesh, S. S. Sastry and Y. Ma. Robust face recognition via sparse "
        "representation. IEEE Transactions on Pattern Analysis and Machine Intelligence 31, 2009.",
    ),
    params=(
        Param(
            "epsilon",
            "float",
            0.05,
            "How much of a sample, which has length 1, its mixture may miss; raised where needed.",
            symbol="ε",
            least=0.0,
            low=0.01,
            high=0.5,
            scale="log",
            paper="0.05",
        ),
        Param(
            "gap",
            "float",
            1e-3,
            "How far, relatively, each code's length may be from the smallest one possible.",
            least=1e-6,
            low=1e-5,
            high=0.1,
            scale="log",
            advanced=True,
        ),
    ),
    estimator=SRC,
    needs=frozenset({"labels"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    monotone=True,
    signed=True,
    recognition="predict",
    expected_failed_checks={
        **FAILED_CHECKS,
        "check_classifiers_train": (
            "in a plane any row lies between two atoms of nearly its own direction, of whichever class: the "
            "smallest code singles out no class where the directions of classes overlap, as they do here"
        ),
    },
    memory=by_storage(copies(6.3, labelled=10.5), _sparse_memory),
    cost=(
        "About 4·l·r per sample and iteration, for l labelled samples that span r dimensions; l³ once. "
        "Labelled samples themselves cost nothing: their codes are known."
    ),
    corrections=(
        "With few labelled samples ε = 0.05 cannot be reached by any code, for up to all samples: the paper "
        "does not say what is done then. Here ε is raised to 1 % above the smallest reachable error."
    ),
)
