"""Who carries trials out: the workers of the app, processes of this machine, a Dask cluster, SLURM."""

from experiments.trials.carriers.carrier import Carrier, CarrierError, carry_out
from experiments.trials.carriers.choice import CLUSTER, chosen
from experiments.trials.carriers.processes import Processes
from experiments.trials.carriers.visitors import for_visitors

__all__ = ["CLUSTER", "Carrier", "CarrierError", "Processes", "carry_out", "chosen", "for_visitors"]
