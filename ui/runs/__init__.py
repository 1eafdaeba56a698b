"""The Runs page: what has been tried, compared, shared and taken away."""
