"""The order of waiting runs when there are more than processors: owners take turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from experiments.engine.handle import Handle


def fair_order(waiting: Iterable[Handle], running: Iterable[Handle]) -> list[Handle]:
    """Return the waiting runs in the order of their turns.

    Who has fewest runs under way comes first; among those, whose address has fewest, and then who has waited
    longest. So somebody with twenty runs in the queue delays a newcomer's first one by one turn, not by
    twenty, and twenty names at one address do not come before one at another.
    """
    load: Counter[str] = Counter()
    for handle in running:
        load.update(_parties(handle))
    ranked = []
    for place, handle in enumerate(waiting):
        owner, address = _parties(handle)
        ranked.append((load[owner], load[address], place, handle))
        load.update((owner, address))
    return [handle for *_, handle in sorted(ranked, key=lambda entry: entry[:3])]


def _parties(handle: Handle) -> tuple[str, str]:
    who = handle.owner or handle.id
    return f"owner {who}", f"address {handle.address or who}"
