"""Stored results of trials, shared by pages, commands and machines."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TypeVar

import datasets
from datasets.uploads import is_upload
from experiments.store import StoreUnavailableError, TrialRow, TrialRows
from experiments.trials.result import Result
from experiments.trials.trial import Chain

log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


class ResultCache:
    """The results in a store, seen by one process, its `holder`.

    Without a store, or while it does not answer, results are kept in memory alone and `problem` says so.
    """

    def __init__(self, rows: TrialRows | None = None, holder: str = "") -> None:
        self.problem = ""
        self._rows, self._holder = rows, holder
        self._memory: dict[str, Result] = {}
        self._lock = Lock()

    def lookup(self, keys: Sequence[str]) -> dict[str, Result]:
        """Return the stored results by key; keys without one are missing."""
        stored: dict[str, str] = self._query(lambda rows: rows.known(keys), {})
        with self._lock:
            in_memory = {key: self._memory[key] for key in keys if key in self._memory}
        return in_memory | {key: Result.from_json(text) for key, text in stored.items()}

    def claim(self, chain: Chain) -> bool:
        """Claim a chain; False if it has results by now, or another process has claimed it."""
        return self._query(lambda rows: rows.claim(chain.keys, self._holder), True)

    def save(self, chain: Chain, results: Sequence[Result]) -> None:
        """Store the results of a chain that a repetition would reproduce, and release it."""
        lasting = [
            (key, trial, result)
            for key, trial, result in zip(chain.keys, chain.trials, results, strict=True)
            if result.lasting and _still_here(trial.request.dataset)
        ]
        rows = [
            TrialRow(key, trial.to_json(), result.to_json(), _scope(trial.request.dataset))
            for key, trial, result in lasting
        ]

        def write(store: TrialRows) -> bool:
            store.keep(rows)
            return True

        if not self._query(write, False):
            with self._lock:
                self._memory |= {key: result for key, _, result in lasting}
        self.release(chain)

    def forget(self, dataset: str) -> None:
        """Remove the results of an upload."""
        self._query(lambda rows: rows.forget(dataset), None)

    def release(self, chain: Chain | None = None) -> None:
        """Release the claim on a chain, or on all."""
        self._query(lambda rows: rows.release(self._holder, None if chain is None else chain.keys), None)

    def renew(self) -> None:
        """Renew the claims of this process."""
        self._query(lambda rows: rows.renew(self._holder), None)

    def _query(self, question: Callable[[TrialRows], _Answer], otherwise: _Answer) -> _Answer:
        if self._rows is not None:
            try:
                return question(self._rows)
            except StoreUnavailableError as error:
                if str(error) != self.problem:
                    log.warning("%s Results are kept in memory for now.", error)
                self.problem = str(error)
        return otherwise


def is_complete(results: Mapping[str, Result], chain: Chain) -> bool:
    """Return whether every trial of a chain has a result."""
    return all(key in results for key in chain.keys)


def _scope(dataset: str) -> str:
    return dataset if is_upload(dataset) else ""


def _still_here(dataset: str) -> bool:
    return not is_upload(dataset) or datasets.is_here(dataset)
