"""Add noise to a face and see which methods still know who it is."""

import streamlit as st

from ui.robustness import noise

st.title("Who is still recognised through this noise?")
noise.show()
