"""Which run a visitor may watch: any whose id is known, but of an upload only who has made it."""

from __future__ import annotations

from experiments.engine.handle import Handle
from experiments.requests.intake import is_upload
from ui import owner, uploads
from ui.service import keeper, service


def watched(id: str | None) -> Handle | None:
    """Return the run with this id if there is one and the visitor of this page may watch it."""
    handle = service().get(id)
    return handle if handle is None or may_watch(handle, owner.token()) else None


def may_watch(handle: Handle, token: str | None) -> bool:
    """Whether who has this token may watch a run; it may ask the database."""
    if not is_upload(handle.request.dataset):
        return True
    if handle.shared:
        # Nobody steers it, so it has no owner; the upload it is about has one.
        return uploads.belongs_to(handle.request.dataset, token)
    if not asks_the_store(handle):
        return handle.may_steer(token)
    # One that came back from the store: whoever put it on the shared shelf wants it seen.
    store = keeper().store
    stored = None if store is None else store.get(handle.id, token or "")
    return stored is not None and (stored.mine or stored.shared)


def asks_the_store(handle: Handle) -> bool:
    """Whether only the store knows who may watch a run."""
    return is_upload(handle.request.dataset) and handle.owner is None and not handle.shared
