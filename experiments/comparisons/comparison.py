"""Methods compared over several splits, by labels or by dimension: which trials that takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from datasets import Dataset
from experiments.measures.recognition import METRICS, TEST_SAMPLES, TestSamples
from experiments.requests.prepare import facts, rows_of
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Table, Trial
from methods import Spec

Axis = Literal["method", "labels", "dimension"]
# All of them come with a fit: whoever asks another way finds the answer there.
ACCURACIES = tuple(
    MeasureRequest("accuracy", {"asked": test_samples, "metric": metric})
    for test_samples in TEST_SAMPLES
    for metric in METRICS
)


@dataclass(frozen=True)
class Contestant:
    """A method that is compared, and those of its parameters that are not the usual ones."""

    spec: Spec
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def id(self) -> str:
        """The id of the method, and its own parameters behind it.

        >>> import methods
        >>> Contestant(methods.spec("nmf"), (("n_components", 9),)).id
        'nmf n_components=9'
        """
        return " ".join([self.spec.id, *(f"{name}={value}" for name, value in self.params)])


def compared(
    ds: Dataset,
    base: RunRequest,
    contestants: Sequence[Contestant],
    axis: Axis,
    values: Sequence[int],
    splits: int,
) -> Table:
    """Return the trials of a comparison, by contestant and value on the axis (None if it has none).

    `base` says which data, and how many samples are held out; its seed is that of the first split. On the
    axis "labels" a value is how many samples of each class are labelled, on "dimension" how many parts or
    directions there are. Methods without parts stay the same along "dimension".
    Parameters that were `chosen` for a method take the place of the usual ones.
    """
    bare = replace(base, labels=(), pairs=())
    trials = {}
    for value in [None] if axis == "method" else list(values):
        for contestant in contestants:
            # Every split labels as many samples, so that automatic parameters are the same in all of them.
            first = _request(ds, bare, contestant, axis, value)
            trials[contestant.id, value] = tuple(
                Trial(first.of_split(split), ACCURACIES) for split in range(splits)
            )
    return Table(("method", axis if axis != "method" else "all"), trials)


def accuracy_name(test_samples: TestSamples, metric: str) -> str:
    """Return the name of the score for samples asked about in one way, by one distance."""
    return MeasureRequest("accuracy", {"asked": test_samples, "metric": metric}).name


def _request(
    ds: Dataset, base: RunRequest, contestant: Contestant, axis: Axis, value: int | None
) -> RunRequest:
    spec, split = contestant.spec, dict(base.split)
    if axis == "labels":
        for other in ("labelled_fraction", "given"):
            split.pop(other, None)
        split["labelled_per_class"] = value
    bare = replace(base, method=spec.id, params={}, split=split)
    start = spec.starting_values(facts(ds, rows_of(ds, bare)))
    params: dict[str, Any] = {
        name: start_value for name, start_value in start.items() if start_value is not None
    }
    params |= dict(contestant.params)
    if axis == "dimension" and value is not None and any(p.name == "n_components" for p in spec.params):
        params["n_components"] = value
        if "n_discriminative" in params:
            params["n_discriminative"] = min(ds.n_classes, value - 1)
    return replace(bare, params=params)
