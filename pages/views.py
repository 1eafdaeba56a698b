"""Which view should be trusted?"""

import streamlit as st

from ui import views

st.title("Which view should be trusted?")
views.show()
