"""Recognition: how many labels each method needs, whom it confuses, and what labels given by hand do."""

import streamlit as st

from ui.recognition import page

st.title("Who is recognised, and how many labels does it take?")
page.show()
