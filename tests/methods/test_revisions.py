"""Whoever makes a method give other numbers raises its `revision`: kept results are then not used any more.

`revisions.json` has a few numbers of each method with the revision they belong to. They are written anew by
`python -m tests.methods.test_revisions`, which refuses numbers that changed under the same revision.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import methods
from methods import Spec
from tests.methods.problems import Problem, estimator, outputs, problem, takes

FILE = Path(__file__).with_name("revisions.json")
_ITERATIONS = 6
# So many rows a part that the accelerated solver begins with some of them, and few enough to be quick.
_MANY, _FEW_PARTS = 520, 2


def test_the_same_request_gives_the_same_numbers_as_long_as_the_revision_is_the_same() -> None:
    for id, kept in json.loads(FILE.read_text(encoding="utf-8")).items():
        spec = methods.spec(id)
        advice = f"{id}: raise its revision, then run python -m {__spec__.name}"
        assert kept["revision"] == spec.revision, advice
        found = numbers(spec)
        assert _same(found, kept["numbers"]), f"{advice}; {found} are not {kept['numbers']}"


def _same(found: Any, kept: Any) -> bool:
    return found.keys() == kept.keys() and all(
        values == pytest.approx(kept[name], rel=1e-3, abs=1e-6) for name, values in found.items()
    )


def numbers(spec: Spec) -> dict[str, list[float]]:
    """Return the objective and the size of what comes out of fits, by solver and kind of data."""
    solvers = spec.param("solver").choices if takes(spec, "solver") else ("",)
    made = {
        f"{solver or 'own'}, {kind}": _fit(spec, given, settings | ({"solver": solver} if solver else {}))
        for solver in solvers
        for kind, (given, settings) in _problems(spec, solver).items()
    }
    return {name: values for name, values in made.items() if values}


def _problems(spec: Spec, solver: str) -> dict[str, tuple[Problem, dict[str, Any]]]:
    small = problem(spec)
    found: dict[str, tuple[Problem, dict[str, Any]]] = {"small": (small, {})}
    if not takes(spec, "n_components") or {"views", "tensor"} & spec.needs:
        return found
    thin = np.random.default_rng(1).random((24, 60)) * (np.random.default_rng(2).random((24, 60)) < 0.08)
    thin[:, 0] = 1.0
    found["thin"] = replace(small, X=sparse.csr_array(thin)), {}
    if solver == "accelerated":
        found["many rows"] = problem(spec, n_samples=_MANY), {"n_components": _FEW_PARTS}
    return found


def _fit(spec: Spec, given: Problem, settings: dict[str, Any]) -> list[float]:
    """Return the numbers of a fit; none if the method refuses such data."""
    est = estimator(spec, max_iter=_ITERATIONS, **settings)
    try:
        est.fit(given.X, given.y, **given.fit_params)
    except (ValueError, TypeError):
        return []
    curve = getattr(est, "objective_curve_", [0.0])
    made = [est.embedding_] if hasattr(est, "embedding_") else outputs(spec, est, given.X).values()
    return [float(curve[-1]), *(float(np.linalg.norm(array)) for array in made)]


def _write() -> None:
    before = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    lines = []
    for id in methods.names():
        spec = methods.spec(id)
        found = {"revision": spec.revision, "numbers": numbers(spec)}
        kept = before.get(id)
        if kept and kept["revision"] == spec.revision and not _same(found["numbers"], kept["numbers"]):
            raise SystemExit(f"{id} gives other numbers: raise the revision of its SPEC first.")
        lines.append(f"  {json.dumps(id)}: {json.dumps(found)}")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    _write()
