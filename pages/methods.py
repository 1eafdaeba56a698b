"""The handbook of methods, made from what each says of itself."""

import streamlit as st

from ui import handbook

st.title("What does each method do?")
handbook.show()
