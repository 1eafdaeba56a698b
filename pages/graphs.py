"""The graphs over the samples, and labels that spread along them."""

import streamlit as st

from ui import graphs

st.title("Who is whose neighbour?")
graphs.show()
