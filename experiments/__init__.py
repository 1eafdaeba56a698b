"""Experiments: what is done with data and methods, and what is measured.

>>> import experiments
>>> request = experiments.RunRequest("swimmer", "nmf", {"n_components": 17, "max_iter": 20, "tol": 0})
>>> experiments.run(request).status
'max_iter'
"""

from experiments.engine.record import RunRecord, Snapshot
from experiments.engine.run import run
from experiments.requests.corruption import occlude
from experiments.requests.request import RunRequest
from experiments.requests.splits import Split, split

__all__ = ["RunRecord", "RunRequest", "Snapshot", "Split", "occlude", "run", "split"]
