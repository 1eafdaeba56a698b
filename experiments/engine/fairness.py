"""The order of waiting runs when there are more than processors: owners take turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from experiments.engine.handle import Handle


def fair_order(waiting: Iterable[Handle], running: Iterable[Handle]) -> list[Handle]:
    """Return the waiting runs in the order of their turns.

    Who has fewest runs under way comes first; among those, who has waited longest. So somebody with
    twenty runs in the queue delays a newcomer's first one by one turn, not by twenty.
    """
    load = Counter(_who(handle) for handle in running)
    ranked = []
    for place, handle in enumerate(waiting):
        ranked.append((load[_who(handle)], place, handle))
        load[_who(handle)] += 1
    return [handle for *_, handle in sorted(ranked, key=lambda entry: entry[:2])]


def _who(handle: Handle) -> str:
    return handle.owner or handle.id
