"""What is a picture made of? Stick figures come apart by themselves, faces a click away; and three doors."""

import streamlit as st

from ui.live import demo
from ui.teaching import page

st.title("What is a picture made of?")
demo.show()
demo.doors()
page.rows()
