"""The data: what they hold from every side, how much of them is labelled, and a way to bring one's own."""

import streamlit as st

from ui import data_page

st.title("What is in the data, and what is labelled?")
data_page.show()
