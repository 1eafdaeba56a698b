"""What the checks of a continuation have shown, in words: which cells, and where the way decides."""

from __future__ import annotations

from experiments.tuning.sweep_table import Cell, SweepTable

_MOST_NAMED = 6


def audit_sentence(table: SweepTable) -> str:
    """Return how many cells were fitted from the beginning as well, and where ways end apart.

    Nothing if fits do not go on from one another, or none has been checked yet.
    """
    audited = [cell for cell in table.cells if cell.audited]
    if not audited:
        return ""
    apart = [cell for cell in table.cells if cell.path_dependent]
    checked = f"{len(audited)} of {len(table.cells)} cells were fitted from the beginning as well, as a check"
    if not apart:
        return f"{checked}: all ways end alike."
    more = f" and {len(apart) - _MOST_NAMED} more" if len(apart) > _MOST_NAMED else ""
    named = "; ".join(_named(cell) for cell in apart[:_MOST_NAMED])
    return f"{checked}. At {len(apart)} the answer depends on the way ({named}{more})."


def notes(cell: Cell) -> str:
    """Return how far a cell is to be trusted, in a few words for a table."""
    remarks = [
        "provisional" if cell.provisional else "",
        "fitted from the beginning too" if cell.audited else "",
        "depends on the way" if cell.path_dependent else "",
    ]
    return ", ".join(filter(None, remarks))


def _named(cell: Cell) -> str:
    return ", ".join(
        f"{name} = {value:.4g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in cell.params.items()
    )
