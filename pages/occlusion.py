"""Cover a face by hand and see which methods still know who it is."""

import streamlit as st

from ui import occlusion

st.title("Who is still recognised behind this patch?")
occlusion.show()
