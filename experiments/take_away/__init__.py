"""A run to take away: as a bundle that can be handed in again, as a script, as a notebook."""

from experiments.take_away.bundle import bundle, unbundle
from experiments.take_away.notebook import notebook
from experiments.take_away.parcel import (
    Parcel,
    keep_parcel,
    parcel_of_handle,
    parcel_of_record,
    parcel_of_stored,
)
from experiments.take_away.script import script, why_no_script

__all__ = [
    "Parcel",
    "bundle",
    "keep_parcel",
    "notebook",
    "parcel_of_handle",
    "parcel_of_record",
    "parcel_of_stored",
    "script",
    "unbundle",
    "why_no_script",
]
