"""A run on uploaded data that are not here now: their file is asked for again, and must be the same."""

from __future__ import annotations

from typing import Any

import streamlit as st

from experiments.requests import intake
from experiments.requests.library import Dataset
from experiments.store import StoredRun
from ui import state, uploads
from ui.plain import as_text
from ui.web.upload_quota import let_go

_ROUND = "_asked again"


def is_needed(run: StoredRun) -> bool:
    """Say whether the data of a run were uploaded and are not here, so that nothing can be opened on them."""
    return intake.is_upload(run.request.dataset) and run.request.dataset not in uploads.mine()


def offer(run: StoredRun) -> None:
    """Say which file is needed, and take it in if it is the one."""
    files, reading = _provenance(run)
    if not files or uploads.known_as(files, reading) != run.request.dataset:
        st.info("This run was made on data that another visitor uploaded, or whose file is not known.")
        return
    named = ", ".join(f"**{as_text(name)}**" for name, _ in files[:3])
    st.info(
        f"This run was made on {named} (SHA-256 {files[0][1][:12]} …), which is not here now. Hand the file "
        "in again, and the run opens on it."
    )
    key = f"again {run.id} {state.get(_ROUND, 0)}"
    given = st.file_uploader(
        "The same file", accept_multiple_files=True, key=key, label_visibility="collapsed"
    )
    if given:
        refusal = _taken_in(given, files, reading)
        if refusal:
            st.error(as_text(refusal))
            return
        let_go(given)
        state.put(_ROUND, state.get(_ROUND, 0) + 1)
        st.rerun()


def _provenance(run: StoredRun) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    ending = run.details.get("ending", {})
    return [(name, digest) for name, digest in ending.get("files") or ()], dict(ending.get("reading") or {})


def _taken_in(given: list[Any], files: list[tuple[str, str]], reading: dict[str, Any]) -> str:
    """Take files in as data of the visitor; return why not, nothing if they are."""
    for file in given:
        file.seek(0)
    several = len(given) > 1
    try:
        what, names = (given, [file.name for file in given]) if several else (given[0], given[0].name)
        dataset = intake.understand(what, names, **reading).dataset
    except intake.UploadError as error:
        return str(error)
    if refusal := another(dataset, files):
        return refusal
    uploads.draft(dataset)
    uploads.accept_draft()
    return ""


def another(dataset: Dataset, files: list[tuple[str, str]]) -> str:
    """Return in a sentence that these are other files than those wanted; nothing if they are the same."""
    if len(dataset.files) != len(files):
        return f"{len(files)} files are needed, and {len(dataset.files)} were handed in."
    for (name, digest), (wanted, then) in zip(dataset.files, files, strict=True):
        if digest != then or (len(files) > 1 and name != wanted):
            return (
                f"{name} is another file: its SHA-256 begins with {digest[:12]}, that of {wanted} with "
                f"{then[:12]}."
            )
    return ""
