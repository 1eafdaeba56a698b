"""The classes a run predicts for the samples it has seen without a label, as a table to take away."""

from __future__ import annotations

import csv
import io

from datasets import Dataset
from experiments.fitted.verdicts import Verdicts
from experiments.inspection.titles import sample_title

COLUMNS = ("row", "sample", "predicted", "margin", "known")


def as_csv(verdicts: Verdicts, ds: Dataset) -> str:
    """Return a line a sample: row number, name, predicted class, how clear that was, its class if known.

    Rows count from 0, as `--npz` numbers them. The margin is 0 for a tie and 1 where nothing else came near.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    entries = zip(verdicts.row, verdicts.code, verdicts.sure, verdicts.truth, strict=True)
    for row, code, sure, truth in entries:
        predicted, known = (verdicts.names[c] if 0 <= c < len(verdicts.names) else "" for c in (code, truth))
        table.writerow([int(row), sample_title(ds, int(row)), predicted, f"{float(sure):.6g}", known])
    return text.getvalue()
