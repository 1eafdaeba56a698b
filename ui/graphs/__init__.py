"""The Graphs page."""
