"""The graphs over the samples, and labels that spread along them."""

import streamlit as st

from ui.graphs import page

st.title("Who is whose neighbour?")
page.show()
