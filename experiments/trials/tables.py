"""Tables that visitors look at: filled in behind the pages, in turn by visitor, while somebody looks.

What is found is kept in the run store: it survives a reload and a restart, and whoever asks for the same
finds it. One thread hands out work and takes in results; nothing is computed in this process.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from experiments.trials.carriers import Carrier, CarrierError
from experiments.trials.carry import UnderWay
from experiments.trials.keepsake import Keepsake
from experiments.trials.result import Result, lost
from experiments.trials.result_cache import ResultCache
from experiments.trials.trial import Chain, Trial

log = logging.getLogger(__name__)
_LOOK_EVERY = 0.05
_LAST_WORDS = 5.0
_TRY_AGAIN_AFTER = 15.0
_AT_HAND = 20_000


@dataclass
class _Looked:
    """A table somebody looks at, in the order of its turns; `begins` if what is missing is to be found."""

    trials: dict[str, Trial]
    begins: bool
    seen_at: float = field(default_factory=monotonic)


@dataclass
class _Visitor:
    """What somebody looks at, by name, and the seconds of work done for them so far."""

    served: float
    tables: dict[str, _Looked] = field(default_factory=dict)


class Tables:
    """Fills in what visitors ask for: the least served first, each one's table in its order.

    Who has not asked for `forgotten_after` seconds has left: nothing more is begun for them. The workers of
    the `carrier` are let go when nobody has asked for anything for `rest_after` seconds.
    """

    def __init__(
        self,
        carrier: Callable[[], Carrier],
        open_cache: Callable[[], ResultCache],
        *,
        forgotten_after: float = 5.0,
        rest_after: float = 300.0,
    ) -> None:
        self._carrier, self._open_cache = carrier, open_cache
        self._forgotten_after, self._rest_after = forgotten_after, rest_after
        self._visitors: dict[str, _Visitor] = {}
        self._results: OrderedDict[str, Result] = OrderedDict()
        self._looked_up: set[str] = set()
        self._under_way: dict[str, str] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._cache: ResultCache | None = None
        self._work: UnderWay | None = None

    def ask(
        self, owner: str, name: str, trials: Sequence[Trial], *, patience: float = 0.0, begins: bool = True
    ) -> dict[str, Result]:
        """Register the table that a visitor looks at under a name, and return its results by key.

        Asking is looking; asking for other trials under the same name drops those before. With `patience` it
        waits so long at most for what is kept to be looked up. Unless it `begins`, nothing new is computed.
        """
        keys = [trial.key for trial in trials]
        with self._changed:
            visitor = self._visitors.setdefault(owner, _Visitor(served=self._least_served()))
            visitor.tables[name] = _Looked(dict(zip(keys, trials, strict=True)), begins)
            if any(key not in self._results for key in keys) and not self._closed:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._serve, daemon=True, name="tables")
                    self._thread.start()
                self._changed.notify_all()
                if patience:
                    self._changed.wait_for(lambda: all(map(self._settled, keys)), patience)
            return {key: self._results[key] for key in keys if key in self._results}

    def drop(self, dataset: str) -> None:
        """Remove the results of a data set that its visitor removed."""
        with self._changed:
            for table in self._tables():
                for key, trial in list(table.trials.items()):
                    if trial.request.dataset == dataset:
                        del table.trials[key]
                        self._results.pop(key, None)
            cache = self._cache
        if cache is not None:
            cache.forget(dataset)

    def keepsake(self, key: str, dataset: str) -> Keepsake | None:
        """Return what is kept of the fit of a trial to be looked at; None if there is nothing (any more)."""
        return self._result_cache().keepsake(key, dataset)

    def close(self) -> None:
        """End the work; what has come is kept."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(_LAST_WORDS)
            # The locks of a pool go with its last circle of references: a server that a signal ends would
            # leave them to the system, with a complaint.
            gc.collect()

    def _settled(self, key: str) -> bool:
        return key in self._results or key in self._looked_up

    def _tables(self) -> list[_Looked]:
        return [table for visitor in self._visitors.values() for table in visitor.tables.values()]

    def _least_served(self) -> float:
        # Who comes new has no claim on the past.
        return min((visitor.served for visitor in self._visitors.values()), default=0.0)

    def _serve(self) -> None:
        while not self._closed:
            try:
                self._go_round()
            except CarrierError as error:
                log.warning("%s", error)
                self._give_up(str(error))
            except Exception as error:
                log.exception("Tables are not filled in")
                self._give_up(f"This could not be worked out ({type(error).__name__}: {error}).")
        self._rest()

    def _go_round(self) -> None:
        self._look_up()
        with self._changed:
            piece = self._next()
            if piece is None and not self._under_way:
                if not self._changed.wait(self._rest_after if self._work is not None else None):
                    self._rest()
                return
        if piece is not None:
            self._begin(piece)
            if self._work is not None and self._work.room:
                return  # More may be begun before anything is waited for.
        if self._work is not None:
            for key, result in self._work.arrivals(_LOOK_EVERY):
                self._arrived(key, result)

    def _look_up(self) -> None:
        """Look up stored results of all trials in open tables."""
        with self._changed:
            keys = [key for table in self._tables() for key in table.trials if not self._settled(key)]
        if not keys:
            return
        stored = self._result_cache().lookup(keys)
        with self._changed:
            self._looked_up.update(keys)
            for key, result in stored.items():
                self._remember(key, result)
            self._changed.notify_all()

    def _next(self) -> Trial | None:
        """Return the next trial of whoever looks and has been served least; None if there is no room."""
        if self._work is not None and not self._work.room:
            return None
        oldest = monotonic() - self._forgotten_after
        for owner, visitor in list(self._visitors.items()):
            visitor.tables = {
                name: table for name, table in visitor.tables.items() if table.seen_at >= oldest
            }
            if not visitor.tables and owner not in self._under_way.values():
                del self._visitors[owner]
        for owner, visitor in sorted(self._visitors.items(), key=lambda item: item[1].served):
            for table in visitor.tables.values():
                for key, trial in table.trials.items() if table.begins else ():
                    if key not in self._results and key not in self._under_way and key in self._looked_up:
                        self._under_way[key] = owner
                        return trial
        return None

    def _begin(self, trial: Trial) -> None:
        if self._work is None:
            self._work = UnderWay(self._carrier(), self._result_cache())
        self._work.begin(Chain((trial,)))

    def _arrived(self, key: str, result: Result) -> None:
        with self._changed:
            visitor = self._visitors.get(self._under_way.pop(key, ""))
            if visitor is not None:
                visitor.served += result.seconds
            self._remember(key, result)
            self._changed.notify_all()

    def _remember(self, key: str, result: Result) -> None:
        self._results[key] = result
        while len(self._results) > _AT_HAND:
            gone, _ = self._results.popitem(last=False)
            self._looked_up.discard(gone)

    def _result_cache(self) -> ResultCache:
        if self._cache is None or self._cache.problem:
            self._cache = self._open_cache()
        return self._cache

    def _give_up(self, message: str) -> None:
        """Give unfinished trials this message as their result for a while; then they are tried again."""
        self._rest()
        with self._changed:
            keys = {key for table in self._tables() if table.begins for key in table.trials}
            unfinished = keys - self._results.keys()
            for key in unfinished:
                self._results[key] = lost(message)
            self._under_way.clear()
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed, _TRY_AGAIN_AFTER)
            for key in unfinished:
                self._results.pop(key, None)

    def _rest(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            work.close()
