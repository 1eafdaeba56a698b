"""The Streamlit pieces that pages are put together from."""
