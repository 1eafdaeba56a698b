"""Sweeps kept by name in the run store: listed, opened, gone on with, shared."""

from __future__ import annotations

from dataclasses import dataclass, replace

from datasets.uploads import is_upload
from experiments.store import RunStore, SweepRow
from experiments.store.run_columns import fingerprint
from experiments.tuning.sweep import Sweep


@dataclass(frozen=True)
class NamedSweep:
    """A sweep on the shelf. Its results are those of its trials, wherever they were asked for."""

    id: str
    sweep: Sweep
    shared: bool
    mine: bool
    created_at: float
    opened_at: float


class SweepShelf:
    """The sweeps in a run store. `owner` is the token of whoever asks; terminals have none."""

    def __init__(self, store: RunStore) -> None:
        self._rows = store.sweeps

    def save(self, sweep: Sweep, owner: str = "") -> str:
        """Keep a sweep under its name, in place of the owner's of that name; return its id.

        A ValueError says that it has no name, or that there are too many. From a terminal it is shared.
        """
        request = sweep.request
        return self._rows.save(
            sweep.name,
            fingerprint(owner),
            key=sweep.key,
            dataset=request.dataset,
            method=request.method,
            sweep=sweep.to_json(),
            scope=request.dataset if is_upload(request.dataset) else "",
        )

    def open(self, id: str, owner: str = "") -> NamedSweep | None:
        """Return a sweep by its id, which is enough for a link; None if it is gone or cannot be read."""
        row = self._rows.get(id, fingerprint(owner))
        if row is not None:
            self._rows.touch(id)
        return None if row is None else _named(row)

    def named(self, name: str, owner: str = "") -> NamedSweep | None:
        """Return the owner's sweep of a name, or else one on the shared shelf."""
        row = self._rows.named(" ".join(name.split()), fingerprint(owner))
        return None if row is None else _named(row)

    def list(self, owner: str = "", *, shared: bool = False) -> list[NamedSweep]:
        """Return the owner's sweeps, or those that are shared, the latest first."""
        rows = self._rows.find(fingerprint(owner), shared=shared)
        return [named for row in rows if (named := _named(row)) is not None]

    def share(self, id: str, owner: str, shared: bool = True) -> None:
        """Let everybody find a sweep, or no longer."""
        self._rows.share(id, fingerprint(owner), shared)

    def rename(self, id: str, owner: str, name: str) -> None:
        """Give a sweep another name; a ValueError says that it is taken."""
        self._rows.rename(id, fingerprint(owner), name)

    def delete(self, id: str, owner: str) -> None:
        """Remove a sweep from the shelf; the results of its trials stay."""
        self._rows.delete(id, fingerprint(owner))


def _named(row: SweepRow) -> NamedSweep | None:
    try:
        sweep = replace(Sweep.from_json(row.sweep), name=row.name)
    except (ValueError, TypeError, KeyError):
        return None  # Of a method or a parameter that there is no longer.
    return NamedSweep(row.id, sweep, row.shared, row.mine, row.created_at, row.opened_at)
