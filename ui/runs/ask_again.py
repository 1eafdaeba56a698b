"""A run on uploaded data that are not here now: their file is asked for again, and must be the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from experiments.requests import intake
from experiments.store import StoredRun
from ui import state, uploads
from ui.plain import as_text
from ui.uploader import uploader
from ui.web.upload_quota import let_go

_ROUND = "_asked again"


def is_needed(run: StoredRun) -> bool:
    """Say whether the data of a run were uploaded and are not here, so that nothing can be opened on them."""
    return intake.is_upload(run.request.dataset) and run.request.dataset not in uploads.mine()


def offer(run: StoredRun) -> None:
    """Say which file is needed, and take it in if it is the one."""
    files, reading = _provenance(run)
    if not files or uploads.upload_id(files, reading) != run.request.dataset:
        st.info("This run was made on data that another visitor uploaded, or whose file is not known.")
        return
    named = ", ".join(f"**{as_text(name)}**" for name, _ in files[:3])
    st.info(
        f"This run was made on {named} (SHA-256 {files[0][1][:12]} …), which is not here now. Hand the file "
        "in again, and the run opens on it."
    )
    key = f"again {run.id} {state.get(_ROUND, 0)}"
    uploaded = uploader("The same file", accept_multiple_files=True, key=key, label_visibility="collapsed")
    if uploaded:
        refusal = _accept(uploaded, files, reading)
        if refusal:
            st.error(as_text(refusal))
            return
        let_go(uploaded)
        state.put(_ROUND, state.get(_ROUND, 0) + 1)
        st.rerun()


def _provenance(run: StoredRun) -> tuple[list[tuple[str, str]], dict[str, Any]]:
    ending = run.details.get("ending", {})
    return [(name, digest) for name, digest in ending.get("files") or ()], dict(ending.get("reading") or {})


def _accept(uploaded: list[Any], files: Sequence[tuple[str, str]], reading: Mapping[str, Any]) -> str:
    """Take files in as data of the visitor; return why not, nothing if they are."""
    try:
        # Under the names they had: what a file is called now is no matter.
        same = the_same(uploaded, files)
        dataset = intake.understand(same, [name for name, _ in files], **reading).dataset
    except intake.UploadError as error:
        return str(error)
    uploads.accept_draft(uploads.draft(dataset))
    return ""


def the_same(uploaded: Sequence[Any], files: Sequence[tuple[str, str]]) -> list[Any]:
    """Return those wanted among the files, in their order; an UploadError says which is another one."""
    held: dict[str, list[Any]] = {}
    for file in uploaded:
        file.seek(0)
        held.setdefault(hashlib.sha256(file.getbuffer()).hexdigest(), []).append(file)
    matched = [held[digest].pop(0) if held.get(digest) else None for _, digest in files]
    missing = [wanted for wanted, file in zip(files, matched, strict=True) if file is None]
    if not missing:
        # What was handed in by mistake before is no matter.
        return matched
    others = [(digest, file) for digest, same in held.items() for file in same]
    if not others:
        raise intake.UploadError(f"{len(files)} files are needed, and {len(uploaded)} were handed in.")
    now, other = others[-1]
    wanted, then = missing[0]
    raise intake.UploadError(
        f"{other.name} is another file: its SHA-256 begins with {now[:12]}, that of {wanted} with "
        f"{then[:12]}."
    )
