"""Files that studies wait for, of this machine's folder and the visitor's own: recognised, then confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from experiments.requests import intake
from experiments.requests.library import is_here, load_dataset
from experiments.studies import Study
from experiments.studies.awaited import Awaited
from experiments.studies.study_files import (
    FOLDER,
    StudyFile,
    every_awaited,
    folder_stamp,
    in_folder,
    understood_as,
)
from ui import state, uploads
from ui.data import previews, which_way_up
from ui.plain import as_text
from ui.uploader import uploader
from ui.waiting import Desk
from ui.web.upload_quota import let_go
from ui.words import counted

_MINE, _REFUSED = "_papers.files", "_papers.refused"
_DRAFT, _ROUND = "_papers.draft", "_papers.round"


def here(desk: Desk) -> dict[str, StudyFile]:
    """Return the files that fill cells, by what they are: the visitor's before those of the machine."""
    return _of_machine(desk) | _mine()


def show(study: Study, files: dict[str, StudyFile]) -> None:
    """Show what a study waits for, what of it is here, and where to drop a file."""
    for awaited in study.awaits:
        if awaited.id in files:
            _here(files[awaited.id])
        else:
            st.markdown(f"- **{awaited.title}**: {awaited.shape}. Given away by {awaited.owner}.")
    if all(awaited.id in files for awaited in study.awaits):
        return
    _drop(every_awaited())
    st.caption(
        f"Or put it into the folder that `{FOLDER}` names, under any name: everybody who works on this "
        "machine has it then, and the command line, too."
    )


def _of_machine(desk: Desk) -> dict[str, StudyFile]:
    stamp = folder_stamp()
    if not stamp:
        return {}
    answer = desk.ask(("study files", stamp), in_folder, patience=0.3)
    recognised: dict[str, StudyFile] = answer.value or {}
    return {id: one for id, one in recognised.items() if id not in state.get(_REFUSED, ())}


def _mine() -> dict[str, StudyFile]:
    by_id: dict[str, StudyFile] = state.get(_MINE, {})
    return {id: one for id, one in by_id.items() if one.dataset in uploads.mine()}


def _here(one: StudyFile) -> None:
    """Show a file that fills cells, as pictures for a person to look at, and how to take it back."""
    st.markdown(f"**{one.awaited.title}**: {as_text(one.name)}")
    previews.glance(load_dataset(one.dataset), f"look at {one.awaited.id}")
    if one.dataset in uploads.mine():
        st.button("Take it back", key=f"papers erase {one.awaited.id}", on_click=_take_back, args=(one,))
    else:
        st.button(
            f"These are not {one.awaited.title}", key=f"papers refuse {one.awaited.id}",
            on_click=state.put, args=(_REFUSED, (*state.get(_REFUSED, ()), one.awaited.id)),
        )  # fmt: skip


def _drop(wanted: Sequence[Awaited]) -> None:
    number = state.get(_ROUND, 0)
    file = uploader(
        "Drop a file here: it is recognised by its samples, classes and pixels", key=f"papers file {number}"
    )
    if file is None:
        if state.get(_DRAFT):
            _discard()
        return
    key = f"papers {number} {file.file_id}"
    draft = _draft_of(file, key, wanted)
    if draft["problem"]:
        st.error(as_text(draft["problem"]))
        return
    awaited: Awaited | None = draft["awaited"]
    ds = load_dataset(draft["dataset"])
    if awaited is None:
        st.warning(
            f"These are {counted(ds.n_samples, 'sample')} of {counted(ds.n_features, 'feature')} in "
            f"{counted(ds.n_classes, 'class', 'classes')}: nothing that is waited for has this shape. Data "
            "may correct what was understood of a file; then save it in that shape."
        )
        previews.glance(ds, "look at a file")
        return
    st.markdown(f"**This looks like {awaited.title}** ({awaited.shape}). Is it?")
    st.markdown("\n".join(f"- {as_text(sentence)}" for sentence in draft["sentences"]))
    previews.glance(ds, "look at a file")
    which_way_up.ask(draft, ds, key)
    with st.container(horizontal=True):
        st.button("Yes, use it", type="primary", key=f"yes {key}", on_click=_use, args=(awaited, file.name))
        st.button("No", key=f"no {key}", on_click=_begin_anew)


def _draft_of(file: Any, key: str, wanted: Sequence[Awaited]) -> dict[str, Any]:
    """Return what was understood of a file, read once for each answer to which way up it is."""
    pixels = which_way_up.answer(key)
    before: dict[str, Any] = state.get(_DRAFT) or {}
    if before.get("key") == (key, pixels) and (before["problem"] or is_here(before["dataset"])):
        return before
    draft: dict[str, Any] = {"key": (key, pixels), "problem": ""}
    try:
        with uploads.READING, st.spinner("Reading …"):
            corrections = {"pixels": pixels} if pixels else {}
            understood, awaited = understood_as(file, file.name, wanted, **corrections)
            purpose = awaited.id if awaited else ""
            draft |= {"dataset": uploads.draft(understood.dataset, purpose), "awaited": awaited}
            draft |= {name: getattr(understood, name) for name in ("sentences", "unsure", "pixels")}
    except intake.UploadError as refusal:
        uploads.discard_draft()
        draft["problem"] = str(refusal)
    state.put(_DRAFT, draft)
    return draft


def _use(awaited: Awaited, name: str) -> None:
    id = uploads.accept_draft((state.get(_DRAFT) or {}).get("dataset"))
    if id is None:
        return
    state.put(_MINE, {**state.get(_MINE, {}), awaited.id: StudyFile(awaited, name, id)})
    _begin_anew()


def _take_back(one: StudyFile) -> None:
    uploads.remove(one.dataset)


def _discard() -> None:
    uploads.discard_draft()
    state.put(_DRAFT, None)


def _begin_anew() -> None:
    """Let go of the file: an uploader with another key is empty."""
    held = state.widget_value(f"papers file {state.get(_ROUND, 0)}")
    let_go([held] if held else [])
    _discard()
    state.put(_ROUND, state.get(_ROUND, 0) + 1)
