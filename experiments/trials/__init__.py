"""One way to get a number: trials, what is measured of them, tables of them, and who carries them out.

A trial is a run request and the measures wanted of its fit. Its key follows from its content, so that equal
trials are never computed twice, whichever page, command or machine they are asked for by.
"""

from experiments.trials.evaluation import Evaluation, evaluate
from experiments.trials.result import Result
from experiments.trials.table import Spread, Table
from experiments.trials.trial import Chain, MeasureRequest, Trial

__all__ = ["Chain", "Evaluation", "MeasureRequest", "Result", "Spread", "Table", "Trial", "evaluate"]
