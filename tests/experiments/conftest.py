"""Methods made up for one test, to see what becomes of runs that go wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from methods import registry
from methods.spec import MAX_ITER, Spec
from methods.stepwise import Solver, StepwiseTransformer

Invent = Callable[[Callable[[int], float]], str]


@pytest.fixture
def invent(monkeypatch: pytest.MonkeyPatch) -> Invent:
    """Register a method whose objective after step i is what a function says, and return its id.

    The function may as well raise, or take its time.
    """
    real = registry.specs()

    def register(objective: Callable[[int], float]) -> str:
        class InventedSolver(Solver):
            def __init__(self, X: Any) -> None:
                self.made, self.value = 0, 1000.0
                self.H, self.W = X[:2].copy(), np.ones((X.shape[0], 2), X.dtype)

            def step(self) -> None:
                self.made += 1
                self.value = objective(self.made)
                self.W[:] = self.made

            def terms(self) -> dict[str, float]:
                return {"reconstruction": self.value}

            def arrays(self) -> dict[str, Any]:
                return {"components": self.H, "embedding": self.W}

        class Invented(StepwiseTransformer):
            def __init__(self, max_iter: int = 500) -> None:
                self.max_iter = max_iter

            def _solver(self, X: Any, y: Any, warm_start: Any) -> Solver:
                return InventedSolver(X)

            def transform(self, X: Any) -> Any:
                return X @ self.components_.T

        spec = Invented.spec = Spec(
            id="invented", title="Invented", family="tests", summary="", objective="", update="",
            references=(), params=(MAX_ITER,), estimator=Invented,
        )  # fmt: skip
        monkeypatch.setattr(registry, "specs", lambda: real | {"invented": spec})
        return "invented"

    return register
