"""Cover a face by hand and see which methods still know who it is."""

import streamlit as st

from ui.robustness import occlusion

st.title("Who is still recognised behind this patch?")
occlusion.show()
