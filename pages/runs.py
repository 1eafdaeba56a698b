"""The runs there have been: find them, compare them, open them again, take them away."""

import streamlit as st

from ui.runs import page

st.title("What have I tried?")
page.show()
