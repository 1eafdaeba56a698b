"""What one can take away of a run: a bundle, a script, a notebook. Any page may offer it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from experiments.engine.handle import Handle
from experiments.fitted.fitted_job import predictions_of, stored_predictions
from experiments.requests.intake import is_upload
from experiments.requests.library import is_here, load_dataset, method_specs, rows_of
from experiments.store import NoRoomError, StoredRun, StoreUnavailableError
from experiments.take_away import (
    Parcel,
    bundle,
    notebook,
    parcel_of_handle,
    parcel_of_stored,
    script,
    why_no_script,
)
from ui import owner, state, uploads
from ui.plain import as_text
from ui.service import keeper, service

_REFUSED = "_not kept"


def menu(run: Handle | StoredRun) -> None:
    """Offer a run for download, as a popover; one that was not kept can be kept here as well."""
    with st.popover("Take away", disabled=not run.ended):
        if not run.ended:
            return
        try:
            _downloads(run)
        except KeyError:
            st.info("The arrays of this run are no longer kept, so there is nothing to take away.")
            return
        if isinstance(run, Handle) and is_upload(run.request.dataset):
            _keeping(run)


def _parcel(run: Handle | StoredRun, *, arrays: bool) -> Parcel:
    if isinstance(run, Handle):
        return parcel_of_handle(run, arrays=arrays)
    store = keeper().store
    if store is None:
        raise KeyError(run.id)
    return parcel_of_stored(store, run, arrays=arrays)


def _downloads(run: Handle | StoredRun) -> None:
    # Arrays are read when the bundle is downloaded: the menu is drawn often.
    parcel = _parcel(run, arrays=False)
    name, id = parcel.file_name, run.id
    _predictions(run, name)
    _download("Bundle", f"{name}.zip", "application/zip", lambda: bundle(_parcel(run, arrays=True)), id,
              "Everything this run has found, as JSON and NPZ; the Runs page takes it in again.")  # fmt: skip
    reason = why_no_script(parcel)
    if reason:
        st.caption(reason)
        return
    _download("Python script", f"{name}.py", "text/x-python", lambda: script(parcel).encode(), id,
              "Carries the run out again and compares the numbers.")  # fmt: skip
    _download("Jupyter notebook", f"{name}.ipynb", "application/x-ipynb+json",
              lambda: notebook(parcel).encode(), id, "The same, step by step.")  # fmt: skip


def _predictions(run: Handle | StoredRun, name: str) -> None:
    """Offer the classes of what the run saw without a label, if it knows labels and its data are here."""
    request = run.request
    here = request.dataset in uploads.mine() if is_upload(request.dataset) else is_here(request.dataset)
    if not here or run.status == "failed" or request.method not in method_specs():
        return
    rows = rows_of(load_dataset(request.dataset, **request.dataset_options), request)
    if not rows.labelled.size or not rows.unlabelled.size:
        return
    _download("Predicted classes", f"{name}-predictions.csv", "text/csv", lambda: _predicted(run), run.id,
              "A line a sample seen without a label: whom it is taken for, and how clearly.")  # fmt: skip


def _predicted(run: Handle | StoredRun) -> bytes:
    """Return the predicted classes as CSV; they are worked out by a worker."""
    try:
        if isinstance(run, Handle):
            return predictions_of(run, service().jobs).encode()
        return _predicted_by_stored(run).encode()
    except ValueError as refusal:
        return f"{refusal}\n".encode()


def _predicted_by_stored(run: StoredRun) -> str:
    store = keeper().store
    if store is None:
        raise KeyError(run.id)
    arrays = store.start_file(run)
    try:
        return stored_predictions(run, arrays, service().jobs)
    finally:
        arrays.unlink(missing_ok=True)


def _download(label: str, file: str, kind: str, make: Callable[[], bytes], id: str, help: str) -> None:
    st.download_button(
        label, make, file, kind, key=f"{label} of {id}", on_click="ignore", help=help, width="stretch"
    )


def _keeping(handle: Handle) -> None:
    """Offer to store a run of uploaded data: without its owner's consent none is stored."""
    store = keeper().store
    if store is None:
        return
    try:
        stored = store.get(handle.id) is not None
    except StoreUnavailableError as error:
        st.caption(as_text(str(error)))
        return
    if stored:
        st.caption("Kept on the Runs page.")
        return
    if refusal := state.get(_REFUSED):
        st.caption(as_text(refusal))
    st.button(
        "Keep on the Runs page", on_click=_keep, args=(handle,), key=f"keep {handle.id}", width="stretch"
    )
    st.caption("Of uploaded data nothing is kept unless you say so. The data themselves are never kept.")


def _keep(handle: Handle) -> None:
    refusal = None
    try:
        keeper().keep(handle, owner.token())
    except (NoRoomError, StoreUnavailableError) as error:
        refusal = str(error)
    state.put(_REFUSED, refusal)
    state.put("_kept", handle.id)
