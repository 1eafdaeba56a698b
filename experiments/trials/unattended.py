"""Tables left to go on by themselves: listed, stopped, and after a restart gone on with."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from functools import partial

from datasets.uploads import is_upload
from experiments.store import StoreUnavailableError, UnattendedRow, UnattendedRows
from experiments.store.run_columns import fingerprint
from experiments.trials.tables import Tables
from experiments.trials.trial import Chain, Trial, as_chain

log = logging.getLogger(__name__)
MOST_TRIALS = 5000


class Unattended:
    """What visitors have left to go on. An owner is a token; `choices` are what leads back to a page."""

    def __init__(self, tables: Tables, rows: UnattendedRows) -> None:
        self._tables, self._rows = tables, rows

    def leave(self, owner: str, title: str, page: str, choices: str, work: Sequence[Trial | Chain]) -> None:
        """Have a table filled in to its end; a ValueError says that this is too much."""
        chains = [as_chain(piece) for piece in work]
        whole = sum(len(chain.trials) for chain in chains)
        if whole > MOST_TRIALS:
            raise ValueError(
                f"This table takes {whole} trials, and up to {MOST_TRIALS} go on by themselves. Ask for "
                "fewer splits or values, or have the command line work it out."
            )
        text = json.dumps([chain.to_json() for chain in chains])
        row = UnattendedRow(table_id(work), title[:200], page, choices, whole)
        self._rows.save(row, fingerprint(owner), text, _scope(chains))
        self._begin(owner, row.id, chains)

    def listed(self, owner: str) -> list[UnattendedRow]:
        """Return an owner's tables, the latest first."""
        return self._rows.find(fingerprint(owner))

    def stop(self, owner: str, id: str) -> None:
        """Do no more for a table; what has come stays."""
        self._tables.stop(owner, _name(id))
        self._rows.note(id, fingerprint(owner), status="stopped")

    def go_on(self, owner: str, id: str) -> None:
        """Go on with a table that was stopped or interrupted; a ValueError says why that is not to be had."""
        texts = self._rows.work(id, fingerprint(owner))
        if texts is None:
            raise ValueError("This table is no longer kept.")
        row = next(row for row in self.listed(owner) if row.id == id)
        chains = [Chain.from_json(text) for text in json.loads(texts)]
        self._rows.save(row, fingerprint(owner), texts, _scope(chains))
        self._begin(owner, id, chains)

    def delete(self, owner: str, id: str) -> None:
        """Stop a table and take it off the list; its results stay for whoever asks for the same."""
        self._tables.stop(owner, _name(id))
        self._rows.delete(id, fingerprint(owner))

    def _begin(self, owner: str, id: str, chains: Sequence[Chain]) -> None:
        self._tables.leave(owner, _name(id), chains, partial(self._note, owner, id))

    def _note(self, owner: str, id: str, done: int, complete: bool) -> None:
        try:
            self._rows.note(id, fingerprint(owner), done=done, status="done" if complete else None)
        except StoreUnavailableError as error:
            log.warning("%s How far a table is will be noted later.", error)


def table_id(work: Sequence[Trial | Chain]) -> str:
    """Return the id of a table, which follows from its trials."""
    keys = " ".join(key for piece in work for key in as_chain(piece).keys)
    return hashlib.sha256(keys.encode()).hexdigest()[:32]


def _name(id: str) -> str:
    return f"left {id}"


def _scope(chains: Sequence[Chain]) -> str:
    uploads = {trial.request.dataset for chain in chains for trial in chain.trials}
    return next((dataset for dataset in uploads if is_upload(dataset)), "")
