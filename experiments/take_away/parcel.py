"""The data of a run in one object, whether it comes from the service, the store or a bundle."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from datasets.reading.understood import content_id
from datasets.uploads import is_upload
from experiments.engine.handle import Handle
from experiments.engine.record import RunRecord
from experiments.persistence.run_entry import content_of, outcome_of
from experiments.requests.request import RunRequest
from experiments.store import Content, RunEnding, RunStore, StoredRun


@dataclass(frozen=True)
class Parcel:
    """A run with its curve, its arrays and its outcome."""

    request: RunRequest
    content: Content
    outcome: RunEnding
    name: str = ""
    tags: tuple[str, ...] = ()

    @property
    def iterations(self) -> int:
        """How many iterations were made."""
        return max(0, len(self.content.curve) - 1)

    @property
    def file_name(self) -> str:
        """A name for files made of it, without ending."""
        data = "upload" if is_upload(self.request.dataset) else self.request.dataset
        title = self.name or f"{data} {self.request.method}"
        return re.sub(r"\W+", "-", title, flags=re.ASCII).strip("-").lower()[:60] or "run"


def parcel_of_handle(handle: Handle, *, arrays: bool = True) -> Parcel:
    """Return the present state of a run of the service, with or without its arrays."""
    return Parcel(handle.request, content_of(handle, arrays=arrays), outcome_of(handle))


def parcel_of_record(record: RunRecord, name: str = "") -> Parcel:
    """Return a run that was carried out in this process; it is scored at its end alone."""
    curve = np.column_stack([record.objective, record.seconds, *record.terms.values()])
    ending = {
        "reading": dict(record.reading),
        "files": record.files,
        "discriminative": record.discriminative,
    }
    scored = {name: score for name, score in record.scores.items() if name == "accuracy_euclidean"}
    return Parcel(
        record.request,
        Content(tuple(record.terms), curve, record.arrays, record.iterations),
        RunEnding(
            record.status,
            record.message,
            record.scores,
            [(record.iterations, scored)],
            record.versions,
            ending,
        ),
        name,
    )


def parcel_of_stored(store: RunStore, run: StoredRun, *, arrays: bool = True) -> Parcel:
    """Return a stored run, without its arrays if that is enough; a KeyError if its file is gone."""
    details = run.details
    outcome = RunEnding(
        run.status,
        run.message,
        run.scores,
        run.snapshots,
        details.get("versions", {}),
        details.get("ending", {}),
    )
    content = store.content(run) if arrays else Content(run.terms, store.curve(run), tracked=run.tracked)
    return Parcel(run.request, content, outcome, run.name, run.tags)


def of_owner(parcel: Parcel, owner: str) -> Parcel:
    """Return a run on uploaded data as one on those of an owner, who has the file or is asked for it."""
    if not is_upload(parcel.request.dataset):
        return parcel
    ending = parcel.outcome.ending
    files = [(name, digest) for name, digest in ending.get("files") or ()]
    id = content_id(files, ending.get("reading") or {}, owner)
    return replace(parcel, request=replace(parcel.request, dataset=id))


def keep_parcel(store: RunStore, parcel: Parcel, id: str, owner: str, *, shared: bool = False) -> None:
    """Put a run that came from elsewhere into the store."""
    parcel = of_owner(parcel, owner)
    store.begin(id, parcel.request, owner, name=parcel.name)
    store.save(id, parcel.content, parcel.outcome)
    store.tag(id, owner, parcel.tags)
    if shared:
        store.share(id, owner, True)
