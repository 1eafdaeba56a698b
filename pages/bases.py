"""The parts that several methods find, side by side."""

import streamlit as st

from ui import bases

st.title("What are the parts?")
bases.show()
