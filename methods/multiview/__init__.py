"""Several descriptions of the same samples, learned from together."""
