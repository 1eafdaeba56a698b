"""Tables left to go on by themselves: listed, stopped, and after a restart gone on with."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from datasets.uploads import is_upload
from experiments.store import StoreUnavailableError, UnattendedRow, UnattendedRows, UnattendedStatus
from experiments.store.run_columns import fingerprint
from experiments.trials.plan import FixedPlan, Plan
from experiments.trials.tables import Tables

log = logging.getLogger(__name__)
MOST_TRIALS = 5000
# By the `kind` that a plan which is no list of trials has in its text: what makes it again.
Readers = Mapping[str, Callable[[str], Plan]]


class Unattended:
    """What visitors have left to go on. An owner is a token; `choices` are what leads back to a page."""

    def __init__(self, tables: Tables, rows: UnattendedRows, readers: Readers) -> None:
        self._tables, self._rows, self._readers = tables, rows, readers

    def leave(self, owner: str, title: str, page: str, choices: str, plan: Plan) -> None:
        """Have a table filled in to its end; a ValueError says that this is too much."""
        whole = plan.expected
        if whole > MOST_TRIALS:
            raise ValueError(
                f"This table takes {whole} trials, and up to {MOST_TRIALS} go on by themselves. Ask for "
                "fewer splits or values, or have the command line work it out."
            )
        self._begin(owner, UnattendedRow(plan.id, title[:200], page, choices, whole), plan)

    def listed(self, owner: str) -> list[UnattendedRow]:
        """Return an owner's tables, the latest first."""
        return self._rows.find(fingerprint(owner))

    def stop(self, owner: str, id: str) -> None:
        """Do no more for a table; what has come stays."""
        self._tables.stop(owner, _name(id))
        self._rows.note(id, fingerprint(owner), status="stopped")

    def go_on(self, owner: str, id: str) -> None:
        """Go on with a table that was stopped or interrupted; a ValueError says why that is not to be had."""
        text = self._rows.work(id, fingerprint(owner))
        if text is None:
            raise ValueError("This table is no longer kept.")
        row = next(row for row in self.listed(owner) if row.id == id)
        self._begin(owner, row, self._plan(text))

    def delete(self, owner: str, id: str) -> None:
        """Stop a table and take it off the list; its results stay for whoever asks for the same."""
        self._tables.stop(owner, _name(id))
        self._rows.delete(id, fingerprint(owner))

    def _begin(self, owner: str, row: UnattendedRow, plan: Plan) -> None:
        scope = next(filter(is_upload, plan.datasets), "")
        self._rows.save(row, fingerprint(owner), plan.to_json(), scope)
        self._tables.leave(owner, _name(row.id), plan, partial(self._note, owner, row.id))

    def _plan(self, text: str) -> Plan:
        """Return a plan as it was stored; a ValueError says that this Partwise cannot go on with it."""
        try:
            plain: Any = json.loads(text)
            return (
                FixedPlan.from_json(text) if isinstance(plain, list) else self._readers[plain["kind"]](text)
            )
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(
                "This was left by another Partwise, and this one cannot go on with it: open it and ask for "
                "it again. What has come of it is kept."
            ) from error

    def _note(self, owner: str, id: str, done: int, whole: int, status: UnattendedStatus) -> None:
        # While it goes on its visitor may have stopped it: that it does is not noted again.
        news = None if status == "going" else status
        try:
            self._rows.note(id, fingerprint(owner), done=done, whole=whole, status=news)
        except StoreUnavailableError as error:
            log.warning("%s How far a table is will be noted later.", error)


def _name(id: str) -> str:
    return f"left {id}"
