"""The data: what they hold from every side, how much of them is labelled, and a way to bring one's own."""

import streamlit as st

from ui.data import page

st.title("What is in the data, and what is labelled?")
page.show()
