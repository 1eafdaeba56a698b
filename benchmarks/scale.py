"""How long every method takes, and how that and its memory grow with samples and with features.

    python -m benchmarks.scale [--methods nmf s_rlsc ...] [--samples 4000] [--features 256] [--write]

Planted pictures, ten labelled a class, parameters as the app's controls start, one thread, as a worker of the
app has. What nears a solution is timed for its preparation and some iterations, and counted for a hundred;
what is solved at once is timed as a whole. A size whose quarter has taken longer than `--seconds` is left
out. Each fit runs in a process of its own, whose peak of memory is told. With `--write` the table that the
handbook of the app speaks from (`methods/scaling.json`) takes over what was measured; the others stay.
"""

from __future__ import annotations

import argparse
import json
import os
import warnings
from collections.abc import Sequence
from functools import partial
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import methods
from benchmarks import report
from benchmarks.memory import FORGET, in_child, megabytes
from methods import Facts, Spec, scaling

CLASSES, LABELLED, RANK = 10, 100, 49
# Iterations that are timed, and at most so many seconds of them.
_STEPS, _LONGEST = 8, 4.0


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--methods", nargs="*", default=None)
    parser.add_argument("--samples", type=int, default=4000, help="size of the largest problem")
    parser.add_argument("--features", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(argv)
    rows = []
    with threadpool_limits(1):
        for name in given.methods or methods.names():
            rows.append(of_method(methods.spec(name), given.samples, given.features, given.seconds))
            print(json.dumps(rows[-1]), flush=True)
    report.show(f"One run of at most 100 iterations ({given.features} features, one core)", rows)
    report.save("scale", {"features": given.features, "rows": rows})
    if given.write:
        scaling.write(rows)


def of_method(spec: Spec, most: int, features: int, patience: float) -> report.Row:
    """Return the seconds of the largest problem that was in reach, and the exponents of its growth."""
    run(spec, 300, features)  # What is compiled and loaded once is nobody's.
    sizes = [most // 4, most // 2, most]
    seconds, memory = [], []
    for samples in sizes:
        if len(seconds) == 2 and seconds[0] > patience:
            break
        spent, peak = child(spec, samples, features)
        seconds.append(spent)
        memory.append(peak)
    wider, _ = child(spec, sizes[0], 4 * features)
    return {
        "method": spec.id,
        "samples": sizes[len(seconds) - 1],
        "features": features,
        "seconds": round(seconds[-1], 3),
        "samples^": slope(seconds[-2:], 2),
        "features^": slope([seconds[0], wider], 4),
        "MB": round(memory[-1], 1),
        "MB samples^": slope(memory[-2:], 2),
    }


def slope(values: Sequence[float], factor: float) -> float:
    """Return the exponent with which a value grows when a size grows by a factor."""
    before, after = (max(value, 1e-3) for value in values)
    return round(float(np.log(after / before) / np.log(factor)), 2)


def child(spec: Spec, samples: int, features: int) -> tuple[float, float]:
    """Return the seconds and the megabytes of one run in a process of its own."""
    answer = in_child(partial(_told, spec, samples, features))
    try:
        spent, peak = answer.split()
        return float(spent), float(peak)
    except ValueError:
        raise RuntimeError(f"{spec.id}, {samples} samples: {answer}") from None


def _told(spec: Spec, samples: int, features: int) -> str:
    FORGET.write_text("5")
    before = megabytes("VmRSS")
    spent = run(spec, samples, features)
    return f"{spent} {megabytes('VmHWM') - before}"


def run(spec: Spec, samples: int, features: int) -> float:
    """Return the seconds of one run, its data aside: to its end, or for a hundred iterations."""
    X, y = planted(samples, features)
    side = int(features**0.5)
    facts = Facts(samples, features, LABELLED, CLASSES, (side, features // side))
    params = spec.starting_values(facts)
    closed = spec.is_closed(params)
    if not closed:
        params |= {"tol": 0.0} if spec.has("tol") else {}
    if spec.has("sample_shape"):
        params["sample_shape"] = facts.sample_shape
    if spec.has("random_state"):
        params["random_state"] = 0
    data: Any = [X[:, : features // 2], X[:, features // 2 :]] if "views" in spec.needs else X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = process_time()
        steps = methods.create(spec.id, **params).iterate(data, y)
        next(steps)
        prepared = process_time()
        taken = 0
        for _ in steps:
            taken += 1
            if not closed and (taken >= _STEPS or process_time() - prepared > _LONGEST):
                break
        iterations = process_time() - prepared
    return process_time() - begun if closed else prepared - begun + 100 * iterations / max(1, taken)


def planted(samples: int, features: int = 784) -> tuple[Any, Any]:
    """Return rows made of sparse non-negative parts, in blocks so that making them needs little memory."""
    rng = np.random.default_rng(0)
    H = (rng.random((RANK, features)) * (rng.random((RANK, features)) < 0.1)).astype(np.float32)
    X = np.empty((samples, features), np.float32)
    truth = np.arange(samples) % CLASSES
    for start in range(0, samples, 1000):
        rows = slice(start, min(start + 1000, samples))
        W = rng.random((rows.stop - rows.start, RANK), np.float32) ** 4
        W[np.arange(len(W)), truth[rows]] += 1
        np.matmul(W, H, out=X[rows])
        X[rows] += 0.01 * rng.random((len(W), features), np.float32)
    y = np.full(samples, -1)
    y[:LABELLED] = truth[:LABELLED]
    return X, y


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
