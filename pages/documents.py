"""Documents taken apart into topics: their words, who is about what, and a say in it by labelling."""

import streamlit as st

from ui.documents import page

st.title("What are these documents about?")
page.show()
