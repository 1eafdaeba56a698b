"""Bring your own data: hand over files, see what was understood, correct it, and only then use it."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from experiments.requests import intake
from experiments.requests.library import card, is_here, load_dataset
from ui import data_options, state, uploads
from ui.data import corrections, preparation, previews, sizes, vocabulary, which_way_up
from ui.plain import as_text
from ui.uploader import uploader
from ui.web.upload_quota import let_go

_FORMATS = (
    "Pictures (a zip or tar with a folder for each class, or loose files), MATLAB `.mat`, NumPy `.npz` and "
    "`.npy`, tables `.csv`, `.tsv`, `.parquet`, `.svm`, `.mtx`, and texts (a zip of `.txt` by folder, or a "
    "column of a table)."
)
_DRAFT, _SET, _ROUND, _TOO_MUCH = "_found", "_corrections", "_upload round", "_too much"


def show() -> None:
    """Show the form, what was understood, and the visitor's other uploads."""
    number = state.get(_ROUND, 0)
    files = uploader(
        "Your files", accept_multiple_files=True, key=f"upload {number}", label_visibility="collapsed",
        on_change=_changed, args=(number,),
    )  # fmt: skip
    _let_go_of_too_much(files)
    if files:
        _preview(files, f"{number} {' '.join(file.file_id for file in files)}")
        return
    _left_behind()
    st.markdown(_FORMATS)
    st.caption(
        "Only you see what you hand over. It stays on this server while this page is open and is erased "
        f"when you close it. A file may have {st.get_option('server.maxUploadSize')} MB."
    )
    _others()


def _changed(number: int) -> None:
    """Forget what was read when its last file is taken out by hand."""
    if not state.widget_value(f"upload {number}"):
        _forget()


def _left_behind() -> None:
    """Offer what was read before the visitor went to another page: there the uploader has lost its files."""
    draft: dict[str, Any] = state.get(_DRAFT, {})
    if "dataset" not in draft or not is_here(draft["dataset"]):
        _forget()
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        title = as_text(card(draft["dataset"]).title)
        st.markdown(f"**{title}** was read, but you went on before using it.", width="stretch")
        _use_or_discard(draft.get("options", {}), "left behind")


def _let_go_of_too_much(files: list[Any]) -> None:
    """Empty the uploader if it holds more than will be read: Streamlit keeps all of it in memory."""
    limit = intake.Limits.from_environment().file_bytes
    if sum(file.size for file in files) > limit:
        _begin_anew()
        state.put(_TOO_MUCH, True)
        st.rerun()
    if files:
        state.put(_TOO_MUCH, False)
    if state.get(_TOO_MUCH, False):
        most = f"{limit / 1e6:.0f} MB"
        st.error(f"Together these files have more than {most}; hand over fewer or smaller ones.")


def _preview(files: list[Any], key: str) -> None:
    draft = _draft_of(files, key, state.get(_SET, {}))
    if draft["problem"]:
        st.error(as_text(draft["problem"]))
        if "dataset" not in draft:
            st.caption("The data in use stay as they were.")
    if "dataset" not in draft:
        return
    left, right = st.columns([1.7, 1], gap="large")
    with right, st.container(border=True):
        st.markdown("**Not quite? Correct it.**")
        usual = load_dataset(draft["dataset"])
        chosen = corrections.controls(draft, usual, draft["given"], key)
        options = _text_options(draft["dataset"], key)
    if chosen != state.get(_SET, {}):
        state.put(_SET, chosen)
        st.rerun()
    with left:
        _what_it_is(draft, options, key)


