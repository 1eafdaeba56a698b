"""The share of samples whose class is found, as the method's paper looks for it."""

from __future__ import annotations

from experiments.measures.recognition import METRICS, TEST_SAMPLES, Metric, TestSamples
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from experiments.trials.reading import READINGS, Reading, share_right

_SCORES: dict[TestSamples, str] = {"seen": "accuracy", "unseen": "held_out"}
_NOTHING: dict[TestSamples, str] = {
    "seen": "no sample it has seen without a label can be asked about",
    "unseen": "no sample it has never seen can be asked about",
}


def accuracy(
    fit: Fit, *, asked: TestSamples = "seen", metric: Metric = "euclidean", reading: Reading = "own"
) -> float:
    """Return the share that is right of the samples seen without a label, or of those never seen."""
    if reading != "own":
        if asked == "unseen":
            raise ValueError("Samples never seen are compared as the paper does: reading must be own.")
        return _read(fit, metric, reading)
    score = fit.record.scores.get(f"{_SCORES[asked]}_{metric}")
    if score is None:
        raise ValueError(f"{fit.spec.title}: {_NOTHING[asked]}.")
    return score


def _read(fit: Fit, metric: Metric, reading: Reading) -> float:
    train, y = fit.rows.train, fit.dataset.y
    labels = fit.rows.y_partial[train]
    if y is None or not ((labels < 0) & (y[train] >= 0)).any() or not (labels >= 0).any():
        raise ValueError(f"{fit.spec.title}: {_NOTHING['seen']}.")
    test_mask = (labels < 0) & (y[train] >= 0)
    return share_right(
        fit.spec, fit.recogniser.estimator, fit.training, labels, test_mask, y[train], metric, reading
    )


MEASURE = Measure(
    id="accuracy",
    title="Accuracy",
    unit="share",
    better="high",
    of=accuracy,
    summary="Share of samples whose class is found: by the nearest labelled sample among the features its "
    "paper compares by, or by the method itself if it predicts classes.",
    needs=frozenset({"truth"}),
    choices={"asked": TEST_SAMPLES, "metric": METRICS, "reading": READINGS},
)
