"""Guided paths: predict, do, see, and say what it was."""

import streamlit as st

from ui.teaching import page

st.title("What would you like to understand?")
page.show()