def _what_it_is(draft: dict[str, Any], options: dict[str, Any], key: str) -> None:
    if problem := data_options.problem(draft["dataset"], options):
        st.error(f"These options do not go together: {as_text(problem)}. The usual ones are used instead.")
        options = {}
    draft["options"] = options
    ds = load_dataset(draft["dataset"], **options)
    st.markdown("\n".join(f"- {as_text(sentence)}" for sentence in draft["sentences"]))
    unknown = 0 if ds.y is None else int(np.sum(ds.y < 0))
    sizes.show(ds, last=("Without label", unknown))
    with st.container(horizontal=True):
        _use_or_discard(options, key)
    preparation.show(draft["dataset"], options)
    which_way_up.ask(draft, ds, key)
    previews.glance(ds)
    if ds.texts:
        vocabulary.show(ds)


def _use_or_discard(options: dict[str, Any], key: str) -> None:
    st.button("Use these data", type="primary", on_click=_use, args=(options,), key=f"use {key}")
    st.button("Discard", on_click=_begin_anew, key=f"discard {key}")


def _draft_of(files: list[Any], key: str, applied: dict[str, Any]) -> dict[str, Any]:
    """Return the draft read from the files with these corrections; read once, then cached."""
    before: dict[str, Any] = state.get(_DRAFT, {})
    here = "dataset" in before and is_here(before["dataset"])
    same_files = before.get("key") == key and here
    if before.get("key") == key and before["given"] == applied and (here or before["problem"]):
        return before
    if before.get("key") != key:
        applied = {}
        state.put(_SET, applied)
    draft: dict[str, Any] = {"key": key, "given": applied, "problem": ""}
    try:
        with uploads.READING, st.spinner("Reading …"):
            draft |= _understood(files, applied)
    except intake.UploadError as refusal:
        # A correction that does not fit leaves what was understood before.
        if not same_files:
            uploads.discard_draft()
        draft = {**(before if same_files else draft), "given": applied, "problem": str(refusal)}
    state.put(_DRAFT, draft)
    return draft


def _understood(files: list[Any], applied: dict[str, Any]) -> dict[str, Any]:
    for file in files:
        file.seek(0)
    what: Any = files if len(files) > 1 else files[0]
    names: Any = [file.name for file in files] if len(files) > 1 else files[0].name
    understood = intake.understand(what, names, **applied)
    return {
        "dataset": uploads.draft(understood.dataset),
        "sentences": understood.sentences,
        "label_choices": understood.label_choices,
        "view_choices": understood.view_choices,
        "corrections": understood.corrections,
        "orientation": understood.orientation,
        "pixels": understood.pixels,
        "unsure": understood.unsure,
        "stored_shape": understood.stored_shape,
    }


def _text_options(dataset: str, key: str) -> dict[str, Any]:
    """Show the options by which words are weighed, if there are words; return them."""
    # Remembered under names that stay out of the address: these files are not there either.
    return {
        option.name: data_options.control(option, f"_of upload {key}.{option.name}")
        for option in card(dataset).options
    }


def _others() -> None:
    """List what the visitor has uploaded before."""
    for id in uploads.mine():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{as_text(card(id).title)}**", width="stretch")
            st.button("Use", on_click=state.choose, args=({"data": id},), key=f"use {id}")
            st.button("Erase", on_click=_erase, args=(id,), key=f"erase {id}")


def _use(options: dict[str, Any]) -> None:
    id = uploads.accept_draft(state.get(_DRAFT, {}).get("dataset"))
    if id is None:
        return
    data_options.remember(id, options)
    state.choose({"data": id, "look": "samples"})
    _begin_anew()


def _erase(id: str) -> None:
    if state.get("data") == id:
        state.reset(["data"])
    uploads.remove(id)


def _begin_anew() -> None:
    """Let go of the files: an uploader with another key is empty."""
    let_go(state.widget_value(f"upload {state.get(_ROUND, 0)}") or [])
    uploads.discard_draft()
    state.put(_DRAFT, {})
    state.put(_SET, {})
    state.put(_ROUND, state.get(_ROUND, 0) + 1)


def _forget() -> None:
    if state.get(_DRAFT, {}):
        uploads.discard_draft()
        state.put(_DRAFT, {})
        state.put(_SET, {})
