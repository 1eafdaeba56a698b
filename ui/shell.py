"""The script that runs for every visitor: the table of pages, the shared sidebar, then the page."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

_ROOT = Path(__file__).parent.parent
# Streamlit puts the folder of this script first, not the one above it. Installed, we are found elsewhere.
if sys.path[0] != str(_ROOT) and not (_ROOT / "built.json").is_file():
    sys.path.insert(0, str(_ROOT))

from experiments.engine.run_cache import RunRefusedError  # noqa: E402 - only after the path is right
from ui import notes, owner, service, sidebar, state, theme  # noqa: E402 - only after the path is right

# One row a page: id (also its address and file), title. The first one is the start.
# No icons: Streamlit fetches its own from the network, and emoji look different on every machine.
PAGES = (
    ("start", "Start"),
    ("data", "Data"),
    ("live", "Live run"),
    ("bases", "Bases"),
    ("occlusion", "Occlusion"),
    ("noise", "Noise"),
    ("recognition", "Recognition"),
    ("graphs", "Graphs"),
    ("documents", "Documents"),
    ("views", "Several views"),
    ("runs", "Runs"),
    ("methods", "Methods"),
)

st.set_page_config(page_title="Partwise", page_icon=str(_ROOT / "ui" / "static" / "icon.svg"), layout="wide")
theme.apply()
state.begin()
page = st.navigation(
    [
        st.Page(_ROOT / "pages" / f"{id}.py", title=title, url_path=id, default=index == 0)
        for index, (id, title) in enumerate(PAGES)
    ]
)
sidebar.show()
above = st.container()
try:
    page.run()
except RunRefusedError as refusal:
    notes.warn(st.container(), str(refusal))
notes.show(above, page.url_path)
notes.warn(above, service.notice())
state.publish()
# Last, for it is there once and then gone: above the page it would move the title.
owner.remember()
