"""The one run service of this server process, and the keeper that writes its runs down."""

from __future__ import annotations

from functools import lru_cache, partial
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments.engine.service import Service
    from experiments.persistence.run_keeper import RunKeeper
    from experiments.trials.tables import Tables
    from experiments.trials.unattended import Unattended

_making = RLock()


def service() -> Service:
    """Return the service, made when first asked for."""
    # Two sessions may ask first at the same time; a second service would mean twice the workers.
    with _making:
        return _service()


def drop_runs(dataset: str) -> None:
    """Forget what runs found in a data set that is taken back, if there has been any run at all."""
    with _making:
        running = _service() if _service.cache_info().currsize else None
        filled = _tables() if _tables.cache_info().currsize else None
    if running is not None:
        running.drop(dataset)
    if filled is not None:
        filled.drop(dataset)


def let_go(owner: str, *names: str) -> None:
    """Take back soon what is worked out for tables of a page that has been left, if there are any at all."""
    with _making:
        filled = _tables() if _tables.cache_info().currsize else None
    if filled is not None:
        filled.let_go(owner, *names)


def keeper() -> RunKeeper:
    """Return who writes runs down and finds them again."""
    with _making:
        return _keeper()


def notice() -> str:
    """Return what visitors should know of the keeping of runs; nothing is made for that."""
    with _making:
        made = _keeper() if _keeper.cache_info().currsize else None
    return "" if made is None else made.notice


def tables() -> Tables:
    """Return who fills in the tables that visitors look at."""
    with _making:
        return _tables()


def unattended() -> Unattended | None:
    """Return the tables that visitors have left to go on; None while there is no store to list them in."""
    from experiments.trials.unattended import Unattended
    from experiments.tuning import plan

    store = keeper().store
    return (
        None
        if store is None
        else Unattended(tables(), store.unattended, {plan.KIND: plan.SweepPlan.from_json})
    )


def close() -> None:
    """End the service, with all its runs, and its keeper; who asks again gets new ones."""
    with _making:
        for made in (_tables, _service, _keeper):
            if made.cache_info().currsize:
                made().close()
                made.cache_clear()


@lru_cache(maxsize=1)
def _service() -> Service:
    from experiments.engine.service import Service
    from experiments.worker_program import PROGRAM
    from ui import owner

    return Service(keeper=keeper(), program=PROGRAM, address=owner.address)


@lru_cache(maxsize=1)
def _keeper() -> RunKeeper:
    from experiments.persistence.run_keeper import RunKeeper

    return RunKeeper()


@lru_cache(maxsize=1)
def _tables() -> Tables:
    from experiments.trials.carriers import for_visitors
    from experiments.trials.result_cache import ResultCache
    from experiments.trials.tables import Tables

    def result_cache() -> ResultCache:
        store = keeper().store
        return ResultCache() if store is None else ResultCache(store.trials, store.server, store.keepsakes)

    return Tables(partial(for_visitors, service()), result_cache)
