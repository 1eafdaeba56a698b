"""A finished fit that answers questions: about new pixels, about its own rows, about what to label next."""
