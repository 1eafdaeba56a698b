"""Watch a method at work: run it, stop it, step through it, go back."""

import streamlit as st

from ui.live import page

st.title("Watch the parts form")
page.show()
