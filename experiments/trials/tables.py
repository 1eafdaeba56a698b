"""Tables that visitors look at or have left to go on: filled in behind the pages, fairly by visitor.

Results are in the run store: they survive a reload and a restart, and whoever asks for the same has them.
One thread hands out work and takes in results; nothing is computed in this process.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from time import monotonic

from experiments.store import UnattendedStatus
from experiments.trials.carriers import Carrier, CarrierError
from experiments.trials.carry import UnderWay
from experiments.trials.keepsake import Keepsake
from experiments.trials.open_tables import Keys, Left, OpenTable, Progress, Visitor, chains_of
from experiments.trials.plan import Plan
from experiments.trials.result import Result, lost
from experiments.trials.result_cache import ResultCache
from experiments.trials.trial import Chain, Trial

log = logging.getLogger(__name__)
_LOOK_EVERY = 0.05
_LAST_WORDS = 5.0
_TRY_AGAIN_AFTER = 15.0
_BACK_WITHIN = 1.5
_AT_HAND = 20_000
_REPORT_EVERY = 1.0


class Tables:
    """Fills in what visitors ask for: the least served first, each one's table in its order.

    What is looked at comes before what was left to go on. Who has not asked for `forgotten_after` seconds has
    left the page: work under way for them is taken back. The `carrier` is closed when nobody has asked for
    anything for `rest_after` seconds.
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
        self._visitors: dict[str, Visitor] = {}
        self._results: OrderedDict[str, Result] = OrderedDict()
        self._looked_up: set[str] = set()
        # Chains that were begun, and for whom.
        self._begun: dict[Keys, str] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._cache: ResultCache | None = None
        self._work: UnderWay | None = None
        self._most_by_owner = 1
        self._reported_at = 0.0

    def ask(
        self,
        owner: str,
        name: str,
        work: Sequence[Trial | Chain],
        *,
        patience: float = 0.0,
        begins: bool = True,
    ) -> dict[str, Result]:
        """Register the table that a visitor looks at under a name, and return its results by key.

        Asking is looking; asking for other work under the same name drops what was asked before. With
        `patience` it waits so long at most for stored results. Unless it `begins`, nothing new is computed.
        """
        table = OpenTable(chains_of(work), begins)
        keys = list(table.keys)
        with self._changed:
            self._open(owner, name, table)
            if patience and any(key not in self._results for key in keys):
                self._changed.wait_for(lambda: all(map(self._settled, keys)), patience)
            return {key: self._results[key] for key in keys if key in self._results}

    def leave(self, owner: str, name: str, plan: Plan, progress: Progress) -> None:
        """Fill in a table to its end though nobody looks; `progress` is told now and then how far it is."""
        with self._changed:
            self._open(owner, name, OpenTable({}, begins=True, left=Left(plan, progress)))

    def stop(self, owner: str, name: str) -> None:
        """Do no more for a table; what has come stays."""
        with self._changed:
            if (visitor := self._visitors.get(owner)) is not None:
                visitor.tables.pop(name, None)
            self._changed.notify_all()

    def let_go(self, owner: str, *names: str) -> None:
        """Forget tables soon, for their page has been left; unless it loads anew, and asks for them again."""
        with self._changed:
            tables = self._visitors[owner].tables if owner in self._visitors else {}
            for name in names:
                if (table := tables.get(name)) is not None:
                    table.seen_at = min(table.seen_at, monotonic() - self._forgotten_after + _BACK_WITHIN)

    def drop(self, dataset: str) -> None:
        """Remove the results of a data set that its visitor removed."""
        with self._changed:
            for visitor in self._visitors.values():
                for name, table in list(visitor.tables.items()):
                    if table.left and dataset in table.left.plan.datasets:
                        del visitor.tables[name]
            for table in self._tables():
                for keys, chain in list(table.chains.items()):
                    if any(trial.request.dataset == dataset for trial in chain.trials):
                        del table.chains[keys]
                        for key in keys:
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

    def _open(self, owner: str, name: str, table: OpenTable) -> None:
        # Who comes new has no claim on the past.
        least = min((visitor.served for visitor in self._visitors.values()), default=0.0)
        self._visitors.setdefault(owner, Visitor(served=least)).tables[name] = table
        missing = table.left or any(key not in self._results for key in table.keys)
        if missing and not self._closed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, daemon=True, name="tables")
                self._thread.start()
            self._changed.notify_all()

    def _settled(self, key: str) -> bool:
        return key in self._results or key in self._looked_up

    def _tables(self) -> list[OpenTable]:
        return [table for visitor in self._visitors.values() for table in visitor.tables.values()]

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
        grew = self._grow()
        if not grew:
            self._report()
        with self._changed:
            self._forget_who_left()
            unwanted = self._unwanted()
            upcoming = None if unwanted else self._next()
            if not unwanted and upcoming is None and not self._begun:
                if not grew:
                    self._wait()
                return
        for keys in unwanted:
            self._take_back(keys)
        if upcoming is not None:
            self._begin(*upcoming)
            if self._work is not None and self._work.room:
                return  # More may be begun before anything is waited for.
        if self._work is not None:
            for key, result in self._work.arrivals(_LOOK_EVERY):
                self._arrived(key, result)

    def _wait(self) -> None:
        """Wait until somebody asks for something; without anything to report, rest after a while."""
        if any(table.left for table in self._tables()):
            self._changed.wait(_REPORT_EVERY)
        elif not self._changed.wait(self._rest_after if self._work is not None else None):
            self._rest()

    def _look_up(self) -> None:
        """Look up stored results of all trials in open tables."""
        with self._changed:
            keys = [key for table in self._tables() for key in table.keys if not self._settled(key)]
        if not keys:
            return
        stored = self._result_cache().lookup(keys)
        with self._changed:
            self._looked_up.update(keys)
            for key, result in stored.items():
                self._remember(key, result)
            self._changed.notify_all()

    def _grow(self) -> bool:
        """Add to tables that were left what follows from their results, and return whether any has more.

        A plan is asked once all it has asked for is there. That may take a while: nobody waits for it here.
        """
        with self._changed:
            complete = [
                (table, table.left, {key: self._results[key] for key in table.keys})
                for table in self._tables()
                if table.left and table.left.status == "going"
                if all(key in self._results for key in table.keys)
            ]
        grew = False
        for table, left, results in complete:
            chains = left.following(results)
            if left.status == "going":
                grew = True
                with self._changed:
                    table.chains = chains
        return grew

    def _forget_who_left(self) -> None:
        oldest = monotonic() - self._forgotten_after
        for owner, visitor in list(self._visitors.items()):
            tables = visitor.tables.items()
            visitor.tables = {name: table for name, table in tables if table.left or table.seen_at >= oldest}
            if not visitor.tables and owner not in self._begun.values():
                del self._visitors[owner]

    def _unwanted(self) -> list[Keys]:
        """Return the chains that were begun and that no open table holds any more."""
        wanted = {keys for table in self._tables() for keys in table.chains}
        return [keys for keys in self._begun if keys not in wanted]

    def _take_back(self, keys: Keys) -> None:
        if self._work is not None and self._work.drop(keys[0]):
            with self._changed:
                self._begun.pop(keys, None)

    def _next(self) -> tuple[Chain, str, bool] | None:
        """Return what is next, for whom, and whether it was left to go on; None if there is no room."""
        if self._work is not None and not self._work.room:
            return None
        busy = Counter(self._begun.values())
        least_served_first = sorted(self._visitors.items(), key=lambda item: item[1].served)
        for left in (False, True):
            for owner, visitor in least_served_first:
                if self._work is not None and busy[owner] >= self._most_by_owner:
                    continue
                for table in visitor.tables.values():
                    if table.may_begin and bool(table.left) is left:
                        for keys, chain in table.chains.items():
                            if keys not in self._begun and self._is_missing(keys):
                                self._begun[keys] = owner
                                return chain, owner, left
        return None

    def _is_missing(self, keys: Keys) -> bool:
        return any(key not in self._results for key in keys) and all(map(self._settled, keys))

    def _begin(self, chain: Chain, owner: str, left: bool) -> None:
        if self._work is None:
            carrier = self._carrier()
            self._work = UnderWay(carrier, self._result_cache())
            self._most_by_owner = carrier.most_by_owner
        self._work.begin(chain, owner, unattended=left)

    def _arrived(self, key: str, result: Result) -> None:
        with self._changed:
            self._remember(key, result)
            for keys in [keys for keys in self._begun if key in keys]:
                visitor = self._visitors.get(self._begun[keys])
                if visitor is not None:
                    visitor.served += result.seconds
                if all(key in self._results for key in keys):
                    del self._begun[keys]
            self._changed.notify_all()

    def _remember(self, key: str, result: Result) -> None:
        self._results[key] = result
        while len(self._results) > _AT_HAND:
            gone, _ = self._results.popitem(last=False)
            self._looked_up.discard(gone)

    def _report(self) -> None:
        """Tell how far the tables are that were left; close those that go on no more."""
        if monotonic() - self._reported_at < _REPORT_EVERY:
            return
        self._reported_at = monotonic()
        reports: list[tuple[Progress, int, int, UnattendedStatus]] = []
        with self._changed:
            for visitor in self._visitors.values():
                for name, table in list(visitor.tables.items()):
                    if (left := table.left) is None:
                        continue
                    if left.status == "going" and left.out_of_time and not self._begun.keys() & table.chains:
                        left.status = "stopped"
                    keys = set(table.keys)
                    done = sum(key in self._results for key in keys)
                    if (done, left.status) != left.reported:
                        left.reported = done, left.status
                        whole = len(keys) if left.status == "done" else max(len(keys), left.plan.expected)
                        reports.append((left.progress, done, whole, left.status))
                    if left.status != "going":
                        del visitor.tables[name]
        for progress, done, whole, status in reports:
            progress(done, whole, status)

    def _result_cache(self) -> ResultCache:
        if self._cache is None or self._cache.problem:
            self._cache = self._open_cache()
        return self._cache

    def _give_up(self, message: str) -> None:
        """Give unfinished trials this message as their result for a while; then they are tried again."""
        self._rest()
        with self._changed:
            keys = {key for table in self._tables() if table.begins and not table.left for key in table.keys}
            unfinished = keys - self._results.keys()
            for key in unfinished:
                self._results[key] = lost(message)
            self._begun.clear()
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed, _TRY_AGAIN_AFTER)
            for key in unfinished:
                self._results.pop(key, None)

    def _rest(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            work.close()
