"""Stored results of trials, shared by pages, commands and machines."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TypeVar

import datasets
from datasets.uploads import is_upload
from experiments.store import StoreUnavailableError, TrialRow, TrialRows
from experiments.store.keepsake_files import KeepsakeFiles
from experiments.trials.keepsake import Keepsake, from_text
from experiments.trials.result import Result
from experiments.trials.trial import Chain

log = logging.getLogger(__name__)
_KEEPSAKES_IN_MEMORY = 200
_Answer = TypeVar("_Answer")


class ResultCache:
    """The results in a store, seen by one process, its `holder`.

    Without a store, or while it does not answer, results are kept in memory alone and `problem` says so. What
    is kept of fits to be looked at goes to `files`; without any, the latest stay in memory.
    """

    def __init__(
        self, rows: TrialRows | None = None, holder: str = "", files: KeepsakeFiles | None = None
    ) -> None:
        self.problem = ""
        self._rows, self._holder, self._files = rows, holder, files
        self._keepsakes: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._memory: dict[str, Result] = {}
        self._lock = Lock()

    def lookup(self, keys: Sequence[str]) -> dict[str, Result]:
        """Return the stored results by key; keys without one are missing."""
        stored: dict[str, str] = self._query(lambda rows: rows.lookup(keys), {})
        with self._lock:
            in_memory = {key: self._memory[key] for key in keys if key in self._memory}
        return in_memory | {key: Result.from_json(text) for key, text in stored.items()}

    def claim(self, chain: Chain) -> bool:
        """Claim a chain; False if it has results by now, or another process has claimed it."""
        return self._query(lambda rows: rows.claim(chain.keys, self._holder), True)

    def save(self, chain: Chain, results: Sequence[Result]) -> list[Result]:
        """Store the results of a chain that a repetition would reproduce, and release it.

        Returned are the results without what they brought to be looked at, which goes to the files.
        """
        for key, trial, result in zip(chain.keys, chain.trials, results, strict=True):
            if result.keepsake and _still_here(trial.request.dataset):
                self._save_keepsake(key, _scope(trial.request.dataset), from_text(result.keepsake))
        results = [replace(result, keepsake="") for result in results]
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
        return results

    def keepsake(self, key: str, dataset: str) -> Keepsake | None:
        """Return what is kept of the fit of a trial on a data set; None if there is nothing (any more)."""
        if self._files is not None:
            packed = self._files.read(key, _scope(dataset))
        else:
            packed = self._keepsakes.get((key, _scope(dataset)))
        return None if packed is None else Keepsake.unpacked(packed)

    def forget(self, dataset: str) -> None:
        """Remove the results of an upload."""
        self._query(lambda rows: rows.forget(dataset), None)
        if self._files is not None:
            self._files.forget(_scope(dataset))
        for entry in [entry for entry in self._keepsakes if entry[1] == dataset]:
            del self._keepsakes[entry]

    def release(self, chain: Chain | None = None) -> None:
        """Release the claim on a chain, or on all."""
        self._query(lambda rows: rows.release(self._holder, None if chain is None else chain.keys), None)

    def renew(self) -> None:
        """Renew the claims of this process."""
        self._query(lambda rows: rows.renew(self._holder), None)

    def _save_keepsake(self, key: str, scope: str, packed: bytes) -> None:
        if self._files is not None:
            self._files.write(key, scope, packed)
            return
        self._keepsakes[key, scope] = packed
        while len(self._keepsakes) > _KEEPSAKES_IN_MEMORY:
            self._keepsakes.popitem(last=False)

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
