"""Small problems made to fit whatever a method's SPEC says it needs, and ways to look at what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import methods
from methods import Facts, Spec

Array = NDArray[Any]
N_CLASSES = 3
SAMPLE_SHAPE = (5, 2)
N_FEATURES = 10
_STARTS = ("factors", "root_components", "mixing", "components")


@dataclass(frozen=True)
class Problem:
    """What a method is given: X (a list of matrices for multi-view methods), y, and known pairs."""

    X: Any
    y: Any
    fit_params: dict[str, Any] = field(default_factory=dict)

    @property
    def n_samples(self) -> int:
        return len(views(self.X)[0])

    def rows(self, order: Array) -> Problem:
        """The same problem with its samples in another order."""
        place = np.argsort(order)
        fit_params = {
            name: [(place[i], place[j]) for i, j in pairs] for name, pairs in self.fit_params.items()
        }
        return Problem(
            each(self.X, lambda X: X[order]), None if self.y is None else self.y[order], fit_params
        )

    def cast(self, dtype: Any) -> Problem:
        """The same problem in another precision."""
        return replace(self, X=each(self.X, lambda X: X.astype(dtype)))


def problem(spec: Spec, seed: int = 0, n_samples: int = 24, dtype: Any = np.float64) -> Problem:
    """Three noisy classes, about half of the rows labelled, in the form that `spec` asks for."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n_samples) % N_CLASSES)
    X = class_rows(rng, truth).astype(dtype)
    given: Any = X
    if "views" in spec.needs:
        given = [X, class_rows(rng, truth).astype(dtype)[:, :-3]]
    elif "tensor" in spec.needs:
        given = X.reshape(n_samples, *SAMPLE_SHAPE)
    y = partial(rng, truth)
    fit_params = {}
    if "pairs" in spec.needs | spec.takes:
        rows = [np.flatnonzero(truth == code) for code in range(2)]
        fit_params = {
            "must_link": [(int(rows[0][0]), int(rows[0][1]))],
            "cannot_link": [(int(rows[0][0]), int(rows[1][0]))],
        }
    return Problem(given, y if "labels" in spec.needs else None, fit_params)


def class_rows(rng: np.random.Generator, truth: Array) -> Array:
    """Non-negative rows around one centre a class; no two distances are equal."""
    centres = rng.uniform(0.2, 1.0, (N_CLASSES, N_FEATURES))
    return np.asarray(
        np.clip(centres[truth] + 0.2 * rng.standard_normal((truth.size, N_FEATURES)), 0.01, None)
    )


def partial(rng: np.random.Generator, truth: Array) -> Array:
    """The labels of about half of each class, at least two; -1 elsewhere."""
    y = np.full(truth.size, -1)
    for code in range(N_CLASSES):
        rows = np.flatnonzero(truth == code)
        y[rng.permutation(rows)[: max(2, rows.size // 2)]] = code
    return y


def estimator(spec: Spec, **params: Any) -> Any:
    """The method at a size that suits these problems, run for a fixed number of plain iterations."""
    names = {param.name for param in spec.params}
    settings: dict[str, Any] = {"max_iter": 20, "random_state": 0, "solver": "multiplicative"}
    if "n_components" in names:
        facts = Facts(24, N_FEATURES, n_labelled=12, n_classes=N_CLASSES)
        settings["n_components"] = min(4, spec.param("n_components").starting_value(facts))
    if "tol" in names:
        settings["tol"] = spec.param("tol").least or 0.0
    if "solver" in names and "multiplicative" not in spec.param("solver").choices:
        del settings["solver"]
    settings |= params
    return methods.create(spec.id, **{name: settings[name] for name in settings if name in names})


def takes(spec: Spec, *names: str) -> bool:
    """Say whether the constructor has all of these parameters."""
    return set(names) <= {param.name for param in spec.params}


def views(X: Any) -> list[Any]:
    """X as a list of matrices, one for a single-view method."""
    return list(X) if isinstance(X, (list, tuple)) else [X]


def each(X: Any, change: Any) -> Any:
    """X with every matrix changed."""
    return [change(view) for view in X] if isinstance(X, (list, tuple)) else change(X)


def fitted(est: Any) -> dict[str, list[Array]]:
    """Every numeric array an estimator has fitted, by attribute: a list, of one entry for most."""
    found: dict[str, list[Array]] = {}
    for name, value in vars(est).items():
        if name.endswith("_") and not name.startswith("_"):
            arrays = [np.asarray(part) for part in views(value) if isinstance(part, (np.ndarray, float, int))]
            if arrays and all(part.dtype.kind in "iuf" for part in arrays):
                found[name] = arrays
    return found


def outputs(spec: Spec, est: Any, X: Any) -> dict[str, Array]:
    """What a fitted method makes of rows: its features, its predictions, or both."""
    made = {}
    for name in ("transform", "predict"):
        if name in spec.gives:
            made[name] = np.asarray(getattr(est, name)(X))
    return made


def first_factor(state: Any) -> str:
    """The name under which a step shows what `init` takes first: some methods start in sample space."""
    return next(name for name in _STARTS if name in state)


def exact_start(spec: Spec, given: Problem) -> tuple[Any, Array]:
    """The start of a run, in the form that `init` takes it."""
    walk = estimator(spec).iterate(given.X, given.y, **given.fit_params)
    state = next(walk).copy().state
    return each(state[first_factor(state)], np.copy), state["embedding"].copy()


def reordered(start: tuple[Any, Array], order: Array) -> tuple[Any, Array]:
    """The same start for samples in another order."""
    n_samples = len(start[1])
    parts = each(start[0], lambda part: part[:, order] if part.shape[-1] == n_samples else part)
    return parts, start[1][order]
