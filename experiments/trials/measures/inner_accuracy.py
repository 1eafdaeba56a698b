"""The share of labelled samples whose class is found when their own label is held back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from experiments.engine.record import ENDED_WELL
from experiments.engine.run import Run
from experiments.measures.recognition import METRICS, Metric
from experiments.requests.by_hand import class_names
from experiments.requests.prepare import facts, rows_of
from experiments.requests.request import RunRequest
from experiments.requests.splits import Rows
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from experiments.trials.reading import READINGS, Reading, share_right
from methods import spec as method_spec


def inner_accuracy(
    fit: Fit, *, folds: int = 2, repeats: int = 1, metric: Metric = "euclidean", reading: Reading = "own"
) -> float:
    """Return the mean over inner splits of the labelled rows alone; no other label is looked at.

    The labelled rows of each class are dealt into folds. For each fold the method is fitted afresh without
    the labels of that fold, which it is then asked for; all other rows stay as they were.
    """
    shares = [_right(fit, request, held, metric, reading) for request, held in inner(fit, folds, repeats)]
    return float(np.mean(shares))


def inner(fit: Fit, folds: int, repeats: int) -> Iterator[tuple[RunRequest, Rows]]:
    """Yield for every inner split the request with fewer labels, and the rows whose label it lacks."""
    ds, request, rows = fit.dataset, fit.request, fit.rows
    y = rows.y_partial
    if ds.y is None or not rows.labelled.size:
        raise ValueError(f"{ds.title} has no labelled samples, so none can be held back.")
    most = int(np.bincount(y[rows.labelled]).max())
    if most < 2:
        raise ValueError(
            "There is one labelled sample of each class, so none can be held back: label two or more."
        )
    if folds < 2 or repeats < 1:
        raise ValueError(f"folds={folds} must be at least 2 and repeats={repeats} at least 1.")
    names = class_names(ds, request.labels)
    bare = replace(request, params=_settled(fit), split=_unlabelled(request), labels=())
    for repeat in range(repeats):
        fold_of = _dealt(y, rows.labelled, min(folds, most), request.seed, repeat)
        for fold in range(min(folds, most)):
            held = rows.labelled[fold_of == fold]
            labelled_rows = rows.labelled[fold_of != fold]
            yield replace(bare, labels=tuple((int(row), names[y[row]]) for row in labelled_rows)), held


def inner_run(fit: Fit, request: RunRequest) -> Run:
    """Return the finished run of an inner split, made once a fit; a ValueError says why it went wrong."""
    if (run := fit.inner.get(request.labels)) is None:
        # In a chain it goes on from the one beside with the same labels, which knows none of those held back.
        beside = fit.beside.get(request.labels)
        run = fit.inner[request.labels] = Run(request, earlier=beside, snapshots=False)
    try:
        while run.advance():
            pass
    except BaseException:
        # Work that was taken back in the middle of a step: such a run cannot go on for others.
        del fit.inner[request.labels]
        raise
    if run.status not in ENDED_WELL:
        raise ValueError(f"With labels held back: {run.message}")
    return run


def _right(fit: Fit, request: RunRequest, held: Rows, metric: Metric, reading: Reading) -> float:
    prepared = inner_run(fit, request).prepared
    y, train = fit.rows.y_partial, prepared.rows.train
    labels, test_mask, truth = prepared.rows.y_partial[train], np.isin(train, held), y[train]
    return share_right(
        prepared.spec, prepared.estimator, prepared.X, labels, test_mask, truth, metric, reading
    )


def _settled(fit: Fit) -> dict[str, object]:
    """Return the parameters with automatic values as they are with all labels, not with the fewer."""
    request = fit.request
    sizes = facts(fit.dataset, rows_of(fit.dataset, request))
    params = request.every_param()
    if params.get("n_discriminative", 0) is None and fit.record.discriminative:
        # Of few parts fewer tell classes apart than there are classes.
        params["n_discriminative"] = fit.record.discriminative
    for param in method_spec(request.method).params:
        if param.kind != "seed" and params[param.name] is None and param.auto:
            params[param.name] = param.auto(sizes)
    return params


def _unlabelled(request: RunRequest) -> dict[str, object]:
    split = {name: value for name, value in request.split.items() if name != "labelled_fraction"}
    return split | {"labelled_per_class": 0}


def _dealt(y: Rows, labelled: Rows, folds: int, seed: int, repeat: int) -> Rows:
    """Return the fold of each labelled row, class by class, at random but reproducibly.

    The only one of its class is in none: without it nobody could name the class.
    """
    fold_of = np.full(labelled.size, -1)
    for code in np.unique(y[labelled]):
        places = np.flatnonzero(y[labelled] == code)
        if places.size < 2:
            continue
        rng = np.random.default_rng([seed, repeat, int(code)])
        fold_of[rng.permutation(places)] = (np.arange(places.size) + rng.integers(folds)) % folds
    return fold_of


MEASURE = Measure(
    id="inner_accuracy",
    title="Accuracy on labelled samples held back",
    unit="share",
    better="high",
    of=inner_accuracy,
    summary="Share of labelled samples whose class is found by fits that are not told it: the honest measure "
    "to choose by, for it looks at no other label.",
    needs=frozenset({"truth"}),
    choices={"metric": METRICS, "reading": READINGS},
)
