"""Which carrier a command or the environment asks for."""

from __future__ import annotations

import os
import re

from experiments.trials.carriers.carrier import Carrier
from experiments.trials.carriers.dask import Dask
from experiments.trials.carriers.processes import Processes
from experiments.trials.carriers.slurm import Slurm

CLUSTER = "PARTWISE_CLUSTER"
_ADDRESS = re.compile(r"(tcp|tls|ucx|ws|wss)://[\w.\-\[\]:]+:\d{1,5}")


def chosen(cluster: str | None = None, jobs: int | None = None) -> Carrier:
    """Return who is to carry out trials: a cluster if one is named here or by `PARTWISE_CLUSTER`.

    >>> chosen("tcp://10.0.0.1:8786").name
    'the cluster at tcp://10.0.0.1:8786'
    >>> chosen(jobs=2).name
    '2 processes here'
    """
    target = cluster if cluster is not None else os.environ.get(CLUSTER, "") if jobs is None else ""
    if not target:
        return Processes(jobs)
    if cluster is not None and jobs is not None:
        raise ValueError("give --jobs or --cluster, not both: a cluster has its own workers")
    # SLURM is for work that may wait for its turn: it is named where that is started.
    kind, _, partition = target.partition(":")
    if kind == "slurm":
        return Slurm(partition)
    if _ADDRESS.fullmatch(target):
        return Dask(target)
    raise ValueError(
        f"{target!r} is not a cluster: tcp://host:port is where a Dask scheduler listens, slurm:partition "
        "a partition of SLURM"
    )
