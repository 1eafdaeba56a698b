"""Experiments: what is done with data and methods, and what is measured.

>>> import experiments
>>> request = experiments.RunRequest("swimmer", "nmf", {"n_components": 17, "max_iter": 20, "tol": 0})
>>> experiments.run(request).status
'max_iter'
"""

from experiments.corruption import occlude
from experiments.record import RunRecord, Snapshot
from experiments.request import RunRequest
from experiments.run import run
from experiments.splits import Split, split

__all__ = ["RunRecord", "RunRequest", "Snapshot", "Split", "occlude", "run", "split"]
