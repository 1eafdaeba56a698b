"""Maps, graphs and fits to pairs worked out in a worker of the app; the server only takes them in.

What a page shows of a large data set takes seconds and gigabytes: there it has its turns among the runs of
whoever looks, and no more memory than they have.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from datasets import load
from experiments.engine.question_job import ask
from experiments.requests.request import RunRequest

if TYPE_CHECKING:
    from datasets import Dataset
    from experiments.engine.worker_jobs import WorkerJobs
    from experiments.inspection.layout import Points, Way
    from experiments.inspection.neighbourhoods import Codes, Graph, GraphFacts, Kind, LabelSpread, Rule
    from experiments.inspection.paired import Paired

KIND = "inspection"
# Labels spread over a graph that has just been drawn.
_GRAPHS_AT_HAND = 6


@dataclass(frozen=True, eq=False)
class DrawnGraph:
    """What is seen of a graph: each edge once, as a pair of rows, the weights, and what counts them up."""

    pairs: Codes
    weights: NDArray[np.float64]
    facts: GraphFacts


@dataclass(frozen=True, eq=False)
class GraphQuestion:
    """A graph over a data set: its kind, its size, and the labels that a method may know (-1: none)."""

    data: Dataset
    codes: Codes
    kind: Kind
    size: int | None

    def plain(self) -> dict[str, Any]:
        """Return it as plain data."""
        wanted = {"kind": self.kind, "size": self.size, "codes": self.codes.tolist()}
        return _of(self.data) | wanted


def layout_of(ds: Dataset, way: Way, jobs: WorkerJobs, owner: str) -> Points:
    """Return the points of all samples of a data set; waits for them."""
    return cast("Points", _ask(_of(ds) | {"what": "layout", "way": way}, jobs, owner))


def graph_of(wanted: GraphQuestion, jobs: WorkerJobs, owner: str) -> DrawnGraph:
    """Return the edges of a graph and its statistics; waits for them."""
    return cast("DrawnGraph", _ask(wanted.plain() | {"what": "graph"}, jobs, owner))


def spread_of(wanted: GraphQuestion, n_classes: int, rule: Rule, jobs: WorkerJobs, owner: str) -> LabelSpread:
    """Return how labels spread over a graph; waits for it."""
    question = wanted.plain() | {"what": "spread", "n_classes": n_classes, "rule": rule}
    return cast("LabelSpread", _ask(question, jobs, owner))


def paired_of(request: RunRequest, jobs: WorkerJobs, owner: str) -> Paired:
    """Return a method fitted to pairs; waits for it."""
    question = {"what": "paired", "request": request.as_given()}
    return cast("Paired", _ask(question, jobs, owner))


def answer(plain: dict[str, Any]) -> Any:
    """Return the answer to one of these questions, in a worker."""
    # Nobody waits for these before the first question.
    from experiments.inspection.layout import layout
    from experiments.inspection.neighbourhoods import edges, facts, spread
    from experiments.inspection.paired import paired

    what = plain["what"]
    if what == "paired":
        return paired(RunRequest.from_json(plain["request"]))
    ds = load(plain["dataset"], **plain["options"])
    if what == "layout":
        return layout(ds, plain["way"])
    codes = np.array(plain["codes"], np.int64)
    affinity = _graph(ds, codes, plain["kind"], plain["size"])
    if what == "graph":
        return DrawnGraph(*edges(affinity), facts(affinity, ds.y, np.flatnonzero(codes >= 0)))
    return spread(affinity, codes, plain["n_classes"], plain["rule"], ds.y)


def _ask(question: dict[str, Any], jobs: WorkerJobs, owner: str) -> Any:
    return ask(jobs, KIND, question, owner=owner, apart=True)


def _of(ds: Dataset) -> dict[str, Any]:
    return {"dataset": ds.id, "options": dict(ds.options)}


def _graph(ds: Dataset, codes: Codes, kind: Kind, size: int | None) -> Graph:
    labels = codes.tobytes() if kind in ("intrinsic", "penalty") else b""
    return _at_hand(ds.id, json.dumps(dict(ds.options), sort_keys=True), len(codes), labels, kind, size)


@lru_cache(maxsize=_GRAPHS_AT_HAND)
def _at_hand(dataset: str, options: str, rows: int, labels: bytes, kind: Kind, size: int | None) -> Graph:
    """Return a graph; of two of the four kinds the labels are none of its business."""
    from experiments.inspection.neighbourhoods import graph

    codes = np.frombuffer(labels, np.int64) if labels else np.full(rows, -1)
    return graph(load(dataset, **json.loads(options)), codes, kind, size)
