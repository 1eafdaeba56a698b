"""The Data page: what is in a data set, and how to bring one's own."""
