"""The run store: what was run, kept in a database with the arrays in files beside it.

SQLite in the user's data folder by default, PostgreSQL if `PARTWISE_DATABASE_URL` says so. Several
server processes may write to the same store. A run is written down when it begins and, from time to
time, what it has reached: so after a crash the finished ones are whole and the others are listed
as interrupted.
"""

from experiments.store.database import StoreUnavailableError
from experiments.store.files import Content
from experiments.store.opening import open_store
from experiments.store.quota import NoRoomError, Quota
from experiments.store.rows import RunEnding, RunFilter, RunPage, StoredRun
from experiments.store.run_store import RunStore
from experiments.store.sweep_rows import SweepRow, SweepRows
from experiments.store.trial_rows import TrialRow, TrialRows
from experiments.store.unattended_rows import UnattendedRow, UnattendedRows, UnattendedStatus

__all__ = [
    "Content",
    "NoRoomError",
    "Quota",
    "RunEnding",
    "RunFilter",
    "RunPage",
    "RunStore",
    "StoreUnavailableError",
    "StoredRun",
    "SweepRow",
    "SweepRows",
    "TrialRow",
    "TrialRows",
    "UnattendedRow",
    "UnattendedRows",
    "UnattendedStatus",
    "open_store",
]
