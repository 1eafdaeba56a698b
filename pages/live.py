"""Watch a method at work: run it, stop it, step through it, go back."""

import streamlit as st

from ui import live

st.title("Watch the parts form")
live.show()
