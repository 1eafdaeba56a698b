"""The parts that several methods find, side by side."""

import streamlit as st

from ui.bases import page

st.title("What are the parts?")
page.show()
