"""Tune: which parameters serve best here, and whether the answer is safe."""

import streamlit as st

from ui.tune import page

st.title("Which parameters serve best here?")
page.show()
