"""Which view should be trusted?"""

import streamlit as st

from ui.views import page

st.title("Which view should be trusted?")
page.show()
