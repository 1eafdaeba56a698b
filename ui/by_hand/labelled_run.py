"""Runs with labels given by hand go on from the run without them, in whatever order the labels came."""

from __future__ import annotations

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.engine.record import ENDED_WELL
from ui import owner
from ui.service import service


def gone_on(request: RunRequest, without: Handle | None) -> Handle:
    """Return a new run of a request that goes on from the one `without` labels, if that has found anything.

    As long as that is under way it is returned instead. So the address alone decides where a run ends.
    """
    if without is not None and not without.ended:
        return without
    warm = without.id if without is not None and without.status in ENDED_WELL else None
    return service().submit(request, warm_from=warm, owner=owner.token())
