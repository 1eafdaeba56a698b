"""A page that holds the formulas of every method, as the page Methods sets them, for a test to look at."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from experiments.requests.library import method_specs
from ui import state, theme
from ui.handbook.page import mathematics

st.set_page_config(layout="wide")
state.begin()
theme.apply()
for name, spec in method_specs().items():
    with st.container(key=f"of-{name}"):
        mathematics(spec)
