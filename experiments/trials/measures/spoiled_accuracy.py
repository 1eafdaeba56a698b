"""The share of samples recognised behind a patch or noise that the fit has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from experiments.fitted.recognisers import HOWS, How, Recogniser
from experiments.measures.recognition import METRICS, Codes, Metric
from experiments.requests.corruption import KINDS, Kind, left_uncovered, settings, spoil
from experiments.requests.noise import NOISES
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure

Drawn = Literal["tested", "everything"]
_MOST_FACES = 400


def spoiled_accuracy(
    fit: Fit,
    *,
    kind: Kind = "grey",
    amount: int = 20,
    position: Sequence[int] | None = None,
    draw: int = 1000,
    drawn: Drawn = "tested",
    metric: Metric = "euclidean",
    how: How = "ridge",
) -> float:
    """Return the share of spoiled pictures that are recognised.

    `amount` is the side of the patch in pixels, or the noise in percent, `draw` the seed of places and
    noise: drawn for the pictures tested (a few hundred), or for all of them and those tested then taken, as
    runs do that learn from spoiled pictures. With `how="masked"` covered pixels are left out.
    """
    who = fit.recogniser
    shape, y = who.data.image_shape, who.data.y
    if shape is None:
        raise ValueError(f"{who.data.title} does not hold images: nothing can be covered.")
    assert y is not None
    # Pictures are dense.
    everything: Any = who.data.X
    corruption = settings(kind, amount) | ({} if position is None else {"position": tuple(position)})
    rows = who.test_rows if drawn == "everything" else tested(who)
    drawn_for = np.arange(len(everything)) if drawn == "everything" else rows
    selected = rows if drawn == "everything" else slice(None)
    pictures = spoil(everything[drawn_for], shape, seed=draw, **corruption)[selected]
    left = None
    if how == "masked":
        left = left_uncovered(drawn_for.size, shape, seed=draw, **corruption)[selected]
    return float(np.mean(who.recognise(pictures, metric, how, left).code == y[rows]))


def tested(who: Recogniser) -> Codes:
    """Return the rows a method is tested on, at most a few hundred, spread over all."""
    rows = who.test_rows
    if rows.size > _MOST_FACES:
        rows = rows[np.linspace(0, rows.size - 1, _MOST_FACES).astype(np.int64)]
    return rows


MEASURE = Measure(
    id="spoiled_accuracy",
    title="Accuracy behind a patch or noise",
    unit="share",
    better="high",
    of=spoiled_accuracy,
    summary="Share of spoiled pictures whose class is found by a fit that has not seen them spoiled.",
    needs=frozenset({"truth", "images", "transform"}),
    choices={"kind": KINDS + NOISES, "drawn": get_args(Drawn), "metric": METRICS, "how": HOWS},
)
