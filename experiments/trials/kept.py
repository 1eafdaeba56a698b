"""The results that are kept, shared by all who look for them: pages, commands, machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock

from datasets.uploads import is_upload
from experiments.store import TrialRow, TrialRows
from experiments.trials.result import Result
from experiments.trials.trial import Chain


class Kept:
    """The results in a store, seen by one process; without a store they are kept in memory alone."""

    def __init__(self, rows: TrialRows | None = None, holder: str = "") -> None:
        self._rows, self._holder = rows, holder
        self._memory: dict[str, Result] = {}
        self._lock = Lock()

    def known(self, keys: Sequence[str]) -> dict[str, Result]:
        """Return the results there are, by key."""
        if self._rows is None:
            with self._lock:
                return {key: self._memory[key] for key in keys if key in self._memory}
        return {key: Result.from_json(text) for key, text in self._rows.known(keys).items()}

    def claim(self, chain: Chain) -> bool:
        """Take on a piece of work; False if its results have come meanwhile, or somebody else is at it."""
        return self._rows is None or self._rows.claim(chain.keys, self._holder)

    def keep(self, chain: Chain, results: Sequence[Result]) -> None:
        """Keep what came of a piece of work, as far as it would be the same another time."""
        lasting = {
            key: (trial, result)
            for key, trial, result in zip(chain.keys, chain.trials, results, strict=True)
            if result.lasting
        }
        if self._rows is None:
            with self._lock:
                self._memory |= {key: result for key, (_, result) in lasting.items()}
            return
        self._rows.keep(
            [
                TrialRow(key, trial.to_json(), result.to_json(), _scope(trial.request.dataset))
                for key, (trial, result) in lasting.items()
            ]
        )
        self.release(chain)

    def release(self, chain: Chain | None = None) -> None:
        """Give up a piece of work that is not finished, or all of them."""
        if self._rows is not None:
            self._rows.release(self._holder, None if chain is None else chain.keys)

    def renew(self) -> None:
        """Say that the work taken on is under way."""
        if self._rows is not None:
            self._rows.renew(self._holder)


def found(kept: Mapping[str, Result], chain: Chain) -> bool:
    """Return whether everything of a piece of work is known."""
    return all(key in kept for key in chain.keys)


def _scope(dataset: str) -> str:
    return dataset if is_upload(dataset) else ""
