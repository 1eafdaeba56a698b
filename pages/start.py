"""What are faces made of? A run that starts by itself, and three doors."""

import streamlit as st

from ui.live import demo
from ui.teaching import page

st.title("What are faces made of?")
demo.show()
demo.doors()
page.rows()
