"""The Bases page: parts of several methods side by side, explored and taken away."""
