"""Which run a visitor may watch: any whose id is known, but of an upload only who has made it."""

from __future__ import annotations

from experiments.engine.handle import Handle
from experiments.intake import is_upload
from ui import owner
from ui.service import keeper, service


def watched(id: str | None) -> Handle | None:
    """Return the run with this id if there is one and this visitor may watch it."""
    handle = service().get(id)
    return handle if handle is None or _may_watch(handle) else None


def _may_watch(handle: Handle) -> bool:
    if not is_upload(handle.request.dataset):
        return True
    if handle.owner is not None:
        return handle.may_steer(owner.token())
    # One that came back from the store: whoever put it on the shared shelf wants it seen.
    stored = keeper().store.get(handle.id, owner.token())
    return stored is not None and (stored.mine or stored.shared)
