"""The script that runs for every visitor: the table of pages, the shared sidebar, then the page."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

# Streamlit puts the folder of this script first, not the one above it, from which alone the imports below are
# found. Installed, we are found elsewhere.
if sys.path[0] != str(_ROOT := Path(__file__).parent.parent) and not (_ROOT / "built.json").is_file():
    sys.path.insert(0, str(_ROOT))

from ui import glossary, keys, notes, owner, service, sidebar, state, theme
from ui.teaching import classroom, course, guide

# One row a page: id (also its address and file), title, group in the menu. The first one is the start.
# No icons: Streamlit fetches its own from the network, and emoji look different on every machine.
PAGES = (
    ("start", "Start", ""),
    ("live", "Live run", "See"),
    ("bases", "Bases", "See"),
    ("graphs", "Graphs", "See"),
    ("documents", "Documents", "See"),
    ("views", "Several views", "See"),
    ("occlusion", "Occlusion", "Compare"),
    ("noise", "Noise", "Compare"),
    ("recognition", "Recognition", "Compare"),
    ("tune", "Tune", "Tune and check"),
    ("papers", "Papers", "Tune and check"),
    ("data", "Data", "Keep"),
    ("runs", "Runs", "Keep"),
    ("lessons", "Lessons", "Learn"),
    ("methods", "Methods", "Learn"),
)

st.set_page_config(page_title="Partwise", page_icon=str(_ROOT / "ui" / "static" / "icon.svg"), layout="wide")
state.begin()
menu: dict[str, list[st.Page]] = {}
for id, title, group in PAGES:
    row = st.Page(_ROOT / "pages" / f"{id}.py", title=title, url_path=id, default=id == PAGES[0][0])
    menu.setdefault(group, []).append(row)
page = st.navigation(menu, position="hidden" if st.context.is_embedded else "sidebar", expanded=True)
id_of_page = page.url_path or PAGES[0][0]
classroom.begin(id_of_page)
course.begin(id_of_page)
theme.apply()
sidebar.show(id_of_page)
above = st.container()
classroom.show()
page.run()
glossary.show(id_of_page)
guide.show(id_of_page)
keys.show(id_of_page)
notes.show(above, page.url_path)
notes.warn(above, service.notice())
state.publish()
# Last, for it is there once and then gone: above the page it would move the title.
owner.remember()
