"""The classes a run predicts for the samples it has seen without a label, as a table to take away."""

from __future__ import annotations

from collections.abc import Iterator

from datasets import Dataset
from experiments.fitted.verdicts import Verdicts
from experiments.requests.titles import sample_title
from experiments.table_files import as_csv as written

COLUMNS = ("row", "sample", "predicted", "margin", "known")


def as_csv(verdicts: Verdicts, ds: Dataset) -> str:
    """Return a line a sample: row number, name, predicted class, how clear that was, its class if known.

    Rows count from 0, as `--npz` numbers them. The margin is 0 for a tie and 1 where nothing else came near.
    """
    return written(COLUMNS, _rows(verdicts, ds))


def _rows(verdicts: Verdicts, ds: Dataset) -> Iterator[tuple[int | str, ...]]:
    entries = zip(verdicts.row, verdicts.code, verdicts.sure, verdicts.truth, strict=True)
    for row, code, sure, truth in entries:
        predicted, true_class = (
            verdicts.names[c] if 0 <= c < len(verdicts.names) else "" for c in (code, truth)
        )
        yield int(row), sample_title(ds, int(row)), predicted, f"{float(sure):.6g}", true_class
