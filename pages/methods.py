"""The handbook of methods, made from what each says of itself."""

import streamlit as st

from ui.handbook import page

st.title("What does each method do?")
page.show()
