"""Several runs side by side: their curves, who they recognise and how well they rebuild, for one picture."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.engine.handle import Handle
from experiments.requests.library import load_dataset, method_spec, rows_of, seen_rows, wants_views
from ui.blocks import packed
from ui.live.frames import thinned
from ui.run_state import state_of

_MOST_ERRORS = 1000
_errors: OrderedDict[tuple[str, int], float | None] = OrderedDict()


def race_frame(handles: Sequence[Handle]) -> bytes:
    """Return the state of each run, and its curve as rows of iteration, objective and seconds."""
    runs, curves = [], []
    for handle in handles:
        status, phase, state = handle.status, handle.phase, state_of(handle)
        curve = handle.reader.curve() if handle.reader else np.empty((0, 2))
        chosen = thinned(len(curve))
        curves.append(np.column_stack([chosen, curve[chosen, :2]]))
        runs.append(
            {
                "id": handle.id,
                "status": status,
                "phase": phase,
                "state": state,
                "ended": handle.ended,
                "rows": len(chosen),
                "iteration": max(0, len(curve) - 1),
                "kept": [_snapshot_row(handle, curve, it, scores) for it, scores in list(handle.snapshots)],
            }
        )
    return packed({"runs": runs}, {"points": np.vstack(curves).astype("<f4")})


def _snapshot_row(handle: Handle, curve: Any, iteration: int, scores: dict[str, float]) -> list[float | None]:
    """Return iteration, seconds, share recognised and relative error of a snapshot."""
    seconds = round(float(curve[iteration, 1]), 4) if iteration < len(curve) else None
    return [iteration, seconds, scores.get("accuracy_euclidean"), _error(handle, iteration)]


def _error(handle: Handle, iteration: int) -> float | None:
    """Return the relative error of a snapshot; it never changes, so it is worked out once."""
    place = (handle.id, iteration)
    if place not in _errors:
        _errors[place] = _worked_out(handle, iteration)
        while len(_errors) > _MOST_ERRORS:
            _errors.popitem(last=False)
    return _errors.get(place)


def _worked_out(handle: Handle, iteration: int) -> float | None:
    """Return ‖X − WH‖ / ‖X‖ over the samples of a run; None if it does not rebuild them as they are."""
    spec = method_spec(handle.request.method)
    if handle.reader is None or "reconstruction" not in handle.reader.layout.terms:
        return None
    if not spec.linear or wants_views(spec.id):
        return None
    try:
        arrays = handle.snapshot(iteration)
    except KeyError:
        return None
    W, H = (np.asarray(arrays[name], np.float64) for name in ("embedding", "components"))
    if "mean" in arrays:
        W, H = np.column_stack([W, np.ones(len(W))]), np.vstack([H, arrays["mean"]])
    X: Any = _rows(handle)
    if W.shape[0] != X.shape[0] or H.shape[1] != X.shape[1]:
        return None
    whole = float(X.multiply(X).sum() if hasattr(X, "multiply") else np.square(X, dtype=np.float64).sum())
    crossed = float(np.vdot(np.asarray(X.T @ W).T, H))
    missing = whole - 2 * crossed + float(np.vdot(W.T @ W, H @ H.T))
    return round(float(np.sqrt(max(missing, 0.0) / whole)), 4) if whole and np.isfinite(missing) else None


def _rows(handle: Handle) -> Any:
    request = handle.request
    ds = load_dataset(request.dataset, **request.dataset_options)
    rows = rows_of(ds, request)
    return seen_rows(ds, request, rows)[rows.train]
