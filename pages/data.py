"""The data: samples, classes, and how much of it is labelled."""

import streamlit as st

from ui import gallery

st.title("What is in the data, and how much of it is labelled?")
gallery.show()
