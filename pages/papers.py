"""What comes out of the papers' own experiments?"""

import streamlit as st

from ui.papers import page

st.title("Do the papers' numbers come out again?")
page.show()
