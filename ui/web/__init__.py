"""Requests that do not go through Streamlit: how they are checked, looked up, answered and refused."""
